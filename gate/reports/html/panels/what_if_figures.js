// The figures of the what-if panel in a table, in notes and in one line.

import { findLattice } from "../stats/lattice.js";
import { differencesOf, sortedPairs } from "../stats/pairing.js";
import { signFlipP } from "../stats/sign_flips.js";
import { marginsOf, sum } from "../stats/sums.js";
import { confidence, count, limit, number, numberBeside, percent, probability } from "../stats/wording.js";
import { element } from "./elements.js";

/** What each status is called. */
export const WORDS = { pass: "pass", warn: "warn", fail: "FAIL", not_run: "not run" };

const PAIRING =
  "Counts do not tell which item scored what, and regression judges pair by pair. The run's own pairs are kept where they " +
  "can be; of the items that must move, first go those that return to their baseline's score, then those that differ " +
  "from it already, and what has no place of its own follows the order of the baseline's scores.";

/** The figures of all checks, one a row. */
export function tableOfFigures(setting, run, { threshold, regression, drift, checks }) {
  const { figures } = threshold;
  const level = confidence(1 - setting.alpha);
  const rows = [
    ["mean", number(figures.mean), `n = ${figures.n}`],
    [`${level} bootstrap interval`, range(figures.bootstrapLow, figures.bootstrapHigh), ""],
    [
      `${level} exact interval`,
      figures.exactLow === null ? "no scale, none" : range(figures.exactLow, figures.exactHigh),
      "",
    ],
  ];
  if (setting.bar !== null)
    rows.push([
      `p at the ${run.lowerIsBetter ? "ceiling" : "bar"} ${limit(setting.bar)}`,
      plain(figures.pAtBar),
      exactPOf(figures),
    ]);
  if (checks.includes("regression") && regression.status !== "not_run") {
    const { delta, low, high, wins, losses, ties, p } = regression.figures;
    rows.push(["delta", number(delta), `95 % interval ${range(low, high)}`]);
    rows.push([
      "p of regression",
      plain(p),
      `${count(wins, "win")}, ${losses === 1 ? "1 loss" : `${losses} losses`}, ${count(ties, "tie")}`,
    ]);
  }
  if (checks.includes("drift") && drift.status !== "not_run") {
    const { psi, band, p, significantShare } = drift.figures;
    rows.push(["PSI", numberBeside(psi, 0.25), band]);
    rows.push([
      "p of drift",
      plain(p),
      `an unchanged run like this is over 0.25 in ${percent(significantShare)} of cases`,
    ]);
  }
  return element(
    "table",
    { class: "lab-figures" },
    element("caption", { class: "unseen" }, "figures"),
    element(
      "tbody",
      {},
      ...rows.map(([name, value, more]) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, name),
          element("td", { class: "lab-figure" }, value),
          element("td", {}, more),
        ),
      ),
    ),
  );
}

function range(low, high) {
  return `[${number(low)}, ${number(high)}]`;
}

function plain(p) {
  return probability(p).replace("= ", "");
}

function exactPOf({ exactP }) {
  return exactP === null ? "" : `exact p ${probability(exactP)}`;
}

/** What the figures rest on, in sentences. */
export function notesOf(run, found) {
  const notes = [...run.notes];
  if (found.checks.includes("regression") && found.table !== null)
    notes.push(`${PAIRING}${otherPairings(run, found.table)}`);
  if (found.drift.figures?.drawn === false) {
    notes.push(
      "The p of drift counts every swap out; where many items changed, the report draws swaps at random, and differs a little.",
    );
  }
  if (found.drift.figures?.drawn) notes.push("The p of drift is of 10 000 random swaps, other ones than the report's.");
  return notes;
}

function otherPairings(run, table) {
  const { rows, columns } = marginsOf(table);
  const steps = findLattice(run.scores, sum(rows)).steps.map((step) => (run.lowerIsBetter ? -step : step));
  const [alike, against] = [false, true].map((turned) => {
    const found = differencesOf(sortedPairs(rows, columns, { against: turned }), steps);
    return signFlipP(found.steps, found.counts);
  });
  if (alike === null || against === null) return "";
  return (
    ` Of the same counts, items sorted alike in both runs would give p ${probability(alike)}, ` +
    `and the best of one with the worst of the other p ${probability(against)}.`
  );
}

/** All of it in one line, to be read out. */
export function summaryOf(found) {
  if (found.why !== "") return `Not recomputed: ${found.why}.`;
  const told = found.checks.map((check) => `${check} ${WORDS[found[check].status].toLowerCase()}`);
  const { mean, bootstrapLow, bootstrapHigh } = found.threshold.figures;
  const shift = found.drift.figures?.psi === undefined ? "" : `, PSI ${number(found.drift.figures.psi)}`;
  return `${found.verdict}: ${told.join(", ")}. Mean ${number(mean)}, interval ${range(bootstrapLow, bootstrapHigh)}${shift}.`;
}
