// What the modules of the what-if panel compute, held to published figures and to what must hold for any input.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bootstrapMean } from "../../gate/reports/html/stats/bootstrap.js";
import { exactInterval, exactP } from "../../gate/reports/html/stats/exact.js";
import { TooFineError, judge } from "../../gate/reports/html/stats/judge.js";
import { findLattice, gcd } from "../../gate/reports/html/stats/lattice.js";
import { differencesOf, movePairs, sortedPairs } from "../../gate/reports/html/stats/pairing.js";
import { bandOf, bucketsOf, psi, quantileEdges } from "../../gate/reports/html/stats/psi.js";
import { signFlipP, smallestDetectableDrop } from "../../gate/reports/html/stats/sign_flips.js";
import { marginsOf, sum } from "../../gate/reports/html/stats/sums.js";
import { randomBits, swapTest } from "../../gate/reports/html/stats/swaps.js";

const close = (actual, expected, by = 1e-9) =>
  assert.ok(Math.abs(actual - expected) <= by, `${actual} is not ${expected}`);
const HALVES = { steps: [0, 1, 2], denominator: 2 };

test("the published intervals of the worked example", () => {
  const a = bootstrapMean(HALVES.steps, [1, 2, 17], 2);
  const b = bootstrapMean(HALVES.steps, [3, 5, 12], 2);
  assert.deepEqual([a.mean, a.interval(0.05)], [0.9, { low: 0.775, high: 1 }]);
  assert.deepEqual([b.mean, b.interval(0.05)], [0.725, { low: 0.55, high: 0.875 }]);
});

test("the published resampling probabilities at a mean that the limit equals", () => {
  const found = bootstrapMean(HALVES.steps, [2, 4, 14], 2);
  close(found.massBelow(0.65), 0.0204, 5e-5);
  close(found.massBelow(0.6500001), 0.0395, 5e-5);
});

test("a bootstrap of one score has no width", () => {
  const found = bootstrapMean([1], [20], 1);
  assert.deepEqual(
    [found.mean, found.interval(0.05), found.massBelow(1), found.massBelow(1.01)],
    [1, { low: 1, high: 1 }, 0, 1],
  );
});

test("a lattice too fine for a transform is refused", () => {
  assert.equal(bootstrapMean([0, 1, 1_000_003], [5_000, 1, 5_000], 1), null);
});

test("the exact bound on right and wrong is Clopper and Pearson's", () => {
  const all = exactInterval([0, 1], [0, 20], { lowest: 0, highest: 1, alpha: 0.05 });
  close(all.low, 0.025 ** (1 / 20));
  assert.equal(all.high, 1);
  close(exactP([0, 1], [0, 20], 0.8, 0), 0.8 ** 20);
});

test("the published exact bound of run A", () => {
  const { low } = exactInterval([0, 0.5, 1], [1, 2, 17], { lowest: 0, highest: 1, alpha: 0.05 });
  close(low, 0.701466, 5e-7);
});

test("a limit at the end of the scale is never refuted", () => {
  assert.equal(exactP([0, 1], [3, 4], 0, 0), 0);
  assert.deepEqual(exactInterval([0], [5], { lowest: 0, highest: 1, alpha: 0.05 }).low, 0);
});

test("the published PSI, its symmetry, and its rule for empty buckets", () => {
  close(psi([1, 2, 17], [3, 5, 12]).value, 0.334, 5e-4);
  close(psi([1, 2, 17], [3, 5, 12]).value, psi([3, 5, 12], [1, 2, 17]).value, 1e-15);
  assert.equal(psi([4, 0, 6], [4, 0, 6]).value, 0);
  assert.equal(psi([4, 0, 6], [4, 0, 6]).smoothed, false);
  const [before, now] = [0.5 / 11, 3.5 / 11];
  close(psi([0, 10], [3, 7]).contributions[0], (before - now) * Math.log(before / now), 1e-15);
  assert.deepEqual([0.1, 0.10001, 0.25, 0.26].map(bandOf), ["stable", "moderate", "moderate", "significant"]);
});

test("an edge belongs to the bucket above it, up to rounding", () => {
  assert.deepEqual(bucketsOf([0, 0.1 + 0.2, 0.5], [0.3, 0.5]), [0, 1, 2]);
  assert.deepEqual(bucketsOf([0, 0.5, 1], null), [0, 1, 2]);
});

test("quantiles interpolate, and those that coincide are one", () => {
  assert.deepEqual(quantileEdges([0, 1], [1, 1], 2), [0.5]);
  assert.deepEqual(quantileEdges([0, 1], [9, 1], 4), [0]);
});

test("the sign-flip test of right and wrong is the binomial one", () => {
  close(signFlipP([-1, 0, 1], [6, 12, 2]), 37 / 256);
  assert.equal(signFlipP([0], [20]), 1);
  close(signFlipP([-1], [60]), 1e-16, 1e-20);
});

test("the smallest drop is not known without a spread", () => {
  assert.equal(smallestDetectableDrop([0], [20]), null);
  assert.equal(smallestDetectableDrop([-1], [20]), null);
  assert.ok(smallestDetectableDrop([-1, 0], [1, 19]) > 0);
});

test("the published chance of drift in the worked example", () => {
  const table = [
    [0, 1, 0],
    [0, 1, 1],
    [3, 3, 11],
  ];
  const found = swapTest(table);
  close(found.p, 0.234375, 1e-12);
  close(found.significantShare, 0.3359375, 1e-12);
  assert.equal(found.drawn, false);
});

test("swaps that are too many to count out are drawn, and come near what counting gives", () => {
  const table = Array.from({ length: 5 }, (_, row) =>
    Array.from({ length: 5 }, (_, column) => (row === column ? 30 : 4)),
  );
  table[0][4] = 12;
  const found = swapTest(table);
  assert.equal(found.drawn, true);
  assert.deepEqual(swapTest(table), found);
  assert.ok(found.p > 0 && found.p < 1);
});

test("nothing changed is no drift", () => {
  assert.deepEqual(
    swapTest([
      [3, 0],
      [0, 4],
    ]),
    { p: 1, moderateShare: 0, significantShare: 0, drawn: false },
  );
});

test("lattices: decimals and thirds have one, roots have none", () => {
  assert.deepEqual(findLattice([0.1, 0.25], 10), { steps: [2, 5], denominator: 20 });
  assert.deepEqual(findLattice([1 / 3, 0.5, -2], 10), { steps: [2, 3, -12], denominator: 6 });
  assert.equal(findLattice([Math.SQRT2], 10), null);
  assert.equal(findLattice([1 / 9973, 1 / 9967, 1 / 9949, 1 / 9941], 10), null);
  assert.equal(gcd(-12, 18), 6);
});

test("pairs stay where they are, where the counts are the run's own", () => {
  const table = [
    [1, 2, 0],
    [0, 3, 1],
    [4, 0, 9],
  ];
  assert.deepEqual(movePairs(table, [5, 5, 10]), table);
});

test("who must move goes home first", () => {
  assert.deepEqual(
    movePairs(
      [
        [0, 0, 0],
        [0, 0, 0],
        [3, 0, 5],
      ],
      [2, 0, 6],
    ),
    [
      [0, 0, 0],
      [0, 0, 0],
      [2, 0, 6],
    ],
  );
});

test("whatever the counts, the baseline stays and every item has a place", () => {
  const random = randomBits(7);
  for (let round = 0; round < 300; round++) {
    const k = 2 + (random() % 4);
    const table = Array.from({ length: k }, () => Array.from({ length: k }, () => random() % 6));
    const counts = Array(k).fill(0);
    for (let item = 0; item < sum(marginsOf(table).rows); item++) counts[random() % k]++;
    const moved = movePairs(table, counts);
    assert.deepEqual(marginsOf(moved), { rows: marginsOf(table).rows, columns: counts });
    assert.ok(moved.flat().every((number) => number >= 0));
    const least = sum(counts.map((count, index) => Math.max(0, count - marginsOf(table).columns[index])));
    const stayed = sum(table.flatMap((row, i) => row.map((number, j) => Math.min(number, moved[i][j]))));
    assert.equal(stayed, sum(counts) - least);
  }
});

test("items sorted alike differ least, sorted against each other most", () => {
  const [before, now] = [
    [2, 3, 5],
    [4, 4, 2],
  ];
  assert.deepEqual(sortedPairs(before, now), [
    [2, 0, 0],
    [2, 1, 0],
    [0, 3, 2],
  ]);
  assert.deepEqual(marginsOf(sortedPairs(before, now, { against: true })), { rows: before, columns: now });
  const spread = (table) => {
    const { steps, counts } = differencesOf(table, [0, 1, 2]);
    return sum(steps.map((step, index) => step ** 2 * counts[index]));
  };
  assert.ok(spread(sortedPairs(before, now)) < spread(sortedPairs(before, now, { against: true })));
});

test("scores on no lattice are refused in words", () => {
  const run = { scores: [0, Math.SQRT1_2], counts: [1, 1], table: null, scale: null, lowerIsBetter: false };
  assert.throws(() => judge(run, { bar: null, alpha: 0.05 }), TooFineError);
});
