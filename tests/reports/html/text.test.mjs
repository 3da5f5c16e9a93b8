// The text of the report, and how numbers are written.

import assert from "node:assert/strict";
import { test } from "node:test";

import { visible } from "../../../gate/reports/html/panels/elements.js";
import { change, score } from "../../../gate/reports/html/panels/numbers.js";
import { count } from "../../../gate/reports/html/stats/wording.js";
import { originalText, parseReport } from "../../../gate/reports/html/panels/report_data.js";

for (const text of ["</script>", "\\u003c", "\\\\u003c", "\\", "a<b\\<", "\n\t\"", "\\\\\\u003c<"]) {
  test(`the text of JSON is had back: ${JSON.stringify(text)}`, () => {
    const written = JSON.stringify({ text });
    const embedded = written.replaceAll("<", "\\u003c");
    assert.equal(originalText(embedded), written);
    assert.deepEqual(parseReport(embedded), { text });
  });
}

test("scores are written to six digits", () => {
  assert.deepEqual([1, 0.5, 1 / 3, 1234567, 0, null, NaN].map(score), ["1", "0.5", "0.333333", "1234570", "0", "", ""]);
});

test("a change has its sign", () => {
  assert.deepEqual([0.5, -0.25, 0, NaN].map(change), ["+0.5", "-0.25", "0", ""]);
});

test("one is not many", () => {
  assert.deepEqual([0, 1, 2].map((number) => count(number, "item")), ["0 items", "1 item", "2 items"]);
});

test("what does not print, or would turn a line around, is written out", () => {
  assert.equal(visible("a\u202eb\0c\u2028d\ud800e\u{e0001}"), "a\\u202eb\\x00c\\u2028d\\ud800e\\ue0001");
  assert.equal(visible("Grüße, 世界 👍 é"), "Grüße, 世界 👍 é");
});
