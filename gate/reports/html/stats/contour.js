// The probability that a weighted sum of gamma variables is not positive, by inversion along a saddlepoint contour, step
// by step as gate/stats/contour.py has it.

import { dot, sum } from "./sums.js";

// Terms smaller than this share of the largest are zero: no probability that a double holds depends on them.
const LEAST_RATIO = 1e-290;
const MOST_NEWTON_STEPS = 100;
const NEWTON_TOLERANCE = 1e-10;
// Twice the width of the peak: narrow enough to resolve it, wide enough to leave it in few steps.
const PEAK_WIDTHS = 2;
// Steeper, and a sum of many small terms, which is nearly normal, would grow along the arms instead of dying away.
const MOST_BEND = Math.PI / 4;
const STEP_SIZES = [0.08, 0.04, 0.02, 0.01];
const OTHER_BENDS = [0.4, -0.4, MOST_BEND, -MOST_BEND, 0];
const BLOCK = 16;
const MOST_BLOCKS = 64;
// What is left beyond a term this small is smaller still: from there, a way straight up the plane only falls.
const NEGLIGIBLE = 1e-17;
const TOLERANCE = 1e-10;

/**
 * P(sum of weights_j * G_j <= 0) for independent gamma variables G_j of scale 1.
 *
 * @param {number[]} weights finite, of either sign; zeros do not count.
 * @param {number[]} shapes each > 0, together at least 1: m for a sum of m exponential variables.
 * @returns {number} in [0, 1]; 1 where all weights are zero.
 *
 * Source: Lugannani and Rice, Saddle Point Approximation for the Distribution of the Sum of Independent Random Variables
 * (1980); the hyperbola of Weideman and Trefethen, Parabolic and Hyperbolic Contours (2007).
 */
export function nonpositiveProbability(weights, shapes) {
  const largest = Math.max(...weights.map(Math.abs));
  const held = weights.map((weight, index) => [weight / largest, shapes[index]]);
  const kept = largest > 0 ? held.filter(([weight]) => Math.abs(weight) > LEAST_RATIO) : [];
  const scaled = kept.map(([weight]) => weight);
  const own = kept.map(([, shape]) => shape);
  if (scaled.every((weight) => weight < 0)) return 1;
  if (scaled.every((weight) => weight > 0)) return 0;
  // of the two tails the one that does not hold the mean, for the other is one less it
  if (dot(scaled, own) >= 0) return Math.min(1, smallerTail(scaled, own));
  return Math.max(
    0,
    1 -
      smallerTail(
        scaled.map((weight) => -weight),
        own,
      ),
  );
}

/** The same for weights of both signs whose sum has a mean >= 0. */
function smallerTail(given, shapes) {
  const least = -Math.min(...given);
  const weights = given.map((weight) => weight / least);
  const crossing = findSaddle(weights, shapes);
  // in units in which the line crosses at -1: the pole at 0 is then one more weight of 1 once the rest is tilted
  const lengths = weights.map((weight) => -crossing * weight);
  const tilted = [...lengths.map((length) => length / (1 + length)), 1];
  const logPeak = -dot(shapes, lengths.map(Math.log1p));
  return (Math.exp(logPeak) * integrate(tilted, [...shapes, 1])) / Math.PI;
}

/** The saddlepoint in (-1, 0), for weights whose minimum is -1: Newton's method comes down to it from one side. */
function findSaddle(weights, shapes) {
  const lowest = shapes[weights.indexOf(Math.min(...weights))];
  let point = -1 + lowest / (lowest + 1 + sum(shapes.filter((_, index) => weights[index] > 0)));
  for (let round = 0; round < MOST_NEWTON_STEPS; round++) {
    const rest = weights.map((weight) => 1 - point * weight);
    const ratios = weights.map((weight, index) => weight / rest[index]);
    const value = point * dot(shapes, ratios);
    const slope = dot(
      shapes,
      ratios.map((ratio, index) => ratio / rest[index]),
    );
    const change = (value - 1) / slope;
    point -= change;
    if (Math.abs(change) <= NEWTON_TOLERANCE * Math.abs(point)) break;
  }
  return point;
}

/** The real part of the integral of prod((1 - d * tilted) ** -shapes) by i, from d = 0, the saddlepoint, upwards. */
function integrate(tilted, shapes) {
  const spread = dot(
    shapes,
    tilted.map((weight) => weight ** 2),
  );
  const reach = PEAK_WIDTHS / Math.sqrt(spread);
  // sin(bend) / cos(bend)**2 is this where the hyperbola has the curvature of the path of steepest descent
  const turn =
    ((-2 / 3) *
      reach *
      dot(
        shapes,
        tilted.map((weight) => weight ** 3),
      )) /
    spread;
  const sine = (2 * turn) / (1 + Math.sqrt(1 + 4 * turn ** 2));
  const steepest = Math.max(-MOST_BEND, Math.min(MOST_BEND, Math.asin(sine)));
  let best = { value: Math.sqrt(Math.PI / 2 / spread), error: Infinity };
  // where terms of very different sizes make that path turn round further out, another bend follows it better
  const tries = [...pairsOf(STEP_SIZES.slice(0, 2), [steepest]), ...pairsOf(STEP_SIZES, OTHER_BENDS)];
  for (const [step, bend] of tries) {
    const found = sumAlong(reach, bend, step, tilted, shapes);
    if (found !== null && found.error < best.error) best = found;
    if (best.error <= TOLERANCE) break;
  }
  return best.value;
}

/** The trapezoid sum of this step; null where the integrand grows instead of dying away. */
function sumAlong(reach, bend, step, tilted, shapes) {
  const terms = [];
  for (let block = 0; block < MOST_BLOCKS; block++) {
    let least = Infinity;
    for (let index = block * BLOCK; index < (block + 1) * BLOCK; index++) {
      const found = termAt(reach, bend, step * index, tilted, shapes);
      if (found.log > 1) return null;
      terms.push(found.real);
      least = Math.min(least, found.size);
    }
    if (least < NEGLIGIBLE * reach) return judgeSum(terms, step);
  }
  return null;
}

/** The integrand times the slope of the contour reach * (sin(bend) * (1 - cosh u) + i cos(bend) * sinh u) over i. */
function termAt(reach, bend, at, tilted, shapes) {
  const real = reach * Math.sin(bend) * (1 - Math.cosh(at));
  const imaginary = reach * Math.cos(bend) * Math.sinh(at);
  let log = 0;
  let angle = 0;
  for (let index = 0; index < tilted.length; index++) {
    const [x, y] = [real * tilted[index], imaginary * tilted[index]];
    log -= 0.5 * Math.log1p(x * (x - 2) + y * y) * shapes[index];
    angle += Math.atan2(y, 1 - x) * shapes[index];
  }
  const slopeReal = reach * Math.cos(bend) * Math.cosh(at);
  const slopeImaginary = reach * Math.sin(bend) * Math.sinh(at);
  const factor = Math.exp(log);
  return {
    log,
    real: factor * (Math.cos(angle) * slopeReal - Math.sin(angle) * slopeImaginary),
    size: factor * Math.hypot(slopeReal, slopeImaginary),
  };
}

/** The sum and, as the bound of its relative error, what the sum of twice the step differs by. */
function judgeSum(terms, step) {
  terms[0] /= 2;
  const fine = step * sum(terms);
  const coarse = 2 * step * sum(terms.filter((_, index) => index % 2 === 0));
  return { value: fine, error: fine > 0 ? Math.abs(coarse - fine) / fine : Infinity };
}

function pairsOf(steps, bends) {
  return steps.flatMap((step) => bends.map((bend) => [step, bend]));
}
