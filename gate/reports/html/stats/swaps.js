// The paired permutation test of the PSI: each item's two scores may as well have come from the other run. Where
// gate/stats/swaps.py draws swaps at random beyond thirteen changed items, this takes all of them as long as it can.

import { MODERATE, SIGNIFICANT, psi } from "./psi.js";
import { marginsOf } from "./sums.js";

// Indices that differ by less are equal: they differ by rounding.
const TIE = 1e-12;
// So many different outcomes are still counted out; beyond, so many swaps are drawn.
const MOST_OUTCOMES = 200_000;
const DRAWS = 10_000;
const SEED = 20_260_101;

/**
 * What chance does to the PSI of two runs like these.
 *
 * @param {number[][]} table (k, k): how many items lie in bucket i in the baseline and in bucket j in the candidate.
 * @returns {{p: number, moderateShare: number, significantShare: number, drawn: boolean}} the probability of at least
 *   this PSI where nothing changed, and the shares of unchanged runs over the two bands; `drawn`: by random swaps.
 *
 * Source: Fisher, The Design of Experiments (1935), section 21.
 */
export function swapTest(table) {
  const { rows, columns } = marginsOf(table);
  const moves = movesOf(table);
  const both = rows.map((count, index) => count + columns[index]);
  // all units turned against the baseline: each swap turns one back
  const turned = rows.map((_, bucket) => (both[bucket] - netOf(moves, bucket)) / 2);
  const tally = { observed: psi(rows, columns).value, total: 0, atLeast: 0, moderate: 0, significant: 0 };
  const take = (baseline, weight) => tallyOne(tally, both, baseline, weight);
  const outcomes = moves.reduce((product, { units }) => product * (units + 1), 1);
  if (outcomes <= MOST_OUTCOMES) everyOutcome(moves, turned, 1, take);
  else drawnOutcomes(moves, turned, take);
  const drawn = outcomes > MOST_OUTCOMES;
  return {
    // of draws, the observed one is one more
    p: drawn ? (1 + tally.atLeast) / (1 + tally.total) : Math.min(1, tally.atLeast / tally.total),
    moderateShare: tally.moderate / tally.total,
    significantShare: tally.significant / tally.total,
    drawn,
  };
}

/** The ways in which items differ between the runs: from one bucket to another, or back. */
function movesOf(table) {
  const moves = [];
  for (let low = 0; low < table.length; low++) {
    for (let high = low + 1; high < table.length; high++) {
      const units = table[low][high] + table[high][low];
      if (units > 0) moves.push({ low, high, units });
    }
  }
  return moves;
}

function netOf(moves, bucket) {
  let net = 0;
  for (const { low, high, units } of moves) net += units * (Number(low === bucket) - Number(high === bucket));
  return net;
}

function tallyOne(tally, both, baseline, weight) {
  const value = psi(
    baseline,
    both.map((number, bucket) => number - baseline[bucket]),
  ).value;
  tally.total += weight;
  if (value >= tally.observed - TIE) tally.atLeast += weight;
  if (value > MODERATE) tally.moderate += weight;
  if (value > SIGNIFICANT) tally.significant += weight;
}

/** Every outcome with its probability: of each kind of move a binomial number of units is turned back. */
function everyOutcome(moves, baseline, weight, take) {
  if (moves.length === 0) {
    take(baseline, weight);
    return;
  }
  const [{ low, high, units }, ...others] = moves;
  const chances = halves(units);
  for (let back = 0; back <= units; back++) {
    const moved = [...baseline];
    moved[low] += back;
    moved[high] -= back;
    everyOutcome(others, moved, weight * chances[back], take);
  }
}

/** The probabilities of 0 to n heads. */
function halves(n) {
  const logs = [0];
  for (let heads = 1; heads <= n; heads++) logs.push(logs[heads - 1] + Math.log((n - heads + 1) / heads));
  return logs.map((log) => Math.exp(log - n * Math.LN2));
}

function drawnOutcomes(moves, turned, take) {
  const random = randomBits(SEED);
  for (let draw = 0; draw < DRAWS; draw++) {
    const baseline = [...turned];
    for (const { low, high, units } of moves) {
      const back = heads(units, random);
      baseline[low] += back;
      baseline[high] -= back;
    }
    take(baseline, 1);
  }
}

/** How many of n coins show heads: bits set among random ones. */
function heads(n, random) {
  let total = 0;
  for (let left = n; left > 0; left -= 32) total += bitsSet(left >= 32 ? random() : random() >>> (32 - left));
  return total;
}

/** The bits set in 32, added up in twos, fours and eights. */
function bitsSet(word) {
  const twos = word - ((word >>> 1) & 0x55555555);
  const fours = (twos & 0x33333333) + ((twos >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** A stream of 32 random bits each; source: mulberry32, Tommy Ettinger (2017), public domain. */
export function randomBits(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
