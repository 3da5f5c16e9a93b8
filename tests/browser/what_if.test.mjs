// The what-if panel in a browser: what people do with it, and what hostile addresses try.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { ROOT, launch, open, seriousFaults } from "./page.mjs";
import { openPanel } from "./what_if_page.mjs";

let browser;
const opened = [];

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser.close();
  assert.deepEqual(
    opened.flatMap(({ faults }) => faults),
    [],
  );
  const elsewhere = opened
    .flatMap(({ requests }) => requests)
    .filter((address) => !address.startsWith("http://gate.test/"));
  assert.deepEqual(elsewhere, []);
});

async function report(name = "block/worked-example") {
  return JSON.parse(await readFile(join(ROOT, "tests/cases", name, "expected.json"), "utf8"));
}

async function panel(given = {}, options = {}) {
  const found = await openPanel(browser, { ...(await report()), ...given }, options);
  opened.push(found);
  return found.page;
}

const verdict = (page) => page.locator(".lab-verdict").innerText();
const field = (page, name) => page.getByRole("spinbutton", { name });

test("it starts from the run's own counts and says what the report says", async () => {
  const page = await panel();
  assert.equal(await verdict(page), "✕ BLOCK");
  const told = await page.locator(".lab-checks").innerText();
  assert.match(told, /threshold FAIL: low 0\.550 is under the bar 0\.70/);
  assert.match(told, /drift FAIL: PSI 0\.334 is over 0\.25/);
  assert.match(told, /regression pass: no regression shown: delta -0\.175; 20 pairs can show a drop of 0\.404/);
});

test("a slider moves with the keyboard, and its neighbour gives what it gains", async () => {
  const page = await panel();
  await page.getByRole("slider", { name: "items at 0 wrong" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await field(page, "items at 0 wrong").inputValue(), "4");
  assert.equal(await field(page, "items at 0.5 partial").inputValue(), "4");
  assert.match(await page.locator(".lab-figures").innerText(), /mean\s+0\.700/);
});

test("the bar decides at once, and without one none is checked", async () => {
  const page = await panel();
  await field(page, "Bar").fill("0.5");
  assert.match(await page.locator(".lab-checks").innerText(), /threshold pass: low 0\.550 clears the bar 0\.50/);
  await field(page, "Bar").fill("");
  assert.match(await page.locator(".lab-checks").innerText(), /threshold not run: no bar checked/);
});

test("what is half typed or beyond the scale changes nothing", async () => {
  const page = await panel();
  await field(page, "Bar").fill("7");
  assert.match(await page.locator(".lab-checks").innerText(), /the bar 0\.70/);
  await field(page, "items at 1 right").fill("99");
  assert.equal(await field(page, "items at 1 right").inputValue(), "20");
});

test("the challenge of the worked example tells when it is met", async () => {
  const page = await panel();
  await page.getByRole("button", { name: "Worked example" }).click();
  assert.match(await page.locator(".lab-challenge").innerText(), /^Challenge/);
  await field(page, "items at 0 wrong").fill("1");
  await field(page, "items at 0.5 partial").fill("2");
  assert.match(await page.locator(".lab-challenge").innerText(), /^Reached: .* with 5 items moved/);
  assert.equal(await verdict(page), "✓ PASS");
  await page.getByRole("button", { name: "Start again" }).click();
  assert.equal(await verdict(page), "✕ BLOCK");
});

test("the verdict is announced, once it has settled", async () => {
  const page = await panel();
  const live = page.locator("[aria-live=polite]");
  await page.waitForFunction(() => document.querySelector("[aria-live=polite]").textContent !== "");
  assert.match(await live.textContent(), /^BLOCK: threshold fail, regression pass, drift fail\. Mean 0\.725/);
});

test("a setting is shared by its address", async () => {
  const first = await panel();
  await field(first, "items at 0 wrong").fill("1");
  await field(first, "Bar").fill("0.65");
  const fragment = await first.evaluate(() => location.hash);
  const second = await panel({}, { fragment });
  assert.equal(await field(second, "items at 0 wrong").inputValue(), "1");
  assert.equal(await field(second, "Bar").inputValue(), "0.65");
  assert.equal(await second.locator(".lab-figures").innerText(), await first.locator(".lab-figures").innerText());
});

for (const hostile of [
  "#what-if=<img src=x onerror=alert(1)>",
  "#what-if=0;counts=3,5,12;bar=<script>alert(1)</script>;alpha=0.05;rule=bands",
  "#what-if=0;counts=3,5,13;bar=0.7;alpha=0.05;rule=bands",
  "#what-if=0;counts=3,5,12;bar=1e99;alpha=0.05;rule=bands",
  "#what-if=7;counts=3,5,12;bar=0.7;alpha=0.05;rule=bands",
  "#what-if=0;counts=3,5,12;bar=0.7;alpha=0.0;rule=bands",
  "#what-if=constructor;counts=3,5,12;bar=0.7;alpha=0.05;rule=bands",
]) {
  test(`an address that holds no setting of this report is told and not used: ${hostile}`, async () => {
    const page = await panel({}, { fragment: hostile });
    assert.match(await page.locator(".lab-complaint").innerText(), /holds a setting that is none of this report/);
    assert.equal(await field(page, "items at 0 wrong").inputValue(), "3");
    assert.equal(await page.locator("#what-if img, #what-if script").count(), 0);
  });
}

test("an address that is meant for another part of the page is left alone", async () => {
  const page = await panel({}, { fragment: "#items" });
  assert.equal(await page.locator(".lab-complaint").innerText(), "");
});

test("a verdict that leaves a failing check of the report out says so", async () => {
  const page = await panel(await report("block/too-many-leaks"));
  assert.match(await page.locator(".lab-checks").innerText(), /contamination FAIL: as in the report; it is not recomputed/);
});

test("hostile names are text", async () => {
  const given = await report();
  const name = "<img src=x onerror=alert(1)>\"'</option><script>alert(1)</script>";
  given.suites[0].name = name;
  const page = await panel(given);
  assert.equal(await page.locator("#what-if img, #what-if script").count(), 0);
  assert.equal(await page.locator("option").first().textContent(), `${name}: score`);
});

test("what cannot be recomputed says why, and the worked example stays", async () => {
  const page = await panel(await report("pass/weights-and-strata"));
  assert.match(await page.locator(".lab-refused").innerText(), /score: cannot be recomputed here, for its items have/);
  assert.equal(await page.getByText("the worked example, and no run of this report").count(), 1);
  assert.equal(await page.locator("select").first().inputValue(), "example");
});

for (const name of [
  "pass/latency-under-its-ceiling",
  "pass/no-baseline",
  "pass/exact-method",
  "pass/scale-of-0-to-100",
]) {
  test(`the report's own figures stand at the start: ${name}`, async () => {
    const given = await report(name);
    const result = given.suites[0].results.find(({ check }) => check === "threshold");
    const page = await panel(given);
    assert.match(await page.locator(".lab-checks").innerText(), new RegExp(escaped(result.sentence)));
  });
}

for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 320, height: 700 } }]) {
  test(`it is accessible and fits: ${JSON.stringify(options)}`, async () => {
    const page = await panel({}, options);
    assert.deepEqual(await seriousFaults(page), []);
    const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.equal(content, window);
  });
}

test("it stands in the report's own page, under its policy", async () => {
  const found = await open(browser, "/build/browser/worked.html", {
    fragment: "#what-if=0;counts=1,2,17;bar=0.7;alpha=0.05;rule=bands",
  });
  opened.push(found);
  assert.equal(await found.page.locator("#what-if .lab-verdict").innerText(), "✓ PASS");
  assert.deepEqual(found.requests.length, 1);
});

function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
