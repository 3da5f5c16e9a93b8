// The JSON report, saved from the page.

import { originalText } from "./report_data.js";

export function mount(button, embedded) {
  button.setAttribute("aria-label", "Download report.json");
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([originalText(embedded) + "\n"], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = "report.json";
    link.click();
    // later: some browsers read it only after the click is over
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
  button.hidden = false;
}
