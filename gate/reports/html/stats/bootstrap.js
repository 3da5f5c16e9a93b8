// The percentile bootstrap of a mean of scores on a lattice, computed exactly by one convolution, as
// gate/stats/bootstrap.py has it.

import { gcd } from "./lattice.js";
import { powerOfTwo, transform } from "./fourier.js";
import { sum } from "./sums.js";

// The longest transform; the gate goes over to a grid there, which this does not.
const MAX_WINDOW = 2 ** 20;
// Outside the window lies less than this share of the distribution.
const TAIL = 1e-16;

/**
 * The resampling distribution of the mean of n scores.
 *
 * @param {number[]} steps whole numbers, the distinct scores in steps of 1/denominator.
 * @param {number[]} counts how many items have each, >= 0, together n >= 1.
 * @param {number} denominator steps a unit.
 * @returns {{mean: number, massBelow: (limit: number) => number, interval: (alpha: number) => {low: number, high: number}}
 *   | null} null where the transform would be too long.
 *
 * Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), section 13.3 (the percentile interval);
 * the convolution replaces its Monte Carlo step.
 */
export function bootstrapMean(steps, counts, denominator) {
  const held = steps.map((step, index) => ({ step, count: counts[index] })).filter(({ count }) => count > 0);
  const n = sum(held.map(({ count }) => count));
  const lowest = Math.min(...held.map(({ step }) => step));
  const stride = held.reduce((divisor, { step }) => gcd(divisor, step - lowest), 0) || 1;
  const draws = held.map(({ step, count }) => ({ point: (step - lowest) / stride, weight: count / n }));
  const sums = distributionOfSum(draws, n);
  if (sums === null) return null;
  const meanAt = (index) => (lowest * n + (sums.first + index) * stride) / (denominator * n) + 0;
  const last = sums.pmf.length - 1;
  return {
    mean: sum(held.map(({ step, count }) => step * count)) / (denominator * n) + 0,
    massBelow: (limit) =>
      Math.min(
        1,
        runningSum(sums.pmf, (index) => meanAt(index) < limit),
      ),
    interval: (alpha) => ({
      low: meanAt(firstOver(alpha / 2, (index) => sums.pmf[index])),
      high: meanAt(last - firstOver(alpha / 2, (index) => sums.pmf[last - index])),
    }),
  };
}

/** The probabilities of the sum of n draws, within a window that holds all but 1e-16 of the mass. */
function distributionOfSum(draws, n) {
  const own = sum(draws.map(({ point, weight }) => point * weight));
  const variance = n * sum(draws.map(({ point, weight }) => weight * (point - own) ** 2));
  const most = Math.max(...draws.map(({ point }) => point));
  const size = powerOfTwo(
    Math.min(n * most + 1, 2 * Math.ceil(bernsteinRadius(variance, Math.max(own, most - own))) + 3),
  );
  if (size > MAX_WINDOW) return null;
  const first = n * most < size ? 0 : Math.max(0, Math.floor(n * own) - size / 2);
  // moved to the middle, the transform's phases are small, and raising it to a power loses no digits
  const centre = Math.round(own);
  const real = new Float64Array(size);
  const imaginary = new Float64Array(size);
  for (const { point, weight } of draws) real[modulo(point - centre, size)] += weight;
  transform(real, imaginary);
  raise(real, imaginary, n);
  transform(real, imaginary);
  return { pmf: unrolled(real, n * centre - first, Math.min(size, n * most - first + 1)), first };
}

/** How far a sum of this variance, of terms within `reach`, strays with probability at most 1e-16. */
function bernsteinRadius(variance, reach) {
  const logTail = Math.log(2 / TAIL);
  const linear = (logTail * reach) / 3;
  return linear + Math.sqrt(linear ** 2 + 2 * logTail * variance);
}

/** Complex numbers to the power n, conjugated: the transform of conjugates is the inverse one of a real sequence. */
function raise(real, imaginary, n) {
  for (let index = 0; index < real.length; index++) {
    const size = Math.hypot(real[index], imaginary[index]) ** n;
    const angle = n * Math.atan2(imaginary[index], real[index]);
    real[index] = size * Math.cos(angle);
    imaginary[index] = -size * Math.sin(angle);
  }
}

/** The sequence from its start in the circle on, without rounding's negative parts, summing to 1. */
function unrolled(circle, moved, length) {
  const pmf = Float64Array.from({ length }, (_, index) => Math.max(0, circle[modulo(index - moved, circle.length)]));
  const total = sum(pmf);
  return pmf.map((probability) => probability / total);
}

function runningSum(pmf, isIncluded) {
  let total = 0;
  for (let index = 0; index < pmf.length && isIncluded(index); index++) total += pmf[index];
  return total;
}

/** The first index whose running sum is over the limit. */
function firstOver(limit, probability) {
  let index = 0;
  for (let total = probability(0); total <= limit; total += probability(index)) index++;
  return index;
}

function modulo(number, size) {
  return ((number % size) + size) % size;
}
