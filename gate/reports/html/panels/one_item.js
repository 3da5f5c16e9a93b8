// All that the report knows of one item.

import { element } from "./elements.js";
import { change, score } from "./numbers.js";
import { gainOf } from "./items.js";

function factsOf(suite, row) {
  const items = suite.items;
  return [
    ["group", row.group],
    ["stratum", row.stratum],
    ["weight", items.weights.length > 0 && items.weights[row.index] !== null ? score(items.weights[row.index]) : ""],
    ["leak", row.leak],
    ["digest", items.digests[row.index] || ""],
  ].filter(([, value]) => value !== "");
}

function scoresOf(suite, row) {
  const lines = Object.entries(suite.items.metrics).map(([name, column]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("code", {}, name)),
      element("td", { class: "num" }, score(column.baseline[row.index])),
      element("td", { class: "num" }, score(column.candidate[row.index])),
      element("td", { class: "num" }, change(gainOf(column, row.index))),
      element("td", {}, column.status[row.index]),
    ),
  );
  const heads = ["Metric", "Baseline", "Candidate", "Gain", "Status"].map((label, place) =>
    element("th", { scope: "col", class: place > 0 && place < 4 ? "num" : null }, label),
  );
  return element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...lines));
}

export function show(place, suite, row) {
  const facts = factsOf(suite, row).map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)),
  );
  const made = element("div", { class: "one-item" }, element("h3", {}, row.id));
  if (facts.length > 0) made.append(element("dl", { class: "figures" }, ...facts));
  if (Object.keys(suite.items.metrics).length > 0) {
    made.append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Its scores" }, scoresOf(suite, row)));
  }
  if (row.text !== "") made.append(element("p", { class: "text" }, ...row.text.split("\n").flatMap((line) => [line, "\n"]).map((line) => line === "\n" ? document.createTextNode(line) : line)));
  place.replaceChildren(made);
}
