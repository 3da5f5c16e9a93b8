// The items as rows: what they say, which are kept, in which order.

import assert from "node:assert/strict";
import { test } from "node:test";

import { columnsOf, filterRows, gainOf, rowsOf, sortRows } from "../../../gate/reports/html/panels/items.js";

function suiteOf(scores, { direction = "higher", leaks = [], ...items } = {}) {
  const column = {
    direction,
    baseline: scores.map(([before]) => before),
    candidate: scores.map(([, after]) => after),
    status: scores.map(([, , status = "scored"]) => status),
  };
  return {
    items: { ids: scores.map((_, index) => `q${index}`), groups: [], strata: [], weights: [], digests: [], metrics: { score: column }, ...items },
    results: leaks.length > 0 ? [{ evidence: null }, { evidence: { leaks } }] : [],
    texts: {},
  };
}

const keys = (columns) => columns.map(({ key }) => key);
const order = (rows) => rows.map(({ id }) => id);

test("a gain is what got better, whichever way that is", () => {
  const column = (direction) => suiteOf([[1, 3]], { direction }).items.metrics.score;
  assert.equal(gainOf(column("higher"), 0), 2);
  assert.equal(gainOf(column("lower"), 0), -2);
});

test("scores that differ by rounding alone are the same", () => {
  assert.equal(rowsOf(suiteOf([[0.1 + 0.2, 0.3]]), "score")[0].outcome, "same");
});

test("an item is compared only where both runs have a score of the same content", () => {
  const rows = rowsOf(suiteOf([[1, 0], [0, 1], [1, null], [null, 1], [1, 0, "changed"]]), "score");
  assert.deepEqual(rows.map(({ outcome }) => outcome), ["worse", "better", "not compared", "not compared", "not compared"]);
});

test("there is a column for what the suite has and none for what it has not", () => {
  const scores = [[1, 0], [0, 1]];
  assert.deepEqual(keys(columnsOf(suiteOf(scores), "score")), ["id", "baseline", "candidate", "gain", "outcome", "status"]);
  assert.deepEqual(keys(columnsOf(suiteOf([[null, 1]]), "score")), ["id", "candidate", "gain", "outcome", "status"]);
  const rich = suiteOf(scores, { groups: ["a", "b"], strata: ["x", "y"], leaks: [{ id: "q1", confirmed: false }] });
  assert.deepEqual(keys(columnsOf(rich, null)), ["id", "group", "stratum", "leak"]);
  assert.deepEqual(rowsOf(rich, null).map(({ leak }) => leak), ["", "suspect"]);
});

test("words are sought in id, group and text, all of them, in any case", () => {
  const rows = [
    { id: "Q1", group: "maths", stratum: "", text: "What is a Prime?", outcome: "worse" },
    { id: "Q2", group: "maths", stratum: "", text: "", outcome: "same" },
  ];
  assert.deepEqual(order(filterRows(rows, { words: " MATHS  prime " })), ["Q1"]);
  assert.deepEqual(order(filterRows(rows, { words: "q" })), ["Q1", "Q2"]);
  assert.deepEqual(order(filterRows(rows, { words: "maths", outcome: "same" })), ["Q2"]);
  assert.deepEqual(order(filterRows(rows, {})), ["Q1", "Q2"]);
});

test("numbers are sorted as numbers and names as people count", () => {
  const rows = [{ index: 0, id: "q10", gain: 10 }, { index: 1, id: "q9", gain: 9 }, { index: 2, id: "q1", gain: -1 }];
  assert.deepEqual(order(sortRows(rows, "gain", false)), ["q1", "q9", "q10"]);
  assert.deepEqual(order(sortRows(rows, "id", true)), ["q10", "q9", "q1"]);
});

test("equal rows keep the order of the report, and those without a value stand last either way", () => {
  const rows = [
    { index: 0, id: "a", gain: NaN }, { index: 1, id: "b", gain: 1 }, { index: 2, id: "c", gain: 1 }, { index: 3, id: "d", gain: 0 },
  ];
  assert.deepEqual(order(sortRows(rows, "gain", false)), ["d", "b", "c", "a"]);
  assert.deepEqual(order(sortRows(rows, "gain", true)), ["b", "c", "d", "a"]);
  assert.deepEqual(order(rows), ["a", "b", "c", "d"]);
});
