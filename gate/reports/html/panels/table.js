// The table of all items: which suite, which metric, which rows, in which order.

import { count } from "../stats/wording.js";
import { element } from "./elements.js";
import { makeGrid } from "./grid.js";
import { columnsOf, filterRows, OUTCOMES, rowsOf, sortRows } from "./items.js";
import { change, score } from "./numbers.js";
import { show } from "./one_item.js";

const TONES = { worse: "is-worse", better: "is-better", "not compared": "is-not-compared", same: "" };

function option(value, label) {
  return element("option", { value }, label);
}

function labelled(label, control) {
  return element("label", {}, label, control);
}

function cellOf(row, column) {
  const { key, numeric } = column;
  const told = key === "gain" ? change(row.gain) : numeric ? score(row[key]) : row[key];
  const tone = key === "gain" || key === "outcome" ? TONES[row.outcome] : "";
  const classes = [`col-${key}`, numeric ? "num" : "", tone].filter(Boolean).join(" ");
  return element("td", { class: classes, title: numeric ? null : told.slice(0, 400) || null }, told.slice(0, 400));
}

export function mount(place, data) {
  const suites = data.suites.filter((suite) => suite.items.ids.length > 0);
  const state = { suite: suites[0], metric: null, words: "", outcome: "", key: "gain", descending: false };
  const suiteChoice = element("select", {}, ...suites.map((suite, index) => option(String(index), suite.name)));
  const metricChoice = element("select");
  const words = element("input", { type: "search", placeholder: "id, group, text", spellcheck: "false" });
  const outcome = element("select", {}, option("", "all"), ...OUTCOMES.map((name) => option(name, name)));
  const told = element("output", { "aria-live": "polite" });
  const metricLabel = labelled("Metric", metricChoice), outcomeLabel = labelled("Outcome", outcome);
  const controls = element("div", { class: "controls" });
  if (suites.length > 1) controls.append(labelled("Suite", suiteChoice));
  controls.append(metricLabel, labelled("Search", words), outcomeLabel, told);
  const grid = element("div"), detail = element("div", { "aria-live": "polite" });
  place.replaceChildren(controls, grid, detail);

  let columns = [], rows = [];
  const fill = makeGrid(grid, {
    label: "Items",
    cells: (row) => columns.map((column) => cellOf(row, column)),
    onSort: (key) => {
      state.descending = state.key === key ? !state.descending : false;
      state.key = key;
      refresh();
    },
    onPick: (row) => show(detail, state.suite, row),
  });

  function refresh() {
    const kept = filterRows(rows, state);
    told.textContent = kept.length === rows.length ? count(rows.length, "item") : `${kept.length} of ${count(rows.length, "item")}`;
    fill(columns, sortRows(kept, state.key, state.descending), state);
  }

  function choose() {
    const names = Object.keys(state.suite.items.metrics);
    if (!names.includes(state.metric)) {
      state.metric = names.length > 0 ? names[0] : null;
      metricChoice.replaceChildren(...names.map((name) => option(name, name)));
    }
    metricLabel.hidden = names.length < 2;
    outcomeLabel.hidden = state.metric === null;
    columns = columnsOf(state.suite, state.metric);
    rows = rowsOf(state.suite, state.metric);
    // the worst first, where anything can be worse
    if (!rows.some((row) => !Number.isNaN(row.gain))) columns = columns.filter(({ key }) => key !== "gain" && key !== "outcome");
    if (!columns.some(({ key }) => key === state.key)) Object.assign(state, { key: "id", descending: false });
    detail.replaceChildren();
    refresh();
  }

  suiteChoice.addEventListener("change", () => {
    state.suite = suites[Number(suiteChoice.value)];
    state.metric = null;
    choose();
  });
  metricChoice.addEventListener("change", () => {
    state.metric = metricChoice.value;
    choose();
  });
  words.addEventListener("input", () => {
    state.words = words.value;
    refresh();
  });
  outcome.addEventListener("change", () => {
    state.outcome = outcome.value;
    refresh();
  });
  choose();
}
