// The HTML report in a browser: what people do with it, on what, and what hostile text tries.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { HOST, ROOT, launch, open, seriousFaults } from "./page.mjs";

const PAGES = ["worked", "passing", "several", "suites", "arena", "leaks", "decline", "error", "many", "hostile", "hostile-error"];
const PHONE = { viewport: { width: 360, height: 740 } };

let browser;

before(async () => {
  browser = await launch();
});

after(() => browser.close());

async function openReport(t, name, options = {}) {
  const found = await open(browser, `/build/browser/${name}.html`, options);
  t.after(() => found.page.context().close());
  return found;
}

const rows = (page) => page.locator("#items-table tbody tr");
const ids = (page) => page.locator("#items-table td.col-id").allInnerTexts();
const heading = (page, name) => page.locator("#items-table th").filter({ hasText: name });
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

for (const name of PAGES) {
  test(`${name}: it asks for nothing but itself, no error is told, and axe finds nothing serious`, async (t) => {
    const { page, faults, requests } = await openReport(t, name);
    assert.deepEqual(await seriousFaults(page), []);
    await page.emulateMedia({ colorScheme: "dark" });
    assert.deepEqual(await seriousFaults(page), []);
    assert.deepEqual(faults, []);
    assert.deepEqual(requests, [`${HOST}/build/browser/${name}.html`]);
  });

  test(`${name}: nothing but tables scrolls sideways on a narrow phone`, async (t) => {
    const { page, faults } = await openReport(t, name, PHONE);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    assert.deepEqual(faults, []);
  });

  test(`${name}: the JSON report is had back byte for byte`, async (t) => {
    const { page } = await openReport(t, name);
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    assert.equal(download.suggestedFilename(), "report.json");
    const expected = await readFile(join(ROOT, `build/browser/${name}.json`));
    assert.ok((await readFile(await download.path())).equals(expected));
  });
}

test("the items that got worse stand first, and a heading sorts, once up and once down", async (t) => {
  const { page } = await openReport(t, "worked");
  assert.deepEqual((await ids(page)).slice(0, 4), ["q04", "q06", "q15", "q01"]);
  assert.equal(await heading(page, "Gain").getAttribute("aria-sort"), "ascending");
  await heading(page, "Item").getByRole("button").click();
  assert.equal(await heading(page, "Item").getAttribute("aria-sort"), "ascending");
  assert.equal(await heading(page, "Gain").getAttribute("aria-sort"), "none");
  assert.equal((await ids(page))[0], "q01");
  await page.keyboard.press("Enter");
  assert.equal(await heading(page, "Item").getAttribute("aria-sort"), "descending");
  assert.equal((await ids(page))[0], "q20");
});

test("words and an outcome filter, and how many are left is said aloud", async (t) => {
  const { page } = await openReport(t, "many");
  const told = page.locator("#items-table output");
  assert.equal(await told.innerText(), "10000 items");
  assert.equal(await told.getAttribute("aria-live"), "polite");
  await page.getByLabel("Search").fill("item-0001 topic");
  assert.equal(await told.innerText(), "10 of 10000 items");
  await page.getByLabel("Search").fill("");
  await page.getByLabel("Outcome").selectOption("worse");
  const outcomes = await page.locator("#items-table td.col-outcome").allInnerTexts();
  assert.deepEqual([...new Set(outcomes)], ["worse"]);
});

test("another metric and another suite show their own scores", async (t) => {
  const { page } = await openReport(t, "several");
  await page.getByLabel("Metric").selectOption("seconds");
  await heading(page, "Item").getByRole("button").click();
  assert.equal(await page.locator("#items-table td.col-candidate").first().innerText(), "1");
  const suites = (await openReport(t, "suites")).page;
  const before = await suites.locator("#items-table").innerText();
  await suites.getByRole("combobox", { name: "Suite" }).selectOption({ label: "physics" });
  assert.notEqual(await suites.locator("#items-table").innerText(), before);
});

test("ten thousand items are a few elements, and sorting them takes no time that one would notice", async (t) => {
  const { page } = await openReport(t, "many");
  assert.ok((await rows(page).count()) < 40);
  assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), "10001");
  const longest = await page.evaluate(() => {
    const taken = [];
    for (const button of document.querySelectorAll("#items-table thead button")) {
      const start = performance.now();
      document.querySelector(`[data-key="${button.dataset.key}"]`).click();
      taken.push(performance.now() - start);
    }
    return Math.max(...taken);
  });
  assert.ok(longest < 1000, `${longest} ms`);
});

test("scrolled to the end the last item is in sight", async (t) => {
  const { page } = await openReport(t, "many");
  await heading(page, "Item").getByRole("button").click();
  await page.locator("#items-table .rows").evaluate((view) => view.scrollTo(0, view.scrollHeight));
  await page.getByText("item-09999").waitFor();
  assert.equal(await rows(page).last().getAttribute("aria-rowindex"), "10001");
});

test("the keyboard goes through all rows and opens one", async (t) => {
  const { page } = await openReport(t, "many");
  await heading(page, "Item").getByRole("button").click();
  await heading(page, "Status").getByRole("button").focus();
  await page.keyboard.press("Tab");
  const focused = () => page.evaluate(() => document.activeElement.querySelector("td").textContent);
  assert.equal(await focused(), "item-00000");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "item-00001");
  await page.keyboard.press("End");
  assert.equal(await focused(), "item-09999");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("ArrowUp");
  assert.match(await focused(), /^item-099[78]\d$/);
  await page.keyboard.press("Home");
  assert.equal(await focused(), "item-00000");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".one-item h3").innerText(), "item-00000");
  assert.equal(await rows(page).first().getAttribute("aria-selected"), "true");
  assert.equal(await focused(), "item-00000");
});

test("the first Tab leads past the bar to the content", async (t) => {
  const { page } = await openReport(t, "worked");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "content");
});

test("a reason leads to its card", async (t) => {
  const { page } = await openReport(t, "worked");
  await page.locator(".lead a").first().click();
  assert.equal(await page.locator(".card:target h3").innerText(), "threshold");
});

test("the menu leads to the what-if panel, and an error has none", async (t) => {
  const { page } = await openReport(t, "worked");
  await page.getByRole("link", { name: "What if?" }).click();
  assert.equal(await page.evaluate(() => location.hash), "#what-if");
  assert.ok(await page.locator("#what-if .lab-verdict").isVisible());
  const { page: ofError } = await openReport(t, "error");
  assert.equal(await ofError.getByText("What if?").count(), 0);
});

test("the interval that decides has one colour in a check and in the what-if panel, the one beside it another", async (t) => {
  const { page } = await openReport(t, "worked");
  const colours = (place) =>
    page.locator(`${place} .whisker`).evaluateAll((all) =>
      all.map((each) => getComputedStyle(each.querySelector("line, path")).stroke),
    );
  const shown = await colours("#what-if");
  assert.deepEqual(shown, (await colours("#suite-0 .card")).slice(0, 2));
  assert.notEqual(shown[0], shown[1]);
});

test("the colours follow the system, or one's own choice, which is kept", async (t) => {
  const { page } = await openReport(t, "worked", { colorScheme: "light" });
  const light = await background(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await background(page);
  assert.notEqual(dark, light);
  const button = page.getByRole("button", { name: "Theme" });
  await button.click();
  assert.equal(await button.innerText(), "Theme: light");
  assert.equal(await background(page), light);
  await page.reload();
  assert.equal(await background(page), light);
  await button.click();
  assert.equal(await background(page), dark);
  await button.click();
  assert.equal(await button.innerText(), "Theme: auto");
});

test("printed it is light, unfolded and without what paper cannot do", async (t) => {
  const { page, faults } = await openReport(t, "worked", { colorScheme: "dark" });
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await page.locator(".bar").isVisible(), false);
  assert.equal(await page.locator("#items-table").isVisible(), false);
  assert.equal(await page.locator(".on-paper").isVisible(), true);
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector("#checks h2")).color), "rgb(27, 32, 37)");
  const closed = () => page.locator("details:not([open])").count();
  const folded = await closed();
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await closed(), 0);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await closed(), folded);
  assert.equal((await page.pdf({ format: "A4" })).subarray(0, 5).toString(), "%PDF-");
  assert.deepEqual(faults, []);
});

test("without a script all but the table of items is there", async (t) => {
  const { page } = await openReport(t, "worked", { javaScriptEnabled: false });
  assert.equal(await page.locator("h1").innerText(), "✕\nBLOCK");
  assert.equal(await page.locator("svg.chart").first().isVisible(), true);
  assert.equal(await page.getByText("needs a script").isVisible(), true);
  assert.equal(await page.locator(".tools button:visible").count(), 0);
});

test("hostile text is shown and does nothing", async (t) => {
  const { page, faults } = await openReport(t, "hostile");
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
  for (const row of await rows(page).all()) {
    await row.hover();
    await row.click();
  }
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img, animate, iframe, object, embed, body script:not([type])").count(), 0);
  assert.equal(await page.locator("style").count(), 1);
  const links = await page.locator("a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
  assert.deepEqual(links.filter((link) => !/^(#[\w-]+|https:\/\/github\.com\/[\w/.-]+)$/.test(link)), []);
  const attributes = await page.evaluate(() =>
    [...document.querySelectorAll("*")].flatMap((each) => each.getAttributeNames()).filter((name) => /^on|^style$/.test(name)),
  );
  // heights are set by script, which writes them where a style attribute would be
  assert.deepEqual(attributes, ["style"]);
  const shown = await page.locator("body").innerText();
  assert.match(shown, /<script>window\.hacked = 1<\/script>/);
  assert.match(shown, /\{\{ 7 \* 7 \}\}/);
  assert.match(shown, /\\u202egnp\.\\u2028\\x00/);
  assert.doesNotMatch(shown, /[\u202e\u2028\0\ud800]/);
  assert.deepEqual(faults, []);
});

test("a hostile error is shown and does nothing", async (t) => {
  const { page, faults } = await openReport(t, "hostile-error");
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img, animate, iframe, object, embed, svg:not(.defs)").count(), 0);
  assert.match(await page.locator("#verdict-title + .why").innerText(), /<script>window\.hacked = 1<\/script>/);
  assert.deepEqual(faults, []);
});

test("hostile text is what the embedded JSON says it is", async (t) => {
  const { page } = await openReport(t, "hostile");
  const { suites } = await page.evaluate(() => JSON.parse(document.getElementById("report").textContent));
  const told = JSON.parse(await readFile(join(ROOT, "build/browser/hostile.json"), "utf8"));
  assert.deepEqual(suites[0].items.ids, told.suites[0].items.ids);
  assert.ok(suites[0].items.ids.includes("</script><script>window.hacked = 6</script>"));
});

test("the policy lets no other script and no other style in", async (t) => {
  const { page } = await openReport(t, "worked");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.hacked = 1";
    const style = document.createElement("style");
    style.textContent = "body { outline: 7px solid }";
    document.body.append(script, style);
    document.body.insertAdjacentHTML("beforeend", "<p id='one' style='outline: 7px solid' onclick='window.hacked = 2'>x</p>");
    document.getElementById("one").click();
  });
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  const outline = (selector) => page.locator(selector).evaluate((each) => getComputedStyle(each).outlineStyle);
  assert.equal(await outline("body"), "none");
  assert.equal(await outline("#one"), "none");
});
