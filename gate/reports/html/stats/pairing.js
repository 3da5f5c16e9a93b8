// Which items move when only the counts of the candidate's scores are moved. Counts do not tell; this is the panel's rule.

import { marginsOf, sum } from "./sums.js";

/**
 * The pairs of two runs once the candidate's counts are these: every item keeps its score where it can.
 *
 * Of those that must move, first come the ones that can go home to their baseline's score; then those that already
 * differ from it, the farthest first; then the others. What has no home goes in the order of the baseline's scores.
 * The result depends on the counts alone, not on the way there.
 *
 * @param {number[][]} table (k, k): how many items have score i in the baseline and score j in the candidate.
 * @param {number[]} counts (k) of the candidate, together as many as the table holds.
 * @returns {number[][]} the same with these column sums; the row sums stay.
 */
export function movePairs(table, counts) {
  const moved = table.map((row) => [...row]);
  const own = marginsOf(table).columns;
  const surplus = own.map((count, score) => Math.max(0, count - counts[score]));
  const room = own.map((count, score) => Math.max(0, counts[score] - count));
  goHome(moved, surplus, room);
  place(moved, release(moved, surplus), room);
  return moved;
}

function goHome(table, surplus, room) {
  for (let from = 0; from < table.length; from++) {
    for (let home = 0; home < table.length; home++) {
      if (home === from) continue;
      const number = Math.min(surplus[from], room[home], table[home][from]);
      table[home][from] -= number;
      table[home][home] += number;
      surplus[from] -= number;
      room[home] -= number;
    }
  }
}

/** Take the surplus out; how many items that makes of each score in the baseline. */
function release(table, surplus) {
  const released = table.map(() => 0);
  surplus.forEach((_, from) => {
    const farthestFirst = table.map((_, home) => home).sort((a, b) => Math.abs(b - from) - Math.abs(a - from) || a - b);
    for (const home of farthestFirst) {
      const number = Math.min(surplus[from], table[home][from]);
      table[home][from] -= number;
      released[home] += number;
      surplus[from] -= number;
    }
  });
  return released;
}

function place(table, released, room) {
  let to = 0;
  released.forEach((number, home) => {
    let left = number;
    while (left > 0) {
      const placed = Math.min(left, room[to]);
      table[home][to] += placed;
      room[to] -= placed;
      left -= placed;
      if (left > 0) to++;
    }
  });
}

/**
 * The pairs of two runs whose items are sorted alike, so that as little as possible differs; or, `against`, the best of
 * one with the worst of the other, so that as much as possible does.
 */
export function sortedPairs(baseline, candidate, { against = false } = {}) {
  const table = baseline.map(() => candidate.map(() => 0));
  place(table, baseline, [...(against ? [...candidate].reverse() : candidate)]);
  return against ? table.map((row) => [...row].reverse()) : table;
}

/** The distinct differences between the runs in steps, and how many pairs have each. */
export function differencesOf(table, steps) {
  const found = new Map();
  table.forEach((row, before) => {
    row.forEach((number, now) => {
      const difference = steps[now] - steps[before];
      if (number > 0) found.set(difference, (found.get(difference) ?? 0) + number);
    });
  });
  const rising = [...found].sort(([left], [right]) => left - right);
  return { steps: rising.map(([step]) => step), counts: rising.map(([, number]) => number), n: sum(found.values()) };
}
