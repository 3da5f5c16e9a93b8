// The runs of a report that the what-if panel can recompute, and why it cannot recompute the others.

import { findLattice } from "../stats/lattice.js";
import { bucketsOf, quantileEdges } from "../stats/psi.js";
import { marginsOf, sum } from "../stats/sums.js";

// As many distinct scores as drift takes for buckets; beyond, by its rule, the baseline's deciles are.
const MOST_BUCKETS = 20;
const DECILES = 10;
// Differences are taken of all pairs of scores.
const MOST_SCORES = 500;
const MOST_ITEMS = 10_000;
const MOVED = ["threshold", "regression", "drift"];
const NO_LATTICE =
  "its scores are no multiples of a common step, as 0, 0.5 and 1 are, and the ways to a sum of others cannot be counted";

// The published worked example, item by item: examples/worked-example.
const EXAMPLE_BASELINE = [1, 0, 1, 1, 1, 1, 0.5, 1, 1, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
const EXAMPLE_CANDIDATE = [0.5, 0.5, 1, 0, 1, 0, 0.5, 1, 1, 1, 1, 1, 0.5, 1, 0, 1, 0.5, 1, 1, 1];

/** The worked example as a run of the panel, with the options of its gate.yml. */
export const WORKED_EXAMPLE = {
  name: "the worked example",
  ...pairedRun(EXAMPLE_BASELINE, EXAMPLE_CANDIDATE, { low: 0, high: 1 }),
  lowerIsBetter: false,
  options: {
    bar: 0.7,
    alpha: 0.05,
    method: "bootstrap",
    guard: "warn",
    margin: null,
    cannotTell: "note",
    rule: "bands",
  },
  edges: null,
  isFixed: false,
  isOn: { threshold: true, regression: true, drift: true },
  others: [],
  notes: [],
};

/**
 * What can be recomputed of a report, one entry a suite and metric.
 *
 * @param {object} data the parsed JSON report.
 * @returns {{runs: object[], refused: {name: string, why: string}[]}}
 */
export function runsOf(data) {
  const [runs, refused] = [[], []];
  for (const suite of data.suites) {
    const metrics = Object.entries(suite.items.metrics);
    if (metrics.length === 0) refused.push({ name: suite.name, why: "it has no scores of items to move" });
    for (const [metric, column] of metrics) {
      const name = data.suites.length > 1 ? `${suite.name}: ${metric}` : metric;
      const settings = settingsOf(data, suite.name);
      const why = refusal(suite, column, settings);
      if (why === "") runs.push({ name, ...runOf(data, suite, metric, settings) });
      else refused.push({ name, why });
    }
  }
  return { runs, refused };
}

function settingsOf(data, name) {
  const suites = data.provenance.options.suites ?? [];
  return suites.find((suite) => name === suite.name || name.startsWith(`${suite.name}/`)) ?? {};
}

function refusal(suite, column, settings) {
  const { items } = suite;
  if (settings.paired === false) return "the two runs are of different items";
  if (items.groups.length > 0) return "its items come in groups, and counts do not tell which group changes";
  if (items.strata.length > 0 || items.weights.length > 0)
    return "its items have strata or weights, which counts do not hold";
  const { before, now } = scoredItems(suite, column);
  if (now.length === 0) return "no item is scored";
  if (now.length > MOST_ITEMS) return `it has more than ${MOST_ITEMS} items`;
  const scores = distinct(before, now, scaleOf(column));
  if (scores.length > MOST_SCORES) return `it has more than ${MOST_SCORES} different scores`;
  return findLattice(scores, now.length) === null ? NO_LATTICE : "";
}

/** The scores of the items that both runs have a score for; without a baseline, that the candidate has one for. */
function scoredItems(suite, column) {
  const [before, now] = [[], []];
  column.candidate.forEach((score, index) => {
    const other = column.baseline[index];
    if (column.status[index] !== "scored" || score === null) return;
    if (suite.baseline !== null && other === null) return;
    now.push(score);
    if (suite.baseline !== null) before.push(other);
  });
  return { before, now };
}

function scaleOf(column) {
  return column.scale === null ? null : { low: column.scale[0], high: column.scale[1] };
}

/** The scores that occur, and the ends of the scale: nothing could be moved there otherwise. */
function distinct(before, now, scale) {
  const ends = scale === null ? [] : [scale.low, scale.high];
  return [...new Set([...before, ...now, ...ends])].sort((left, right) => left - right);
}

function pairedRun(before, now, scale) {
  const scores = distinct(before, now, scale);
  const place = new Map(scores.map((score, index) => [score, index]));
  const counts = scores.map(() => 0);
  for (const score of now) counts[place.get(score)]++;
  if (before.length === 0) return { scores, counts, table: null, scale };
  const table = scores.map(() => scores.map(() => 0));
  before.forEach((score, index) => table[place.get(score)][place.get(now[index])]++);
  return { scores, counts, table, scale };
}

function runOf(data, suite, metric, settings) {
  const column = suite.items.metrics[metric];
  const { before, now } = scoredItems(suite, column);
  const run = pairedRun(before, now, scaleOf(column));
  const resultOf = (check) => suite.results.find((result) => result.check === check && result.metric === metric);
  const results = { threshold: resultOf("threshold"), regression: resultOf("regression"), drift: resultOf("drift") };
  const { threshold, regression, drift } = settings.checks ?? {};
  return {
    ...run,
    lowerIsBetter: column.direction === "lower",
    options: {
      bar: results.threshold?.figures.bar ?? null,
      alpha: threshold?.alpha ?? 0.05,
      method: threshold?.method === "exact" ? "exact" : "bootstrap",
      guard: threshold?.guard ?? "warn",
      margin: results.regression?.figures.margin ?? null,
      cannotTell: regression?.cannot_tell ?? "note",
      rule: drift?.rule ?? "calibrated",
    },
    edges: edgesOf(run, drift),
    isFixed: occurring(run).length > MOST_BUCKETS,
    isOn: {
      threshold: results.threshold !== undefined,
      regression: results.regression !== undefined,
      drift: results.drift !== undefined,
    },
    others: othersOf(suite, metric),
    notes: notesOf(data, results, now.length, threshold),
  };
}

/** What the report's other checks found amiss, which counts do not tell. */
function othersOf(suite, metric) {
  return suite.results.filter(
    ({ check, status, metric: own }) =>
      !MOVED.includes(check) && ["fail", "warn"].includes(status) && (own === null || own === metric),
  );
}

/** The scores that any item has. */
function occurring({ scores, counts, table }) {
  const before = table === null ? counts : marginsOf(table).rows;
  return scores.filter((_, index) => counts[index] + before[index] > 0);
}

function edgesOf(run, drift) {
  if (drift?.edges || run.table === null) return drift?.edges ?? null;
  const quantiles = drift?.quantiles ?? (occurring(run).length > MOST_BUCKETS ? DECILES : null);
  return quantiles === null ? null : quantileEdges(run.scores, marginsOf(run.table).rows, quantiles);
}

/** In what this panel is not the report. */
function notesOf(data, { threshold, regression }, n, options) {
  const judged = threshold?.figures.n ?? regression?.figures.n ?? n;
  const tests = sum(data.suites.map((suite) => suite.results.filter((result) => result.check === "regression").length));
  return [
    judged === n ? "" : `The report judged ${judged} items; here are the ${n} that every run has a score for.`,
    tests > 1 ? `The report shares its error rate among ${tests} tests; here this one stands alone.` : "",
    options?.method === "resample"
      ? "The report resampled at random; here the same bootstrap is computed exactly."
      : "",
  ].filter((note) => note !== "");
}

/** The buckets of drift that a run's scores lie in. */
export function driftBuckets({ scores, edges }) {
  return bucketsOf(scores, edges);
}
