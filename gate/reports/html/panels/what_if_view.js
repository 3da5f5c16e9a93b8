// What the what-if panel shows: controls, the verdict and its checks, the interval against the bar.

import { marginsOf, sum } from "../stats/sums.js";
import { count, number } from "../stats/wording.js";
import { element } from "./elements.js";
import { button, choice, say } from "./nodes.js";
import { drawIntervals } from "./what_if_chart.js";
import { WORDS, notesOf, summaryOf, tableOfFigures } from "./what_if_figures.js";
import { LEAST_ALPHA, MOST_ALPHA } from "./what_if_setting.js";

const MARKS = { pass: "✓", warn: "!", fail: "✕", not_run: "–", PASS: "✓", WARN: "!", BLOCK: "✕" };
const EXAMPLE = "example";
const ANNOUNCE_AFTER = 500;

const INTRODUCTION =
  "Move the candidate's scores and see what the gate would say: the same exact bootstrap, exact bound and tests, " +
  "recomputed in this page. An item that one score gains is taken from the next score up, for the highest from the next " +
  "down; the number of items stays.";
const OF_ANOTHER = "What follows is the worked example, and no run of this report:";
const STILL = "The bar, alpha and the rule can be moved.";
const CHALLENGE =
  "Challenge: build a run that passes all three checks, threshold, regression and drift, with as few items moved as you can.";

/**
 * Build the controls and the places for results.
 *
 * @param {HTMLElement} section
 * @param {string[]} names of the runs to choose from.
 * @param {{name: string, why: string}[]} refused
 * @param {{onCount: Function, onChange: Function, onChoose: Function, onReset: Function}} act
 * @returns {{show: Function, complaint: HTMLElement}}
 */
export function buildView(section, names, refused, act) {
  const parts = {
    complaint: element("p", { class: "lab-complaint", role: "status" }),
    challenge: element("p", { class: "lab-challenge", role: "status" }),
    counts: element("div"),
    options: element("div", { class: "lab-options" }),
    results: element("div"),
    notes: element("ul", { class: "lab-notes" }),
    live: element("p", { class: "unseen", role: "status", "aria-live": "polite" }),
  };
  const head = buildHead(names, act);
  const shut = element("div", {}, ...buildRefusals(names, refused));
  section.append(
    element(
      "div",
      { class: "lab" },
      element("p", {}, INTRODUCTION),
      names.length === 0 ? shut : "",
      head.bar,
      parts.complaint,
      parts.challenge,
      parts.counts,
      parts.options,
      parts.results,
      parts.notes,
      names.length > 0 ? shut : "",
      parts.live,
    ),
  );
  const held = { run: null, counts: null, options: null, timer: 0 };
  const show = (setting, run, found) => {
    if (held.run !== run) {
      held.run = run;
      held.counts = buildCounts(parts.counts, run, act);
      held.options = buildOptions(parts.options, run, act);
    }
    head.follow(setting.choice);
    held.counts.show(setting, found);
    held.options.show(setting);
    showChallenge(parts.challenge, setting, found);
    showResults(parts, setting, run, found);
    clearTimeout(held.timer);
    held.timer = setTimeout(() => say(parts.live, summaryOf(found)), ANNOUNCE_AFTER);
    held.redraw = () => showResults(parts, setting, run, found);
  };
  window.addEventListener("resize", () => held.redraw());
  return { show, complaint: parts.complaint };
}

/** What cannot be recomputed; where that is all there is, that what follows is no run of this report. */
function buildRefusals(names, refused) {
  if (refused.length === 0) return [];
  const lines = refused.map(({ name, why }) => element("li", {}, `${name}: cannot be recomputed here, for ${why}.`));
  const lead = names.length > 0 ? "" : element("p", {}, element("strong", {}, OF_ANOTHER));
  return [lead, element("ul", { class: "lab-notes lab-refused" }, ...lines)];
}

function buildHead(names, act) {
  const options = [...names.map((name, index) => [String(index), name]), [EXAMPLE, "the worked example"]];
  const chosen = (value) => act.onChoose(value === EXAMPLE ? null : Number(value));
  const select = choice(options, options[0][0], chosen);
  const example = button("Worked example", () => act.onChoose(null));
  const bar = element(
    "div",
    { class: "lab-bar" },
    element("label", {}, "Run ", select),
    example,
    button("Start again", act.onReset),
  );
  const follow = (index) => (select.value = index === null ? EXAMPLE : String(index));
  return { bar, follow };
}

function buildCounts(place, run, act) {
  const n = sum(run.counts);
  if (run.isFixed) {
    const told = `${count(n, "item")} of ${count(run.scores.length, "score")}: more than 20 are too many to move one by one. ${STILL}`;
    place.replaceChildren(element("p", {}, told));
    return { show: () => {} };
  }
  const before = run.table === null ? null : marginsOf(run.table).rows;
  const rows = run.scores.map((score, index) => {
    const name = labelOf(run, index);
    const wanted = { min: 0, max: n, step: 1 };
    const slider = element("input", { type: "range", ...wanted, "aria-label": `items at ${name}, slider` });
    const field = element("input", {
      type: "number",
      inputmode: "numeric",
      ...wanted,
      "aria-label": `items at ${name}`,
    });
    slider.addEventListener("input", () => act.onCount(index, slider.valueAsNumber));
    // an empty field is one that is being typed in
    field.addEventListener("input", () => field.value !== "" && act.onCount(index, field.valueAsNumber));
    field.addEventListener("change", () => act.onCount(index, field.valueAsNumber));
    const part = element("td", { class: "lab-figure" });
    const row = element(
      "tr",
      {},
      element("th", { scope: "row" }, name),
      element("td", { class: "lab-slider" }, element("div", {}, slider, field)),
      before === null ? "" : element("td", { class: "lab-figure" }, String(before[index])),
      before === null ? "" : part,
    );
    return { row, slider, field, part };
  });
  const heads = ["score", "candidate's items", ...(before === null ? [] : ["baseline", "adds to PSI"])];
  place.replaceChildren(
    element(
      "table",
      { class: "lab-counts" },
      element("caption", {}, `${count(n, "item")} by score`),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ...heads.map((head, index) => element("th", { scope: "col", class: index > 1 ? "lab-figure" : null }, head)),
        ),
      ),
      element("tbody", {}, ...rows.map(({ row }) => row)),
    ),
  );
  return {
    show: (setting, found) =>
      rows.forEach((row, index) => showCount(row, setting.counts[index], partOf(run, found, index))),
  };
}

function showCount({ slider, field, part }, value, psiPart) {
  slider.value = String(value);
  field.value = String(value);
  say(part, psiPart);
}

/** What a score adds to the PSI, where it is a bucket of its own. */
function partOf(run, found, index) {
  const contributions = found.drift?.contributions;
  if (contributions === undefined) return "";
  return run.edges === null ? number(contributions[index]) : "in buckets";
}

function labelOf({ scores, lowerIsBetter }, index) {
  const shown = String(Number(scores[index].toPrecision(6)));
  const isThree = scores.length === 3 && scores[0] === 0 && scores[1] === 0.5 && scores[2] === 1 && !lowerIsBetter;
  return isThree ? `${shown} ${["wrong", "partial", "right"][index]}` : shown;
}

function buildOptions(place, run, act) {
  const [low, high] = run.scale === null ? [null, null] : [run.scale.low, run.scale.high];
  const step = run.scale === null ? "any" : (high - low) / 100;
  const slider = element("input", { type: "range", min: low, max: high, step, "aria-label": "bar, slider" });
  const bar = element("input", { type: "number", step: "any", min: low, max: high });
  slider.addEventListener("input", () => act.onChange({ bar: slider.valueAsNumber }));
  bar.addEventListener("input", () => act.onChange({ bar: bar.value === "" ? null : bar.valueAsNumber }));
  const alpha = element("input", { type: "number", step: "0.01", min: LEAST_ALPHA, max: MOST_ALPHA });
  alpha.addEventListener("input", () => act.onChange({ alpha: alpha.valueAsNumber }));
  const rules = [
    ["calibrated", "calibrated: chance is asked first"],
    ["bands", "bands: the published rule"],
  ];
  const rule = choice(rules, "calibrated", (value) => act.onChange({ rule: value }));
  place.replaceChildren(
    element("label", {}, run.lowerIsBetter ? "Ceiling " : "Bar ", bar),
    run.scale === null ? "" : slider,
    element("label", {}, "Alpha, two-sided ", alpha),
    run.table === null ? "" : element("label", {}, "Rule of drift ", rule),
  );
  const show = (setting) => {
    // the field that is being typed in keeps what is typed
    if (document.activeElement !== bar) bar.value = setting.bar === null ? "" : String(setting.bar);
    if (document.activeElement !== alpha) alpha.value = String(setting.alpha);
    // without a bar it rests at the end that every score clears
    slider.value = String(setting.bar ?? (run.lowerIsBetter ? high : low));
    rule.value = setting.rule;
  };
  return { show };
}

function showChallenge(place, setting, found) {
  if (setting.choice !== null) return say(place, "");
  const isReached = found.why === "" && found.passesAll;
  place.classList.toggle("lab-reached", isReached);
  const told = isReached
    ? `Reached: this run passes all three checks, with ${count(found.moved, "item")} moved.`
    : CHALLENGE;
  return say(place, told);
}

function showResults(parts, setting, run, found) {
  if (found.why !== "") {
    parts.results.replaceChildren(element("p", { class: "lab-complaint" }, `Not recomputed: ${found.why}.`));
    parts.notes.replaceChildren();
    return;
  }
  const width = parts.results.clientWidth;
  parts.results.replaceChildren(
    element("p", { class: `lab-verdict lab-${found.verdict}` }, `${MARKS[found.verdict]} ${found.verdict}`),
    element("ul", { class: "lab-checks" }, ...found.checks.map((check) => lineOf(check, found[check])), ...run.others.map(lineBeside)),
    drawIntervals(found.threshold.figures, setting, run, width),
    tableOfFigures(setting, run, found),
  );
  parts.notes.replaceChildren(...notesOf(run, found).map((note) => element("li", {}, note)));
}

function lineOf(check, { status, sentence }) {
  return element(
    "li",
    { class: `lab-${status}` },
    element("span", { class: "lab-mark", "aria-hidden": "true" }, MARKS[status]),
    element("strong", {}, `${check} ${WORDS[status]}`),
    `: ${sentence}`,
  );
}

/** A finding of the report that nothing here moves: this verdict is without it. */
function lineBeside({ check, status }) {
  return lineOf(check, { status, sentence: "as in the report; it is not recomputed and does not count here" });
}
