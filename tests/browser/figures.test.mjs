// The teaching pages in a browser: what people do with them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { launch, open, seriousFaults } from "./page.mjs";

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
  assert.deepEqual(
    opened.map(({ requests }) => requests.length),
    opened.map(() => 1),
  );
});

async function figure(name, options = {}) {
  const found = await open(browser, `/docs/figures/${name}.html`, options);
  opened.push(found);
  return found.page;
}

const rows = (page, body) =>
  page
    .locator(`#${body} tr`)
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.split(/\s+/)));

test("pass@k starts with the published table", async () => {
  const page = await figure("pass-at-k");
  assert.deepEqual(await rows(page, "table"), [
    ["1", "0.400", "0.400", "2/5"],
    ["2", "0.640", "0.700", "7/10"],
    ["3", "0.784", "0.900", "9/10"],
    ["4", "0.870", "1.000", "5/5"],
    ["5", "0.922", "1.000", "1/1"],
  ]);
  assert.match(await page.locator("#told").innerText(), /^10 ways to draw 2 of 5 samples: 7 hold a pass/);
  assert.equal(await page.locator("#sets .lab-hit").count(), 7);
});

test("a sample is turned by the keyboard and keeps the focus", async () => {
  const page = await figure("pass-at-k");
  await page.getByRole("button", { name: "3 ✕ fails" }).focus();
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "3 ✓ passes");
  assert.match(await page.locator("#told").innerText(), /9 hold a pass\. pass@2 is 9\/10 = 0\.900/);
});

test("k slides, and n changes how many samples there are", async () => {
  const page = await figure("pass-at-k");
  await page.locator("#k").focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#told").innerText(), /pass@3 is 9\/10/);
  await page.getByLabel("n, samples").selectOption("2");
  assert.match(await page.locator("#told").innerText(), /^1 way to draw 2 of 2 samples/);
});

test("the expectations at the published rate", async () => {
  const page = await figure("pass-at-k");
  const shown = await page.locator("#truth, #fair, #low, #gap").allInnerTexts();
  assert.deepEqual(shown, ["0.6400", "0.6400", "0.5920", "-0.0480"]);
});

test("the arena starts with the published ratings, and another order moves Elo alone", async () => {
  const page = await figure("arena");
  const listed = await rows(page, "elo");
  assert.deepEqual(
    listed.map(([name, elo]) => [name, elo]),
    [
      ["A", "1083.7"],
      ["B", "1034.8"],
      ["C", "962.2"],
      ["D", "919.2"],
    ],
  );
  await page.getByRole("button", { name: "Shuffle" }).click();
  const shuffled = await rows(page, "elo");
  assert.notDeepEqual(
    shuffled.map(([, elo]) => elo),
    listed.map(([, elo]) => elo),
  );
  assert.deepEqual(
    shuffled.map(([, , , strength]) => strength),
    listed.map(([, , , strength]) => strength),
  );
  await page.getByRole("button", { name: "As listed" }).click();
  assert.deepEqual(await rows(page, "elo"), listed);
});

test("a battle moves by the keyboard, and its button moves along", async () => {
  const page = await figure("arena");
  await page.getByRole("button", { name: "battle 9, B beat A: later" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.equal(
    await page.evaluate(() => document.activeElement.getAttribute("aria-label")),
    "battle 11, B beat A: later",
  );
  assert.match(await page.locator("#order-told").innerText(), /^Order: by hand/);
});

test("the iterations are the published ones, and end where they have converged", async () => {
  const page = await figure("arena");
  const strengths = async () => (await rows(page, "mm")).map(([, now]) => now);
  await page.getByRole("button", { name: "One iteration" }).click();
  assert.deepEqual(await strengths(), ["0.4444", "0.3333", "0.1667", "0.0556"]);
  await page.getByRole("button", { name: "One iteration" }).click();
  assert.deepEqual(await strengths(), ["0.5195", "0.3274", "0.1179", "0.0352"]);
  for (let ten = 0; ten < 2; ten++) await page.getByRole("button", { name: "Ten" }).click();
  await page.getByRole("button", { name: "To the end" }).click();
  assert.deepEqual(
    (await rows(page, "mm")).map(([, now, end]) => now === end),
    [true, true, true, true],
  );
  assert.match(
    await page.locator("#mm-told").innerText(),
    /^129 iterations of 129: every model's wins are those expected/,
  );
  await page.getByRole("button", { name: "Back to the start" }).click();
  assert.deepEqual(await strengths(), ["0.2500", "0.2500", "0.2500", "0.2500"]);
});

for (const name of ["arena", "pass-at-k"]) {
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 320, height: 700 } }]) {
    test(`${name} is accessible and fits: ${JSON.stringify(options)}`, async () => {
      const page = await figure(name, options);
      assert.deepEqual(await seriousFaults(page), []);
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.equal(content, window);
    });
  }
}
