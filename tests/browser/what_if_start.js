import { mount } from "../../gate/reports/html/panels/what_if.js";

mount(document.getElementById("what-if"), JSON.parse(document.getElementById("data").textContent));
