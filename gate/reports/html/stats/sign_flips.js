// Paired differences on a lattice, as gate/stats/paired.py and sign_flips.py have them: the sign-flip test and what a
// sample of pairs could have shown.

import { powerOfTwo, transform } from "./fourier.js";
import { gcd } from "./lattice.js";
import { dot, sum } from "./sums.js";

// So many standard deviations from zero lies less than 1e-16 of the sums, whatever the sizes (Hoeffding's inequality).
const REACH = 8.7;
const MAX_WORK = 20_000_000;
// No method here tells smaller probabilities apart.
const LEAST_P = 1e-16;
const Z_ONE_SIDED = 1.959963984540054;
const Z_POWER = 0.8416212335729143;
const HALVINGS = 60;

/**
 * P(sum of +-steps <= the observed sum): every difference may as well have had the other sign if the runs are alike.
 *
 * @param {number[]} steps whole numbers, the distinct differences; positive is better.
 * @param {number[]} counts how many pairs have each.
 * @returns {number | null} in [1e-16, 1]; 1 where no pair differs; null where the lattice is too fine for so many pairs.
 *
 * Source: Fisher, The Design of Experiments (1935), section 21; on pass/fail scores the exact McNemar test.
 */
export function signFlipP(steps, counts) {
  const moved = steps.map((step, index) => ({ step, count: counts[index] })).filter(({ step, count }) => step && count);
  if (moved.length === 0) return 1;
  const unit = moved.reduce((divisor, { step }) => gcd(divisor, step), 0);
  const sizes = new Map();
  for (const { step, count } of moved) {
    const size = Math.abs(step) / unit;
    sizes.set(size, (sizes.get(size) ?? 0) + count);
  }
  const window = windowOf(sizes);
  if (window * sizes.size > MAX_WORK) return null;
  const pmf = distributionOfSigns(sizes, window);
  const observed = sum(moved.map(({ step, count }) => (step / unit) * count));
  const upTo = Math.max(0, observed + window / 2 + 1);
  return Math.min(1, Math.max(LEAST_P, sum(pmf.subarray(0, upTo)) / sum(pmf)));
}

/** The power of two that holds every sum, or all but 1e-16 of their mass where that is less. */
function windowOf(sizes) {
  let [furthest, squares] = [0, 0];
  for (const [size, count] of sizes) {
    furthest += size * count;
    squares += size ** 2 * count;
  }
  return powerOfTwo(2 * Math.min(furthest, Math.ceil(REACH * Math.sqrt(squares))) + 2);
}

/** The probabilities of the sums from -window / 2 on: the transform of the product of cosines. */
function distributionOfSigns(sizes, window) {
  const real = new Float64Array(window).fill(1);
  for (const [size, count] of sizes) {
    for (let index = 0; index < window; index++) {
      real[index] *= Math.cos((2 * Math.PI * ((size * index) % window)) / window) ** count;
    }
  }
  transform(real, new Float64Array(window));
  const half = window / 2;
  return real.map((_, index) => Math.max(0, real[(index + half) % window]));
}

/** How many pairs got better, got worse, or stayed the same. */
export function tallyPairs(steps, counts) {
  const total = (isCounted) => sum(counts.filter((_, index) => isCounted(steps[index])));
  return {
    wins: total((step) => step > 0),
    losses: total((step) => step < 0),
    ties: total((step) => step === 0),
  };
}

/**
 * The drop of the mean that as many pairs as noisy as these would show, at one-sided 2.5 %, 80 % of the time.
 *
 * @param {number[]} values the distinct differences.
 * @param {number[]} counts how many pairs have each.
 * @returns {number | null} null where fewer than two pairs or no spread leave it unknown.
 *
 * Source: z.975 times the standard error without the drop and z.80 times that with it, as for McNemar's test in Lachin,
 * Power and Sample Size Evaluation for the McNemar Test (1992).
 */
export function smallestDetectableDrop(values, counts) {
  const n = sum(counts);
  const kinds = counts.filter((count) => count > 0).length;
  const moved = sum(counts.filter((_, index) => values[index] !== 0));
  if (n < 2 || kinds < 2 || moved === 0) return null;
  const fall = dot(values.map(Math.abs), counts) / moved;
  const mean = dot(values, counts) / n;
  const variance =
    dot(
      values.map((value) => (value - mean) ** 2),
      counts,
    ) /
    (n - 1);
  const reach = (drop) => {
    const noise = variance + fall * drop;
    return (Z_ONE_SIDED * Math.sqrt(noise) + Z_POWER * Math.sqrt(Math.max(0, noise - drop ** 2))) / Math.sqrt(n);
  };
  // the drop enters its own noise: where it is as large as what it reaches, found by halving
  let [low, high] = [0, (Z_ONE_SIDED + Z_POWER) * Math.sqrt(variance / n)];
  while (reach(high) > high) [low, high] = [high, 2 * high];
  for (let round = 0; round < HALVINGS; round++) {
    const middle = (low + high) / 2;
    if (reach(middle) > middle) low = middle;
    else high = middle;
  }
  return high;
}
