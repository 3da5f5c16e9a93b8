// The bound on a mean that holds at small n, as gate/stats/dirichlet.py has it: a quantile of the mean under Dirichlet
// weights; Clopper-Pearson on 0/1.

import { nonpositiveProbability } from "./contour.js";
import { ROUNDING } from "./lattice.js";
import { dot, sum } from "./sums.js";

const MOST_TRIALS = 100;
// A bound is found once the log-odds of its p-value are known to this, or its place to this share of the range.
const CLOSE = 1e-11;
const CLOSEST = 1e-13;
// The share of a gap that a step of the secant method may leave before it counts as stuck.
const PROGRESS = 0.75;
// Log-odds stay finite beyond these.
const LEAST_PROBABILITY = 1e-320;
const LEAST_DOUBT = 1e-16;

/**
 * The p-value of "the mean is below `limit`", valid at any number of items.
 *
 * @param {number[]} values the distinct scores, >= lowest.
 * @param {number[]} counts how many items have each, >= 0, together >= 1.
 * @param {number} limit at or below `lowest` the p-value is 0.
 * @param {number} lowest the lowest score there can be.
 *
 * Source: Gaffke (2005); Learned-Miller and Thomas, A New Confidence Interval for the Mean of a Bounded Random Variable
 * (2019), arXiv 1905.06208.
 */
export function exactP(values, counts, limit, lowest) {
  const held = heldOf(values, counts);
  return pOf(held, limit, lowest);
}

/** The means in [lowest, highest] that `exactP` does not refute at alpha / 2 from below, nor its mirror from above. */
export function exactInterval(values, counts, { lowest, highest, alpha }) {
  const held = heldOf(values, counts);
  const turned = { values: held.values.map((value) => -value), counts: held.counts };
  const within = (bound) => Math.min(highest, Math.max(lowest, bound)) + 0;
  return { low: within(lowerBound(held, lowest, alpha / 2)), high: within(-lowerBound(turned, -highest, alpha / 2)) };
}

function heldOf(values, counts) {
  const isHeld = (_, index) => counts[index] > 0;
  return { values: values.filter(isHeld), counts: counts.filter(isHeld) };
}

function pOf({ values, counts }, limit, lowest) {
  if (limit - lowest <= ROUNDING * Math.max(Math.abs(limit), Math.abs(lowest))) return 0;
  const excesses = values.map((value) => value - limit);
  return nonpositiveProbability([...excesses, lowest - limit], [...counts, 1]);
}

/** The mean at which the p-value is `tail`: the secant method on its log-odds, kept within a bracket. */
function lowerBound(sample, lowest, tail) {
  let [low, high] = [lowest, Math.max(...sample.values)];
  if (high - low <= ROUNDING * Math.max(Math.abs(low), Math.abs(high))) return lowest;
  const closest = CLOSEST * (high - low);
  let { at, slope } = firstGuess(sample, lowest, tail);
  if (!(low < at && at < high)) at = (low + high) / 2;
  let last = null;
  let trial = null;
  for (let round = 0; round < MOST_TRIALS; round++) {
    trial = { at, gap: logOdds(pOf(sample, at, lowest)) - logOdds(tail) };
    if (trial.gap > 0) high = at;
    else low = at;
    if (last !== null) slope = (trial.gap - last.gap) / (trial.at - last.at);
    at = slope > 0 ? trial.at - trial.gap / slope : NaN;
    const isFound = Math.abs(trial.gap) <= CLOSE || high - low <= closest || Math.abs(at - trial.at) <= closest;
    if (isFound) break;
    // where the secant hardly narrows the gap, halving the bracket is the quicker way
    const isStuck = last !== null && Math.abs(trial.gap) > PROGRESS * Math.abs(last.gap);
    if (!(low < at && at < high) || isStuck) at = (low + high) / 2;
    last = trial;
  }
  return trial.at;
}

function logOdds(probability) {
  const held = Math.min(1 - LEAST_DOUBT, Math.max(LEAST_PROBABILITY, probability));
  return Math.log(held) - Math.log1p(-held);
}

/** Where the log-odds of the p-value are about those of `tail`, and their slope there, both as if it were normal. */
function firstGuess({ values, counts }, lowest, tail) {
  const weight = 1 + sum(counts);
  const mean = (lowest + dot(counts, values)) / weight;
  const squares = dot(
    counts,
    values.map((value) => (value - mean) ** 2),
  );
  const sd = Math.sqrt(squares + (lowest - mean) ** 2) / weight;
  const deviates = 0.8 * Math.sqrt(Math.max(0, -2 * Math.log(2 * tail)));
  const at = Math.max(mean - deviates * sd, lowest + tail * (mean - lowest));
  return { at, slope: sd > 0 ? (deviates + 1.6 / (deviates + 1)) / sd : 0 };
}
