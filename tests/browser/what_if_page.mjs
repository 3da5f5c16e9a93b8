// The smallest page that holds the what-if panel, under a policy as strict as the report's.

import { open } from "./page.mjs";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'";

const STYLES = ["1-base", "2-parts", "3-items", "4-lab"];

/** Open the panel on a report. */
export function openPanel(browser, report, options = {}) {
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>What if</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
${STYLES.map((name) => `<link rel="stylesheet" href="/gate/reports/html/styles/${name}.css">`).join("\n")}
</head><body><main><h1>Report</h1><section id="what-if" hidden><h2>What if?</h2></section></main>
<script type="application/json" id="data">${JSON.stringify(report).replaceAll("<", "\\u003c")}</script>
<script type="module" src="/tests/browser/what_if_start.js"></script></body></html>`;
  return open(browser, "/what-if.html", { text, ...options });
}
