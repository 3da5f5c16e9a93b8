// What the what-if panel takes from a report and from an address.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { WORKED_EXAMPLE, runsOf } from "../../gate/reports/html/panels/what_if_runs.js";
import { fragmentOf, ownSetting, readSetting, withCount } from "../../gate/reports/html/panels/what_if_setting.js";

const root = new URL("../../", import.meta.url);
const report = (name) => JSON.parse(readFileSync(new URL(`tests/cases/${name}/expected.json`, root), "utf8"));
const runAt = (choice) => (choice === null ? WORKED_EXAMPLE : undefined);

test("the worked example is that of the examples", () => {
  const [run] = runsOf(report("block/worked-example")).runs;
  const { scores, counts, table, scale, options } = WORKED_EXAMPLE;
  assert.deepEqual(
    { scores: run.scores, counts: run.counts, table: run.table, scale: run.scale, options: run.options },
    { scores, counts, table, scale, options },
  );
});

test("the bar and the margin are those of the metric", () => {
  const { runs } = runsOf(report("pass/bars-by-metric"));
  const bars = report("pass/bars-by-metric").suites[0].results.filter(({ check }) => check === "threshold");
  assert.deepEqual(
    runs.map(({ options }) => options.bar),
    bars.map(({ figures }) => figures.bar),
  );
  assert.equal(
    runsOf(report("pass/margin-no-worse")).runs[0].options.margin,
    report("pass/margin-no-worse").suites[0].results.find(({ check }) => check === "regression").figures.margin,
  );
});

for (const [name, why] of [
  ["pass/weights-and-strata", /strata or weights/],
  ["pass/json-lines-with-groups", /groups/],
  ["pass/unpaired-runs", /different items/],
]) {
  test(`what counts do not determine is refused, with the reason: ${name}`, () => {
    const { runs, refused } = runsOf(report(name));
    assert.equal(runs.length, 0);
    assert.match(refused[0].why, why);
  });
}

test("battles have no scores to move", () => {
  const { runs, refused } = runsOf(report("block/arena-loss-shown"));
  assert.deepEqual(runs, []);
  assert.match(refused[0].why, /no scores of items/);
});

test("scores on no lattice are refused in plain words", () => {
  const given = report("block/worked-example");
  given.suites[0].items.metrics.score.candidate[0] = Math.SQRT1_2;
  assert.match(runsOf(given).refused[0].why, /no multiples of a common step/);
});

test("what the report's other checks found amiss is known to be left out", () => {
  const others = (name) => runsOf(report(name)).runs.map((run) => run.others.map(({ check, status }) => [check, status]));
  assert.deepEqual(others("block/too-many-leaks"), [[["contamination", "fail"]]]);
  assert.deepEqual(others("block/worked-example"), [[]]);
});

test("items without a score are left out, and that is told", () => {
  const [run] = runsOf(report("warn/one-lost-item-of-many")).runs;
  const { figures } = report("warn/one-lost-item-of-many").suites[0].results.find(({ check }) => check === "threshold");
  assert.equal(
    run.counts.reduce((left, right) => left + right),
    figures.n,
  );
});

test("a setting comes back from its fragment", () => {
  const setting = {
    ...ownSetting(null, WORKED_EXAMPLE),
    counts: [1, 2, 17],
    bar: 0.725,
    alpha: 0.1,
    rule: "calibrated",
  };
  const fragment = fragmentOf(setting, WORKED_EXAMPLE);
  assert.equal(fragment, "#what-if=example;counts=1,2,17;bar=0.725;alpha=0.1;rule=calibrated");
  assert.deepEqual(readSetting(fragment, runAt), setting);
  const none = { ...setting, bar: null };
  assert.deepEqual(readSetting(fragmentOf(none, WORKED_EXAMPLE), runAt), none);
});

for (const fragment of [
  "",
  "#",
  "#what-if=",
  "#what-if=example",
  "#what-if=example;counts=3,5,12;bar=0.7;alpha=0.05;rule=bands ",
  "#what-if=example;counts=3,5,12;bar=0.7;alpha=0.05;rule=bands;x=1",
  "#what-if=0;counts=3,5,12;bar=0.7;alpha=0.05;rule=bands",
  "#what-if=example;counts=3,5;bar=0.7;alpha=0.05;rule=bands",
  "#what-if=example;counts=3,5,11;bar=0.7;alpha=0.05;rule=bands",
  "#what-if=example;counts=-3,11,12;bar=0.7;alpha=0.05;rule=bands",
  "#what-if=example;counts=3,5,12;bar=7;alpha=0.05;rule=bands",
  "#what-if=example;counts=own;bar=0.7;alpha=0.05;rule=bands",
  "#what-if=example;counts=3,5,12;bar=NaN;alpha=0.05;rule=bands",
  "#what-if=example;counts=3,5,12;bar=0.7;alpha=0.9;rule=bands",
  "#what-if=example;counts=3,5,12;bar=0.7;alpha=0.05;rule=<b>",
  `#what-if=example;counts=${"1,".repeat(5000)}1;bar=0.7;alpha=0.05;rule=bands`,
]) {
  test(`what is not exactly a setting is none: ${fragment.slice(0, 80)}`, () => {
    assert.equal(readSetting(fragment, runAt), null);
  });
}

test("what one score gains comes from the next ones up, then from those down", () => {
  assert.deepEqual(withCount([3, 5, 12], 0, 4), [4, 4, 12]);
  assert.deepEqual(withCount([3, 5, 12], 0, 10), [10, 0, 10]);
  assert.deepEqual(withCount([3, 5, 12], 2, 13), [3, 4, 13]);
  assert.deepEqual(withCount([3, 5, 12], 1, 4), [3, 4, 13]);
  assert.deepEqual(withCount([3, 5, 12], 1, 99), [0, 20, 0]);
  assert.deepEqual(withCount([3, 5, 12], 1, -4), [3, 0, 17]);
  assert.deepEqual(withCount([3, 5, 12], 1, NaN), [3, 5, 12]);
});
