// A browser and pages to look at: every request is answered from the repository, and none may leave it.

import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

export const ROOT = join(fileURLToPath(import.meta.url), "../../..");
export const HOST = "http://gate.test";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json" };

/** Start the browser that GATE_CHROMIUM names, else Debian's. */
export function launch() {
  const executablePath = process.env.GATE_CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/**
 * Open a page of the repository, or one whose text is given.
 *
 * @returns {Promise<{page: object, faults: string[], requests: string[]}>} faults: errors of the console, of scripts and
 *   of the policy; requests: the addresses that were asked for.
 */
export async function open(browser, path, { text = null, ...options } = {}) {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const [faults, requests] = [[], []];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  await context.route("**", async (route) => {
    const address = new URL(route.request().url());
    requests.push(address.href);
    if (address.origin !== HOST) return route.abort();
    if (address.pathname === path && text !== null) return route.fulfill({ contentType: "text/html", body: text });
    try {
      const body = await readFile(join(ROOT, address.pathname));
      return await route.fulfill({ contentType: TYPES[extname(address.pathname)] ?? "text/plain", body });
    } catch {
      return route.fulfill({ status: 404, body: "" });
    }
  });
  await page.goto(HOST + path + (options.fragment ?? ""));
  return { page, faults, requests };
}

/** What axe finds of serious fault. */
export async function seriousFaults(page) {
  // in a world of its own, which the page's policy does not reach
  const axe = await readFile(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
