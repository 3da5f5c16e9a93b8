// Threshold, regression and drift on counts of scores, and the verdict, as gate/checks and gate/verdict.py decide them.

import { bootstrapMean } from "./bootstrap.js";
import { exactInterval, exactP } from "./exact.js";
import { findLattice } from "./lattice.js";
import { differencesOf } from "./pairing.js";
import { MODERATE, SIGNIFICANT, bandOf, psi } from "./psi.js";
import { signFlipP, smallestDetectableDrop, tallyPairs } from "./sign_flips.js";
import { marginsOf, sum } from "./sums.js";
import { swapTest } from "./swaps.js";
import { count, limit, number, numberBeside, probability } from "./wording.js";

// An unchanged run may be blocked in 5 % of cases: one half by the regression test, one half by the drift test.
export const ERROR_SHARE = 0.025;
const ALPHA = 0.05;

/** What cannot be recomputed, in a sentence for the reader. */
export class TooFineError extends Error {}

/**
 * Judge a candidate by the counts of its scores.
 *
 * @param {object} run
 * @param {number[]} run.scores (k) the distinct scores, rising.
 * @param {number[]} run.counts (k) of the candidate.
 * @param {number[][] | null} run.table (k, k) the pairs with the baseline; null without a baseline.
 * @param {{low: number, high: number} | null} run.scale the lowest and the highest possible score, where they are known.
 * @param {boolean} run.lowerIsBetter
 * @param {object} options
 * @param {number | null} options.bar
 * @param {number} options.alpha two-sided error of the interval.
 * @param {"bootstrap" | "exact"} options.method
 * @param {"warn" | "fail" | "off"} options.guard
 * @param {number | null} options.margin the tolerable drop.
 * @param {"note" | "warn" | "fail"} options.cannotTell
 * @param {"calibrated" | "bands"} options.rule of drift.
 * @param {number[]} options.buckets (k) the bucket of drift that each score lies in, from 0 on.
 * @returns {{verdict: string, threshold: object, regression: object, drift: object}}
 *
 * @throws {TooFineError} where the scores lie on no lattice that is coarse enough for so many items.
 */
export function judge(run, options) {
  const lattice = latticeOf(run);
  const threshold = judgeThreshold(run, options, lattice);
  const regression = run.table === null ? NO_BASELINE : judgeRegression(run, options, lattice);
  const drift = run.table === null ? NO_BASELINE : judgeDrift(run, options, regression);
  return { verdict: verdictOf([threshold, regression, drift]), threshold, regression, drift };
}

const NO_BASELINE = { status: "not_run", reason: "no-baseline", sentence: "no baseline to compare with", figures: {} };

/** BLOCK where any check fails, else WARN where any warns, else PASS. */
export function verdictOf(results) {
  const has = (status) => results.some((result) => result.status === status);
  if (has("fail")) return "BLOCK";
  return has("warn") ? "WARN" : "PASS";
}

function latticeOf({ scores, counts }) {
  const lattice = findLattice(scores, sum(counts));
  if (lattice === null) throw new TooFineError("these scores lie on no lattice, which this panel needs");
  return lattice;
}

function bootstrap(steps, counts, denominator) {
  const found = bootstrapMean(steps, counts, denominator);
  if (found === null) throw new TooFineError("these scores are too fine for so many items to be recomputed here");
  return found;
}

function judgeThreshold(run, options, lattice) {
  const sign = run.lowerIsBetter ? -1 : 1;
  const turned = lattice.steps.map((step) => sign * step + 0);
  const resampled = bootstrap(turned, run.counts, lattice.denominator);
  const interval = resampled.interval(options.alpha);
  const exact = exactOf(run, sign, options);
  const base = {
    mean: sign * resampled.mean + 0,
    n: sum(run.counts),
    bar: options.bar,
    ...bootstrapOf(interval, sign),
  };
  if (options.bar === null) {
    return {
      status: "not_run",
      reason: "no-bar",
      sentence: "no bar checked",
      figures: { ...base, ...figuresOf(exact, sign) },
    };
  }
  const isSpread = run.counts.filter((number) => number > 0).length > 1;
  const exactInCharge = exact !== null && (options.method === "exact" || (isSpread && interval.low === interval.high));
  const inCharge = turnedInterval(exactInCharge ? exact : interval, sign);
  const pAtBar = exactInCharge ? exact.p : resampled.massBelow(sign * options.bar);
  const figures = { ...base, ...figuresOf(exact, sign), low: inCharge.low, high: inCharge.high, pAtBar };
  return { ...thresholdOutcome(figures, run.lowerIsBetter, options), figures };
}

function exactOf({ scores, counts, scale, lowerIsBetter }, sign, { alpha, bar }) {
  if (scale === null) return null;
  const [lowest, highest] = lowerIsBetter ? [-scale.high, -scale.low] : [scale.low, scale.high];
  const values = scores.map((score) => sign * score);
  const interval = exactInterval(values, counts, { lowest, highest, alpha });
  return { ...interval, p: bar === null ? null : exactP(values, counts, sign * bar, lowest) };
}

function bootstrapOf(interval, sign) {
  const { low, high } = turnedInterval(interval, sign);
  return { bootstrapLow: low, bootstrapHigh: high };
}

function figuresOf(exact, sign) {
  if (exact === null) return { exactLow: null, exactHigh: null, exactP: null };
  const { low, high } = turnedInterval(exact, sign);
  return { exactLow: low, exactHigh: high, exactP: exact.p };
}

function turnedInterval({ low, high }, sign) {
  return sign > 0 ? { low, high } : { low: -high + 0, high: -low + 0 };
}

function thresholdOutcome(figures, lowerIsBetter, { bar, alpha, guard }) {
  const [end, nearer, side] = lowerIsBetter ? ["high", figures.high, "over"] : ["low", figures.low, "under"];
  const told = `${end} ${numberBeside(nearer, bar)}`;
  const named = `the ${lowerIsBetter ? "ceiling" : "bar"} ${limit(bar)}`;
  const isProven = figures.exactP === null || figures.exactP <= alpha / 2;
  if (figures.pAtBar > alpha / 2) return outcome("fail", `${end}-${side}-bar`, `${told} is ${side} ${named}`);
  if (isProven || guard === "off") return outcome("pass", "clears-bar", `${told} clears ${named}`);
  const sentence = `${told} clears ${named} by the bootstrap, not proven at n = ${figures.n}`;
  return outcome(guard === "warn" ? "warn" : "fail", "not-proven", sentence);
}

function judgeRegression(run, options, lattice) {
  const sign = run.lowerIsBetter ? -1 : 1;
  const { steps, counts, n } = differencesOf(
    run.table,
    lattice.steps.map((step) => sign * step),
  );
  const resampled = bootstrap(steps, counts, lattice.denominator);
  const interval = resampled.interval(ALPHA);
  const isCertain = interval.low === interval.high;
  const values = steps.map((step) => step / lattice.denominator);
  const exact = exactOfDifferences(values, counts, run.scale, options.margin ?? 0);
  const p = signFlipP(steps, counts);
  if (p === null) throw new TooFineError("these scores are too fine for so many items to be recomputed here");
  const figures = {
    delta: resampled.mean,
    p,
    n,
    ...tallyPairs(steps, counts),
    ...(isCertain && exact !== null ? { low: exact.low, high: exact.high } : interval),
    exactLow: exact?.low ?? null,
    exactHigh: exact?.high ?? null,
    pAtMargin: exact === null || options.margin === null ? null : exact.p,
    drop: smallestDetectableDrop(values, counts),
  };
  const byBootstrap = !isCertain && interval.low >= -options.margin;
  const noWorse = options.margin !== null && (exact === null ? byBootstrap : exact.p <= ALPHA / 2);
  const result = regressionOutcome(figures, noWorse, run.lowerIsBetter, options);
  return { ...result, figures: { ...figures, drop: showsNone(n) ? null : figures.drop } };
}

/** So few pairs show no drop whatever: not even all of them falling is unlikely enough. */
function showsNone(n) {
  return 0.5 ** n > ERROR_SHARE;
}

function exactOfDifferences(values, counts, scale, margin) {
  if (scale === null) return null;
  const width = scale.high - scale.low;
  const interval = exactInterval(values, counts, { lowest: -width, highest: width, alpha: ALPHA });
  return { ...interval, p: exactP(values, counts, -margin, -width) };
}

function regressionOutcome(figures, noWorse, lowerIsBetter, { margin, cannotTell }) {
  const { delta, p, n, drop, wins, losses } = figures;
  const word = lowerIsBetter ? "rise" : "drop";
  if (noWorse) return outcome("pass", "no-worse", `no worse than the margin ${limit(margin)}: delta ${number(delta)}`);
  if (p <= ERROR_SHARE) {
    return outcome("fail", "regression-shown", `the candidate is worse: delta ${number(delta)}, p ${probability(p)}`);
  }
  if (0.5 ** (wins + losses) > ERROR_SHARE && delta < 0 && -delta >= (drop ?? 0)) {
    const sentence = `so few changes cannot show the ${word} that is seen: delta ${number(delta)}`;
    return outcome("warn", "too-few-changes", sentence);
  }
  if (margin === null) {
    const could = drop && !showsNone(n) ? `; ${count(n, "pair")} can show a ${word} of ${number(drop)}` : "";
    return outcome("pass", "no-regression-shown", `no regression shown: delta ${number(delta)}${could}`);
  }
  const status = cannotTell === "note" ? (delta >= -margin ? "pass" : "warn") : cannotTell;
  const sentence = `cannot tell at this n whether the margin ${limit(margin)} holds: delta ${number(delta)}`;
  return outcome(status, "cannot-tell", sentence);
}

function judgeDrift(run, { rule, buckets }, regression) {
  const table = bucketed(run.table, buckets);
  const { rows, columns } = marginsOf(table);
  const index = psi(rows, columns);
  const test = swapTest(table);
  const isBetter = improvementP(run.table, run) <= ERROR_SHARE;
  const figures = { psi: index.value, band: bandOf(index.value), ...test, n: regression.figures.n };
  const result = driftOutcome(index.value, rule === "calibrated" && test.p > ERROR_SHARE, isBetter);
  return { ...result, figures, baseline: rows, candidate: columns, contributions: index.contributions };
}

function improvementP(table, run) {
  const sign = run.lowerIsBetter ? 1 : -1;
  const { steps, counts } = differencesOf(
    table,
    latticeOf(run).steps.map((step) => sign * step),
  );
  return signFlipP(steps, counts);
}

/** The pairs by bucket of drift in place of score. */
function bucketed(table, buckets) {
  const k = Math.max(...buckets) + 1;
  const found = Array.from({ length: k }, () => Array(k).fill(0));
  table.forEach((row, before) => row.forEach((number, now) => (found[buckets[before]][buckets[now]] += number)));
  return found;
}

function driftOutcome(value, isByChance, isBetter) {
  if (value <= MODERATE) {
    return outcome("pass", "stable", `PSI ${numberBeside(value, MODERATE)} is at most ${limit(MODERATE)}`);
  }
  const over = value > SIGNIFICANT ? SIGNIFICANT : MODERATE;
  const sentence = `PSI ${numberBeside(value, over)} is over ${limit(over)}`;
  if (isByChance) return outcome("pass", "chance", `${sentence}, which chance explains at this n`);
  if (value <= SIGNIFICANT) return outcome("warn", "moderate-drift", sentence);
  if (isBetter) return outcome("warn", "drift-by-improvement", `${sentence}, and the candidate is shown better`);
  return outcome("fail", "significant-drift", sentence);
}

function outcome(status, reason, sentence) {
  return { status, reason, sentence };
}
