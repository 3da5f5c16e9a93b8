// The population stability index between two score distributions, as gate/stats/psi.py has it.

export const MODERATE = 0.1;
export const SIGNIFICANT = 0.25;
// Scores equal to this many decimals, or digits where they are above 1, are on the same side of an edge.
const NOISE = 1e-12;

/**
 * The sum of (pA - pB) ln(pA / pB) over buckets. Buckets empty in both runs are dropped; where one is empty in one run,
 * 1/2 is added to every bucket that is left.
 *
 * @param {number[]} baseline (k) counts.
 * @param {number[]} candidate (k) counts.
 * @returns {{value: number, contributions: number[], smoothed: boolean}}
 *
 * Source: the symmetrised Kullback-Leibler divergence (Jeffreys 1946) with the bands of credit scoring (Siddiqi 2006).
 */
export function psi(baseline, candidate) {
  const isSmoothed = baseline.some((count, index) => (count === 0) !== (candidate[index] === 0));
  // a loop without helpers: the swap test asks ten thousand times
  const half = isSmoothed ? 0.5 : 0;
  let [n, m, value] = [0, 0, 0];
  for (let index = 0; index < baseline.length; index++) {
    const isHeld = baseline[index] > 0 || candidate[index] > 0;
    n += isHeld ? baseline[index] + half : 0;
    m += isHeld ? candidate[index] + half : 0;
  }
  const contributions = [];
  for (let index = 0; index < baseline.length; index++) {
    const isHeld = baseline[index] > 0 || candidate[index] > 0;
    const [before, now] = [(baseline[index] + half) / n, (candidate[index] + half) / m];
    contributions.push(isHeld ? (before - now) * Math.log(before / now) : 0);
    value += contributions[index];
  }
  return { value, contributions, smoothed: isSmoothed };
}

/** The band that a PSI is read by. */
export function bandOf(value) {
  if (value > SIGNIFICANT) return "significant";
  return value > MODERATE ? "moderate" : "stable";
}

/** The bucket of each score: its own, or with rising inner edges the one between them; an edge belongs to the upper. */
export function bucketsOf(scores, edges) {
  if (edges === null) return scores.map((_, index) => index);
  const lowered = edges.map((edge) => edge - NOISE * Math.max(1, Math.abs(edge)));
  return scores.map((score) => lowered.filter((edge) => edge <= score).length);
}

/**
 * So many quantiles of counted scores, by linear interpolation; those that coincide are one.
 *
 * @param {number[]} scores rising.
 * @param {number[]} counts how many items have each.
 * @param {number} number of buckets, >= 2.
 */
export function quantileEdges(scores, counts, number) {
  const sorted = scores.flatMap((score, index) => Array(counts[index]).fill(score));
  const edges = Array.from({ length: number - 1 }, (_, index) => {
    const at = ((sorted.length - 1) * (index + 1)) / number;
    const below = sorted[Math.floor(at)];
    return below + (at - Math.floor(at)) * (sorted[Math.ceil(at)] - below);
  });
  return [...new Set(edges)];
}
