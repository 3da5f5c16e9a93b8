// The page of pass@k: which samples pass, what k draws of them hold, and what the estimators come to on average.

import { element } from "../../gate/reports/html/panels/elements.js";
import { button, choice, say } from "../../gate/reports/html/panels/nodes.js";
import { fixed } from "../../gate/reports/html/stats/wording.js";
import { drawLines } from "./chart.js";
import { choicesOf, choose, expected, plugIn, truth, unbiased } from "./pass_at_k.js";

const MOST = 8;
const STEPS = 100;
const state = { passes: [true, true, false, false, false], k: 2, rate: 0.4 };
const place = (name) => document.getElementById(name);

function start() {
  const numbers = Array.from({ length: MOST - 1 }, (_, index) => [String(index + 2), String(index + 2)]);
  place("n").append(choice(numbers, String(state.passes.length), (value) => resize(Number(value)), { id: "n-choice" }));
  place("k").addEventListener("input", () => change({ k: place("k").valueAsNumber }));
  place("rate").addEventListener("input", () => change({ rate: place("rate").valueAsNumber / STEPS }));
  window.addEventListener("resize", show);
  show();
}

function change(changes) {
  Object.assign(state, changes);
  show();
}

function resize(n) {
  const passes = Array.from({ length: n }, (_, index) => state.passes[index] ?? false);
  change({ passes, k: Math.min(state.k, n) });
}

function show() {
  const { passes, k } = state;
  const [n, c] = [passes.length, passes.filter(Boolean).length];
  showSamples();
  Object.assign(place("k"), { max: n, value: k });
  say(place("k-told"), String(k));
  const sets = choicesOf(n, k);
  const hits = sets.filter((set) => set.some((sample) => passes[sample])).length;
  place("sets").replaceChildren(...sets.map(chip));
  const draws = `${choose(n, k)} ${choose(n, k) === 1 ? "way" : "ways"} to draw ${k} of ${n} samples`;
  say(
    place("told"),
    `${draws}: ${hits} hold a pass. pass@${k} is ${hits}/${sets.length} = ${fixed(unbiased(n, c, k), 3)}.`,
  );
  place("table").replaceChildren(...passes.map((_, index) => rowOf(n, c, index + 1)));
  showRates(n);
}

function showSamples() {
  const samples = state.passes.map((passes, index) =>
    button(`${index + 1} ${passes ? "✓ passes" : "✕ fails"}`, () => toggle(index), { "aria-pressed": String(passes) }),
  );
  const at = [...place("samples").children].indexOf(document.activeElement);
  place("samples").replaceChildren(...samples);
  samples[at]?.focus();
}

function toggle(index) {
  change({ passes: state.passes.map((passes, sample) => (sample === index ? !passes : passes)) });
}

function chip(set) {
  const isHit = set.some((sample) => state.passes[sample]);
  const names = set.map((sample) => `${sample + 1}${state.passes[sample] ? "✓" : ""}`).join(" ");
  return element("li", isHit ? { class: "lab-hit" } : {}, names);
}

function rowOf(n, c, k) {
  const hits = choose(n, k) - choose(n - c, k);
  const cells = [fixed(plugIn(n, c, k), 3), fixed(unbiased(n, c, k), 3), `${hits}/${choose(n, k)}`];
  return element(
    "tr",
    k === state.k ? { class: "lab-now", "aria-current": "true" } : {},
    element("th", { scope: "row" }, String(k)),
    ...cells.map((cell) => element("td", { class: "lab-figure" }, cell)),
  );
}

function showRates(n) {
  const { k, rate } = state;
  place("rate").value = String(Math.round(rate * STEPS));
  say(place("rate-told"), fixed(rate, 2));
  const [real, fair, low] = [truth(k, rate), expected(unbiased, n, k, rate), expected(plugIn, n, k, rate)];
  say(place("truth"), fixed(real, 4));
  say(place("fair"), fixed(fair, 4));
  say(place("low"), fixed(low, 4));
  say(place("gap"), fixed(low - real, 4));
  const rates = Array.from({ length: STEPS + 1 }, (_, index) => index / STEPS);
  const lines = [
    { name: "unbiased", kind: "one", points: rates.map((each) => [each, expected(unbiased, n, k, each)]) },
    { name: "plug-in", kind: "two", points: rates.map((each) => [each, expected(plugIn, n, k, each)]) },
  ];
  const frame = {
    x: [0, 1],
    y: [0, 1],
    mark: rate,
    title: "the true rate of a sample",
    ticksX: [0, 0.25, 0.5, 0.75, 1].map((each) => [each, String(each)]),
    ticksY: [0, 0.25, 0.5, 0.75, 1].map((each) => [each, String(each)]),
    told: `Expectations over the true rate at n = ${n} and k = ${k}: the unbiased form is the truth, the plug-in form is below it`,
  };
  place("curves").replaceChildren(drawLines(frame, lines, place("curves").clientWidth));
}

start();
