// Scores on a lattice (0/1, halves, integers, hundredths), as gate/stats/lattice.py has it: whole steps of one fraction,
// so that sums and comparisons are exact.

// The share of a score, or of one unit where it is less, that is rounding.
export const ROUNDING = 1e-12;
const MAX_DENOMINATOR = 10_000;
// Whole numbers up to here are doubles with a digit to spare.
const MAX_STEPS = 2 ** 51;

/**
 * The values as whole numbers of one step.
 *
 * @param {number[]} values finite, one or more.
 * @param {number} n how many draws of them are summed: their sums must stay exact.
 * @returns {{steps: number[], denominator: number} | null} null where they lie on no lattice this coarse.
 */
export function findLattice(values, n) {
  const largest = Math.max(...values.map(Math.abs));
  if (largest > 0 && largest <= ROUNDING) return null;
  let denominator = 1;
  for (const value of values) {
    const own = denominatorOf(value);
    if (own === null) return null;
    denominator = (denominator / gcd(denominator, own)) * own;
    if (denominator * Math.max(1, largest) * n > MAX_STEPS) return null;
  }
  return { steps: values.map((value) => Math.round(value * denominator) + 0), denominator };
}

/** The greatest common divisor of two whole numbers. */
export function gcd(a, b) {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}

/** The denominator of the first continued fraction that is the value up to rounding; null beyond 10 000. */
function denominatorOf(value) {
  const tolerance = ROUNDING * Math.max(1, Math.abs(value));
  let [before, now] = [0, 1];
  let rest = value;
  let [numeratorBefore, numerator] = [1, Math.floor(rest)];
  while (Math.abs(numerator / now - value) > tolerance) {
    const fraction = rest - Math.floor(rest);
    if (fraction === 0) return null;
    rest = 1 / fraction;
    const whole = Math.floor(rest);
    [numeratorBefore, numerator] = [numerator, whole * numerator + numeratorBefore];
    [before, now] = [now, whole * now + before];
    if (now > MAX_DENOMINATOR) return null;
  }
  return now;
}
