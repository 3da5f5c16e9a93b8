// Which rows of a long table are in sight.

import assert from "node:assert/strict";
import { test } from "node:test";

import { contentHeight, firstInSight, rowsInSight, scrollTo } from "../../../gate/reports/html/panels/slice.js";

const HEIGHT = 460;
const of = (count) => ({ count, rowHeight: 30, headHeight: 37 });

test("as many rows are in sight as fit whole, and never none", () => {
  assert.equal(rowsInSight(HEIGHT, 30, 37), 14);
  assert.equal(rowsInSight(10, 30, 37), 1);
});

test("few rows do not scroll", () => {
  assert.equal(firstInSight(0, HEIGHT, of(5)), 0);
  assert.equal(firstInSight(500, HEIGHT, of(5)), 0);
  assert.equal(scrollTo(3, HEIGHT, of(5)), 0);
  assert.equal(firstInSight(0, HEIGHT, of(0)), 0);
});

for (const count of [15, 1000, 10_000, 5_000_000]) {
  test(`of ${count} rows the first is seen at the top and the last at the bottom`, () => {
    const room = contentHeight(count, 30, 37) - HEIGHT;
    assert.equal(firstInSight(0, HEIGHT, of(count)), 0);
    assert.equal(firstInSight(room, HEIGHT, of(count)) + rowsInSight(HEIGHT, 30, 37), count);
  });

  test(`of ${count} rows each that is scrolled to is the first in sight`, () => {
    const last = count - rowsInSight(HEIGHT, 30, 37);
    for (const first of [0, Math.floor(last / 3), last]) {
      assert.equal(firstInSight(scrollTo(first, HEIGHT, of(count)), HEIGHT, of(count)), first);
    }
  });
}

test("no element is higher than browsers let it be", () => {
  assert.ok(contentHeight(1e9, 30, 37) < 16_000_000);
});
