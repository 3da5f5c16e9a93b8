<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-VSV9n3ecGGyARQmNHKo4pKv2tgkKOcedxIGjnvO12TA=&#39;; script-src &#39;sha256-8W8ajX5A9ZKunFOWpW0nKPF+rYfsz0hns5AUqJ4CTBo=&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>PASS · gate report</title>
<style>:root {
  color-scheme: light dark;
  --paper: light-dark(#fafaf7, #131619);
  --panel: light-dark(#ffffff, #1a1e22);
  --ink: light-dark(#1b2025, #e6e9eb);
  --soft: light-dark(#575f67, #a2abb3);
  --line: light-dark(#e3e4df, #2d3339);
  --grid: light-dark(#ecede8, #272c31);
  --link: light-dark(#1d5a9e, #84b7ee);
  --baseline: light-dark(#6d7780, #97a2ac);
  --candidate: light-dark(#2566ad, #6ea9e8);
  --better: light-dark(#0a766c, #4fbfb2);
  --worse: light-dark(#bb4a17, #ee8a57);
  --same: light-dark(#c3c8cb, #474f56);
  --pass: light-dark(#0a6b62, #56c6b8);
  --warn: light-dark(#7a5900, #e2b74c);
  --fail: light-dark(#a92f16, #f58464);
  --error: light-dark(#7a3a8c, #cf97e0);
  --mark: light-dark(#fbdcae, #6a4413);
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 60px; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.5 var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1, h2, h3, h4, p, ul, dl, dd, pre { margin: 0; }
h2 { font-size: 19px; font-weight: 600; letter-spacing: -.01em; margin-bottom: 10px; }
h3, h4 { font-size: 14.5px; font-weight: 600; }
a { color: var(--link); text-underline-offset: 2px; }
code, pre { font-family: var(--mono); font-size: .91em; }
small { font-size: 12px; color: var(--soft); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
button, select, input { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 4px 10px; min-height: 32px; }
button { cursor: pointer; }
button:hover, select:hover, input:hover { border-color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; top: 0; background: var(--panel); padding: 8px 14px; z-index: 9; }
.skip:focus { left: 8px; top: 8px; }
.defs { position: absolute; }
[hidden] { display: none !important; }

.bar { position: sticky; top: 0; z-index: 5; background: var(--paper); border-bottom: 1px solid var(--line); }
.bar-inner, main, footer { max-width: 1120px; margin: 0 auto; padding: 0 24px; }
.bar-inner { display: flex; align-items: center; gap: 22px; min-height: 48px; }
.brand { color: var(--soft); white-space: nowrap; }
.brand b { color: var(--ink); }
.bar nav { display: flex; gap: 4px 16px; flex: 1; min-width: 0; flex-wrap: wrap; }
.bar nav a { color: var(--soft); text-decoration: none; }
.bar nav a:hover { color: var(--ink); text-decoration: underline; }
.tools { display: flex; gap: 8px; }
.tools button { font-size: 13px; min-height: 30px; padding: 2px 10px; white-space: nowrap; }
main { padding-top: 26px; padding-bottom: 40px; display: flex; flex-direction: column; gap: 34px; }
main > * { min-width: 0; }
footer { border-top: 1px solid var(--line); padding-top: 14px; padding-bottom: 40px; color: var(--soft); font-size: 13px; }

.verdict { display: grid; grid-template-columns: auto 1fr; gap: 6px 26px; align-items: start; border-left: 6px solid var(--tone); padding: 4px 0 4px 22px; }
.verdict h1 { display: flex; align-items: center; gap: 12px; font-size: 34px; line-height: 1.15; font-weight: 700; letter-spacing: -.015em; color: var(--tone); }
.verdict .sign { display: inline-grid; place-items: center; width: 34px; height: 34px; border-radius: 50%; background: var(--tone); color: var(--paper); font-size: 20px; line-height: 1; font-weight: 700; }
.verdict.is-block .sign { border-radius: 7px; }
.verdict .lead { font-size: 17px; line-height: 1.42; padding-top: 4px; }
.rates { color: var(--soft); margin-top: 6px; max-width: 86ch; }
.is-pass { --tone: var(--pass); }
.is-warn { --tone: var(--warn); }
.is-fail, .is-block { --tone: var(--fail); }
.is-not_run { --tone: var(--soft); }
.is-error { --tone: var(--error); }

.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 22px 34px; }
.columns h2 { font-size: 13px; color: var(--soft); font-weight: 600; letter-spacing: 0; margin-bottom: 6px; }
.plain { list-style: none; padding: 0; display: grid; gap: 6px; }
.facts { display: grid; gap: 3px; margin-top: 10px; }
.facts > div { display: grid; grid-template-columns: 90px minmax(0, 1fr); gap: 12px; }
.facts dt, .runs dt { color: var(--soft); }
.aside { color: var(--soft); font-size: 13px; margin-top: 8px; }
.on-paper { display: none; }
.command { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px; white-space: pre-wrap; overflow-wrap: anywhere; }
.digest { color: var(--soft); }
.chip { display: inline-flex; align-items: center; gap: 6px; color: var(--tone); font-weight: 600; font-size: 13px; white-space: nowrap; }
.chip .sign { display: inline-grid; place-items: center; width: 16px; height: 16px; border-radius: 50%; background: var(--tone); color: var(--panel); font-size: 11px; line-height: 1; font-weight: 700; }
.chip.is-fail .sign { border-radius: 4px; }
.chip.is-not_run .sign { background: transparent; color: var(--tone); box-shadow: inset 0 0 0 1.5px var(--tone); }

.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: 13px; width: 100%; overflow-wrap: break-word; }
th, td { text-align: left; padding: 5px 14px 5px 0; vertical-align: baseline; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--soft); font-weight: 500; white-space: nowrap; }
th.num, td.num { text-align: right; white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
caption { text-align: left; color: var(--soft); padding: 8px 0 4px; }
.findings { min-width: 620px; }
.findings tbody th { font-weight: 600; white-space: nowrap; }
.findings code { white-space: nowrap; }
.findings .numbers { color: var(--soft); min-width: 240px; }
.overview { width: auto; }
.overview th, .overview td { padding-right: 26px; }

details { margin-top: 10px; }
summary { cursor: pointer; color: var(--link); font-size: 13px; width: fit-content; }
details > ul { padding-left: 18px; margin-top: 6px; display: grid; gap: 3px; font-size: 13px; }
.notes { margin-top: 0; }
.notes ul { max-width: 110ch; color: var(--soft); }
.notes b { color: var(--ink); font-weight: 600; margin-right: 4px; }

.suite > h2 { margin-bottom: 4px; }
.runs { display: flex; flex-wrap: wrap; gap: 2px 28px; font-size: 13px; margin-bottom: 14px; }
.runs > div { display: flex; gap: 8px; align-items: baseline; min-width: 0; }
.runs dt { flex: none; }
.runs span { color: var(--soft); }
.metric { font-size: 15px; margin: 18px 0 10px; }
.metric:first-of-type { margin-top: 4px; }
.cards { columns: 2 420px; column-gap: 16px; }
.card { break-inside: avoid; margin-bottom: 16px; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; padding: 14px 18px 16px; min-width: 0; }
.card:target { border-color: var(--tone, var(--link)); box-shadow: 0 0 0 1px var(--tone, var(--link)); }
.card.wide { column-span: all; }
.card.wide:not(:first-child) { margin-top: 16px; }
.card header { display: flex; justify-content: space-between; gap: 12px; align-items: baseline; }
.card .finding { font-size: 14.5px; margin: 2px 0 10px; }
.card .detail { color: var(--soft); font-size: 13px; margin-top: 8px; }
.figures { display: flex; flex-wrap: wrap; gap: 6px 26px; margin-top: 8px; }
.figures dt { color: var(--soft); font-size: 12px; line-height: 1.3; }
.figures dd { font-weight: 600; font-size: 14px; }

.chart { display: block; width: 100%; max-width: 500px; height: auto; margin-top: 6px; font-family: var(--sans); overflow: visible; }
.chart text { fill: var(--ink); font-size: 11.5px; font-variant-numeric: tabular-nums; }
.chart .tick, .chart .head { fill: var(--soft); font-size: 11px; }
.chart .name { fill: var(--soft); }
.chart .limit-label { font-weight: 600; }
.grid { stroke: var(--grid); stroke-width: 1; }
.axis { stroke: var(--soft); stroke-width: 1; }
.limit { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 5 3; }
.wrong { fill: url(#wrong); }
.wrong-line { stroke: var(--worse); stroke-width: 1; opacity: .35; }
.whisker line { stroke: var(--candidate); stroke-width: 2.5; }
.whisker circle { fill: var(--candidate); stroke: var(--panel); stroke-width: 1.5; }
.whisker.is-beside line { stroke: var(--baseline); stroke-width: 1.5; }
.curve { fill: none; stroke: var(--candidate); stroke-width: 1.5; opacity: .55; }
.of-baseline { fill: url(#hatch); stroke: var(--baseline); stroke-width: 1; }
.of-candidate { fill: var(--candidate); }
.of-psi { fill: var(--soft); }
.of-worse { fill: url(#loss); stroke: var(--worse); stroke-width: 1; }
.of-better { fill: var(--better); }
.of-same { fill: var(--same); }
.hatch-ground { fill: var(--panel); }
.hatch-line { stroke: var(--baseline); stroke-width: 3; }
.loss-ground { fill: var(--worse); }
.loss-dot { fill: var(--panel); }
.legend { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 16px; font-size: 12px; color: var(--soft); }
.legend span { white-space: nowrap; }
.key { display: inline-block; width: 14px; height: 10px; margin-right: 6px; border: 1px solid var(--baseline); }
.key-baseline { background: repeating-linear-gradient(45deg, var(--baseline) 0 2px, var(--panel) 2px 4px); }
.key-candidate { background: var(--candidate); border-color: var(--candidate); }
.key-psi { background: var(--soft); border-color: var(--soft); }

.flips { width: auto; }
.flips thead th, .flips thead td { border-bottom: 0; }
.flips tbody th { color: var(--soft); border-bottom: 0; }
.flips tbody td { min-width: 52px; text-align: center; padding: 6px 10px; border: 2px solid var(--panel); border-radius: 4px; font-weight: 600; background: var(--grid); }
.flips th { padding-right: 10px; text-align: center; }
.to-worse { --cell: var(--worse); }
.to-better { --cell: var(--better); }
.to-same { --cell: var(--same); }
.flips .lvl1 { background: color-mix(in oklab, var(--cell) 16%, var(--panel)); }
.flips .lvl2 { background: color-mix(in oklab, var(--cell) 22%, var(--panel)); }
.flips .lvl3 { background: color-mix(in oklab, var(--cell) 28%, var(--panel)); }
.flips .lvl4 { background: color-mix(in oklab, var(--cell) 34%, var(--panel)); }
.flips .lvl5 { background: color-mix(in oklab, var(--cell) 40%, var(--panel)); }

.leaks .words td { color: var(--soft); padding-top: 0; font-size: 13px; line-height: 1.8; }
mark { background: var(--mark); color: var(--ink); border-radius: 3px; padding: 1px 3px; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: 3px; }
.board tbody th { font-weight: 600; }
.of-strip { white-space: nowrap; }
.strip { width: 160px; height: 18px; display: inline-block; vertical-align: middle; margin-right: 10px; }
.strip circle { fill: var(--candidate); }
.strip-line { stroke: var(--candidate); stroke-width: 2.5; opacity: .6; }
.sub { color: var(--soft); font-size: 13px; font-weight: 600; margin-top: 14px; }
.matrix { width: auto; margin-top: 6px; }
.matrix th { white-space: nowrap; }
.matrix td { min-width: 64px; text-align: center; padding: 4px 8px; border: 2px solid var(--panel); }
.matrix td b { display: block; font-weight: 600; }
.matrix td small { display: block; line-height: 1.2; color: var(--ink); opacity: .8; }
.matrix .none { color: var(--soft); }
.matrix td[class="lvl1"] { background: color-mix(in oklab, var(--better) 10%, var(--panel)); }
.matrix td[class="lvl2"] { background: color-mix(in oklab, var(--better) 20%, var(--panel)); }
.matrix td[class="lvl3"] { background: color-mix(in oklab, var(--better) 29%, var(--panel)); }
.matrix td[class="lvl4"] { background: color-mix(in oklab, var(--better) 38%, var(--panel)); }
.matrix td[class="lvl-1"] { background: color-mix(in oklab, var(--worse) 10%, var(--panel)); }
.matrix td[class="lvl-2"] { background: color-mix(in oklab, var(--worse) 20%, var(--panel)); }
.matrix td[class="lvl-3"] { background: color-mix(in oklab, var(--worse) 29%, var(--panel)); }
.matrix td[class="lvl-4"] { background: color-mix(in oklab, var(--worse) 38%, var(--panel)); }
.controls { display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: end; margin-bottom: 10px; }
.controls label { display: grid; gap: 2px; font-size: 12px; color: var(--soft); min-width: 0; }
.controls select, .controls input { font-size: 13.5px; color: var(--ink); max-width: 240px; }
.controls output { font-size: 13px; color: var(--soft); padding-bottom: 6px; }
.rows { height: 460px; overflow: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); position: relative; overflow-anchor: none; }
.sizer { position: relative; min-width: 100%; width: fit-content; }
.rows table { position: sticky; top: 0; table-layout: fixed; width: 100%; min-width: 620px; }
.rows th, .rows td { height: 30px; padding: 0 12px; line-height: 29px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.rows thead th { background: var(--panel); padding: 0 4px; height: 36px; }
.rows thead button { width: 100%; border: 0; padding: 0 8px; text-align: inherit; font-size: 13px; color: var(--soft); background: none; min-height: 34px; white-space: nowrap; }
.rows thead button:hover { color: var(--ink); }
.rows thead button::after { content: " ↕"; opacity: .45; }
.rows [aria-sort="ascending"] button::after { content: " ↑"; opacity: 1; }
.rows [aria-sort="descending"] button::after { content: " ↓"; opacity: 1; }
.rows [aria-sort="ascending"] button, .rows [aria-sort="descending"] button { color: var(--ink); font-weight: 600; }
.rows tbody tr { cursor: pointer; }
.rows tbody tr:hover { background: var(--grid); }
.rows tbody tr:focus { outline: 2px solid var(--link); outline-offset: -2px; }
.rows tbody tr[aria-selected="true"] { background: color-mix(in oklab, var(--link) 12%, var(--panel)); }
.rows .col-id { width: 30%; }
.rows td.col-id { font-family: var(--mono); font-size: 12.5px; }
.rows .is-worse { color: var(--worse); font-weight: 600; }
.rows .is-better { color: var(--better); font-weight: 600; }
.rows .is-not-compared { color: var(--soft); }
.one-item { border-left: 3px solid var(--link); padding: 2px 0 2px 16px; margin-top: 14px; }
.one-item h3 { font-family: var(--mono); }
.one-item .text { white-space: pre-wrap; max-width: 90ch; margin-top: 8px; }

@media (max-width: 640px) {
  .bar-inner, main, footer { padding-left: 16px; padding-right: 16px; }
  .bar-inner { flex-wrap: wrap; gap: 4px 14px; padding-top: 6px; padding-bottom: 6px; }
  .bar { position: static; }
  html { scroll-padding-top: 12px; }
  .bar nav { order: 3; flex-basis: 100%; }
  .tools { margin-left: auto; }
  main { padding-top: 18px; gap: 28px; }
  .verdict { grid-template-columns: 1fr; padding-left: 16px; }
  .verdict h1 { font-size: 28px; }
  .verdict .lead { font-size: 15.5px; }
  .card { padding: 12px 14px 14px; }
  .facts > div { grid-template-columns: 1fr; gap: 0; }
  .controls label { flex: 1 1 130px; }
  .controls select, .controls input { max-width: none; width: 100%; }
  .rows { height: 380px; }
}
@media print {
  :root, :root[data-theme] { color-scheme: light; }
  @page { margin: 14mm; }
  body { background: none; font-size: 10.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .bar, .skip, #items-table, #what-if { display: none !important; }
  .on-paper { display: block; }
  main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  main { display: block; }
  main > * { margin-bottom: 22px; }
  .card, tr, .verdict { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .cards { columns: 2 280px; }
  .scroll { overflow: visible; }
  .findings { min-width: 0; }
  a { color: inherit; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false">
<defs>
<pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="5" height="5" class="hatch-ground"/><line x1="0" y1="0" x2="0" y2="5" class="hatch-line"/></pattern>
<pattern id="wrong" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><line x1="0" y1="0" x2="0" y2="7" class="wrong-line"/></pattern>
<pattern id="loss" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="4" height="4" class="loss-ground"/><circle cx="2" cy="2" r=".8" class="loss-dot"/></pattern>
</defs>
</svg>
<header class="bar">
<div class="bar-inner">
<p class="brand"><b>gate</b> report</p>
<nav aria-label="Sections">
<a href="#checks">Checks</a><a href="#suite-0">scores</a><a href="#items">Items</a><a href="#again">Reproduce</a>
</nav>
<div class="tools">
<button type="button" id="download" hidden>report.json</button>
<button type="button" id="theme" hidden>Theme: auto</button>
</div>
</div>
</header>
<main id="content" tabindex="-1">
<section class="verdict is-pass" aria-labelledby="verdict-title">
<h1 id="verdict-title"><span class="sign" aria-hidden="true">✓</span><span class="word">PASS</span></h1>
<div class="why">
<p class="lead">nothing speaks against it (3 checks passed, 2 not run)</p>
<p class="rates">error rates: by its scores an unchanged run would BLOCK under 0.1 % of the time and WARN under 0.1 %; a drop of 0.05 is caught 0.1 % (n = 20)</p>
</div>
</section>
<section id="checks" aria-labelledby="checks-title">
<h2 id="checks-title">Checks</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Findings">
<table class="findings">
<thead><tr><th scope="col">Check</th><th scope="col">Status</th><th scope="col">Finding</th><th scope="col">Numbers</th></tr></thead>
<tbody>
<tr><th scope="row">coverage</th><td><span class="chip is-pass"><span class="sign" aria-hidden="true">✓</span>pass</span></td><td>all 20 items compared</td><td class="numbers">n = 20</td></tr>
<tr><th scope="row">threshold</th><td><span class="chip is-not_run"><span class="sign" aria-hidden="true">–</span>not run</span></td><td>no bar checked</td><td class="numbers">mean 1.000, n = 20</td></tr>
<tr><th scope="row">regression</th><td><span class="chip is-pass"><span class="sign" aria-hidden="true">✓</span>pass</span></td><td>no regression shown: delta 0.000</td><td class="numbers">95 % interval [-0.168, 0.168], 0 wins, 0 losses, 20 ties, n = 20</td></tr>
<tr><th scope="row">drift</th><td><span class="chip is-pass"><span class="sign" aria-hidden="true">✓</span>pass</span></td><td>PSI 0.000 is at most 0.10</td><td class="numbers">stable, p = 1.000, n = 20</td></tr>
<tr><th scope="row">contamination</th><td><span class="chip is-not_run"><span class="sign" aria-hidden="true">–</span>not run</span></td><td>no corpus to search</td><td class="numbers"></td></tr>
</tbody>
</table>
</div>
</section>
<section id="suite-0" class="suite" aria-labelledby="suite-0-title">
<h2 id="suite-0-title">scores</h2>
<dl class="runs">
<div class="run-baseline"><dt>baseline</dt><dd><code>/tmp/pytest-of-root/pytest-315/scores0/64/a.csv</code> <span>csv, 20 items</span></dd></div>
<div class="run-candidate"><dt>candidate</dt><dd><code>/tmp/pytest-of-root/pytest-315/scores0/65/b.csv</code> <span>csv, 20 items</span></dd></div>
</dl>
<div class="cards">
<article id="suite-0-check-0" class="card is-pass" aria-labelledby="suite-0-check-0-title">
<header>
<h3 id="suite-0-check-0-title">coverage</h3>
<span class="chip is-pass"><span class="sign" aria-hidden="true">✓</span>pass</span>
</header>
<p class="finding">all 20 items compared</p>
<dl class="figures">
<div><dt>in both runs</dt><dd>20</dd></div>
</dl>
<p class="detail">n = 20</p></article>
<article id="suite-0-check-2" class="card is-pass" aria-labelledby="suite-0-check-2-title">
<header>
<h3 id="suite-0-check-2-title">regression</h3>
<span class="chip is-pass"><span class="sign" aria-hidden="true">✓</span>pass</span>
</header>
<p class="finding">no regression shown: delta 0.000</p>
<svg class="chart" viewBox="0 0 440 84" role="img" aria-label="delta 0.000, 95 % interval -0.168 to 0.168, no change 0.00">
<line class="grid" x1="134" x2="134" y1="22" y2="62"/><text class="tick" x="134" y="77" text-anchor="middle">-0.2</text>
<line class="grid" x1="250" x2="250" y1="22" y2="62"/><text class="tick" x="250" y="77" text-anchor="middle">0</text>
<line class="grid" x1="366" x2="366" y1="22" y2="62"/><text class="tick" x="366" y="77" text-anchor="middle">0.2</text>

<line class="axis" x1="76" x2="424" y1="62" y2="62"/>
<rect class="wrong" x="76" y="22" width="174" height="40"/>
<line class="limit" x1="250" x2="250" y1="18" y2="62"/>
<text class="limit-label" x="250" y="13" text-anchor="middle">no change</text>
<text class="name" x="68" y="42" text-anchor="end">exact</text>
<g class="whisker"><line x1="152.3" x2="347.7" y1="38" y2="38"/><line x1="152.3" x2="152.3" y1="32" y2="44"/><line x1="347.7" x2="347.7" y1="32" y2="44"/><circle cx="250" cy="38" r="5"/></g>
</svg>
<dl class="figures">
<div><dt>delta</dt><dd>0.000</dd></div>
<div><dt>95 % interval</dt><dd>-0.168 to 0.168</dd></div>
<div><dt>n</dt><dd>20</dd></div>
</dl>
<p class="detail">95 % interval [-0.168, 0.168], 0 wins, 0 losses, 20 ties, n = 20</p></article>
<article id="suite-0-check-3" class="card is-pass" aria-labelledby="suite-0-check-3-title">
<header>
<h3 id="suite-0-check-3-title">drift</h3>
<span class="chip is-pass"><span class="sign" aria-hidden="true">✓</span>pass</span>
</header>
<p class="finding">PSI 0.000 is at most 0.10</p>
<p class="legend" aria-hidden="true"><span><i class="key key-baseline"></i>baseline, n = 20</span><span><i class="key key-candidate"></i>candidate, n = 20</span><span><i class="key key-psi"></i>part of the PSI</span></p>
<svg class="chart" viewBox="0 0 440 58" role="img" aria-label="Two distributions over 1 bucket; PSI 0.000. The table below has the figures.">
<text class="head" x="104" y="12">items</text><text class="head" x="338" y="12">PSI 0.000</text>
<text class="name" x="96" y="39" text-anchor="end">1</text>
<rect class="of-baseline" x="104" y="23" width="140" height="11"/><text class="value" x="249" y="32.5">20 · 100 %</text>
<rect class="of-candidate" x="104" y="36" width="140" height="11"/><text class="value" x="249" y="45.5">20 · 100 %</text>
<rect class="of-psi" x="338" y="29" width="0" height="11"/><text class="value" x="343" y="38.5">0.000</text>
</svg>
<details>
<summary>The figures</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Buckets">
<table>
<thead><tr><th scope="col">Bucket</th><th scope="col" class="num">Baseline</th><th scope="col" class="num">Candidate</th><th scope="col" class="num">PSI</th></tr></thead>
<tbody>
<tr><th scope="row"><code>1</code></th><td class="num">20</td><td class="num">20</td><td class="num">0.000</td></tr>
</tbody>
</table>
</div>
</details>
<p class="detail">stable, p = 1.000, n = 20</p></article>
<article class="card" aria-label="Item by item">
<header><h3>item by item</h3></header>
<p class="finding">0 worse, 20 the same, 0 better, n = 20</p>
<svg class="chart" viewBox="0 0 440 34" role="img" aria-label="0 worse, 20 same, 0 better">
<rect class="of-same" x="12" y="2" width="416" height="14"/><text class="value" x="220" y="29" text-anchor="middle">same 20</text></svg>
<p class="aside">Items by their score in the <b>baseline</b> (rows) and in the <b>candidate</b> (columns)</p>
<div class="scroll" tabindex="0" role="region" aria-label="From baseline to candidate">
<table class="flips">
<thead><tr><td></td><th scope="col" class="num">1</th></tr></thead>
<tbody>
<tr><th scope="row" class="num">1</th><td class="num to-same lvl5">20</td></tr>
</tbody>
</table>
</div>
</article>
</div>
<details class="notes">
<summary>3 notes</summary>
<ul>
<li><b>coverage</b> baseline and candidate are the same file, byte for byte</li>
<li><b>drift</b> at n = 20 an unchanged run like this one is over 0.25 in 0 % and over 0.10 in 0 % of cases</li>
<li><b>candidate</b> score: higher is better, the scale is 0 to 1, assumed, since every score lies in it</li>
</ul>
</details>
</section>
<section id="what-if" aria-labelledby="what-if-title" hidden>
<h2 id="what-if-title">What if?</h2>
</section>
<section id="items" class="items" aria-labelledby="items-title">
<h2 id="items-title">Items</h2>
<p class="aside on-paper">The table of all items is not printed; the JSON report has every one.</p>
<div id="items-table"><p class="aside">The table of all items needs a script; each suite lists those that got worse, and the JSON report has every one.</p></div>
</section>
<section id="again" aria-labelledby="again-title">
<h2 id="again-title">How to have this report again</h2>
<pre class="command" tabindex="0">gate -q -n 0 tests/reports/test_reports.py tests/reports/test_templating.py tests/test_entry.py tests/test_targets.py tests/test_architecture.py tests/test_cases.py tests/test_schemas.py tests/test_cli.py -x</pre>
<dl class="facts">
<div><dt>seed</dt><dd>0</dd></div>
<div><dt>versions</dt><dd>gate 0.1.0, numpy 2.4.6</dd></div><div><dt>baseline</dt><dd><code>/tmp/pytest-of-root/pytest-315/scores0/64/a.csv</code>, read as csv, SHA-256 <code class="digest">e81c4d088828acd9f59100105a109c2f628623961d85e11b69fb5ea2b407bb39</code></dd></div>
<div><dt>candidate</dt><dd><code>/tmp/pytest-of-root/pytest-315/scores0/65/b.csv</code>, read as csv, SHA-256 <code class="digest">e81c4d088828acd9f59100105a109c2f628623961d85e11b69fb5ea2b407bb39</code></dd></div>
</dl>
</section>
</main>
<footer>
<p>Terms: <a href="https://github.com/OWNER/gate/blob/main/docs/glossary.md" rel="noopener noreferrer">https://github.com/OWNER/gate/blob/main/docs/glossary.md</a></p>
</footer>
<script type="application/json" id="report">{
 "schema_version": 1,
 "verdict": {
  "word": "PASS",
  "reasons": [],
  "warnings": []
 },
 "suites": [
  {
   "name": "scores",
   "baseline": {
    "path": "/tmp/pytest-of-root/pytest-315/scores0/64/a.csv",
    "digest": "e81c4d088828acd9f59100105a109c2f628623961d85e11b69fb5ea2b407bb39",
    "format": "csv",
    "n_items": 20,
    "n_samples": 20,
    "notes": [],
    "facts": {}
   },
   "candidate": {
    "path": "/tmp/pytest-of-root/pytest-315/scores0/65/b.csv",
    "digest": "e81c4d088828acd9f59100105a109c2f628623961d85e11b69fb5ea2b407bb39",
    "format": "csv",
    "n_items": 20,
    "n_samples": 20,
    "notes": ["score: higher is better, the scale is 0 to 1, assumed, since every score lies in it"],
    "facts": {}
   },
   "results": [
    {
     "check": "coverage",
     "status": "pass",
     "reason": "complete",
     "sentence": "all 20 items compared",
     "detail": "n = 20",
     "remedy": "",
     "notes": ["baseline and candidate are the same file, byte for byte"],
     "metric": "score",
     "figures": {
      "items": 20,
      "compared": 20,
      "missing": 0,
      "lost": 0,
      "changed": 0,
      "unscored": 0,
      "unscored_in_both": 0,
      "new": 0,
      "new_mean": null
     },
     "p_value": null,
     "if_not_upheld": "warn",
     "evidence": {
      "common": 20,
      "lost": [],
      "new": [],
      "changed": [],
      "unscored": {},
      "baseline_unscored": [],
      "new_mean": null
     },
     "waiver": null
    },
    {
     "check": "threshold",
     "status": "not_run",
     "reason": "no-bar",
     "sentence": "no bar checked",
     "detail": "mean 1.000, n = 20",
     "remedy": "",
     "notes": [],
     "metric": "score",
     "figures": {
      "mean": 1.0,
      "n": 20
     },
     "p_value": null,
     "if_not_upheld": "warn",
     "evidence": null,
     "waiver": null
    },
    {
     "check": "regression",
     "status": "pass",
     "reason": "no-regression-shown",
     "sentence": "no regression shown: delta 0.000",
     "detail": "95 % interval [-0.168, 0.168], 0 wins, 0 losses, 20 ties, n = 20",
     "remedy": "",
     "notes": [],
     "metric": "score",
     "figures": {
      "delta": 0.0,
      "low": -0.168433470983,
      "high": 0.168433470983,
      "exact_low": -0.168433470983,
      "exact_high": 0.168433470983,
      "p": 1.0,
      "margin": null,
      "p_at_margin": null,
      "wins": 0,
      "losses": 0,
      "ties": 20,
      "n": 20,
      "units": 20,
      "smallest_detectable_drop": null
     },
     "p_value": 1.0,
     "if_not_upheld": "warn",
     "evidence": {
      "estimate": {
       "value": 0.0,
       "low": -0.168433470983,
       "high": 0.168433470983,
       "confidence_level": 0.95,
       "method": "exact",
       "n": 20
      },
      "limit": 0.0,
      "limit_name": "no change",
      "axis": [-1.0, 1.0],
      "exact": {
       "low": -0.168433470983,
       "high": 0.168433470983,
       "p": 1.0
      },
      "parts": [],
      "value_name": "delta"
     },
     "waiver": null
    },
    {
     "check": "drift",
     "status": "pass",
     "reason": "stable",
     "sentence": "PSI 0.000 is at most 0.10",
     "detail": "stable, p = 1.000, n = 20",
     "remedy": "",
     "notes": ["at n = 20 an unchanged run like this one is over 0.25 in 0 % and over 0.10 in 0 % of cases"],
     "metric": "score",
     "figures": {
      "psi": 0.0,
      "p": 1.0,
      "unchanged_over_moderate": 0.0,
      "unchanged_over_significant": 0.0,
      "n": 20
     },
     "p_value": 1.0,
     "if_not_upheld": "warn",
     "evidence": {
      "labels": ["1"],
      "baseline": [20],
      "candidate": [20],
      "contributions": [0.0]
     },
     "waiver": null
    },
    {
     "check": "contamination",
     "status": "not_run",
     "reason": "no-corpus",
     "sentence": "no corpus to search",
     "detail": "",
     "remedy": "",
     "notes": [],
     "metric": null,
     "figures": {},
     "p_value": null,
     "if_not_upheld": "warn",
     "evidence": null,
     "waiver": null
    }
   ],
   "items": {
    "ids": ["i0000", "i0001", "i0002", "i0003", "i0004", "i0005", "i0006", "i0007", "i0008", "i0009", "i0010", "i0011", "i0012", "i0013", "i0014", "i0015", "i0016", "i0017", "i0018", "i0019"],
    "digests": [],
    "groups": [],
    "metrics": {
     "score": {
      "direction": "higher",
      "scale": [0.0, 1.0],
      "scale_origin": "assumed",
      "baseline": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
      "candidate": [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
      "status": ["scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored", "scored"],
      "reducer": "mean"
     }
    },
    "strata": [],
    "weights": []
   },
   "texts": {}
  }
 ],
 "provenance": {
  "command": "gate -q -n 0 tests/reports/test_reports.py tests/reports/test_templating.py tests/test_entry.py tests/test_targets.py tests/test_architecture.py tests/test_cases.py tests/test_schemas.py tests/test_cli.py -x",
  "seed": 0,
  "versions": {
   "gate": "0.1.0",
   "numpy": "2.4.6"
  },
  "options": {
   "version": 1,
   "policies": {
    "fail_on": "block",
    "show_text": "ids",
    "seed": 0
   },
   "suites": [
    {
     "name": "scores",
     "kind": "scores",
     "baseline": "/tmp/pytest-of-root/pytest-315/scores0/64/a.csv",
     "candidate": "/tmp/pytest-of-root/pytest-315/scores0/65/b.csv",
     "paired": true,
     "format": null,
     "select": null,
     "baseline_select": null,
     "candidate_select": null,
     "tasks": [],
     "tasks_as": "suites",
     "allow_unfinished": false,
     "metrics": {},
     "reduce": {},
     "columns": {
      "id": null,
      "score": null,
      "group": null,
      "sample": null,
      "inputs": null,
      "target": null,
      "prompt": null,
      "stratum": null,
      "weight": null
     },
     "direction": null,
     "scale": null,
     "checks": {
      "coverage": {
       "missing": "worst_case",
       "min_coverage": 0.9
      },
      "threshold": {
       "bar": null,
       "method": "bootstrap",
       "alpha": 0.05,
       "guard": "warn",
       "n_resamples": 10000
      },
      "regression": {
       "margin": null,
       "cannot_tell": "note"
      },
      "drift": {
       "rule": "calibrated",
       "edges": null,
       "quantiles": null,
       "n_swaps": 10000
      },
      "contamination": null,
      "arena": null
     }
    }
   ],
   "waivers": []
  },
  "digests": {},
  "today": null
 },
 "show_text": "ids",
 "fault": null,
 "waivers": [],
 "error_rates": {
  "block": 0.0,
  "warn": 0.0,
  "drop": 0.05,
  "caught": 0.0005,
  "sentence": "error rates: by its scores an unchanged run would BLOCK under 0.1 % of the time and WARN under 0.1 %; a drop of 0.05 is caught 0.1 % (n = 20)"
 },
 "glossary": "https://github.com/OWNER/gate/blob/main/docs/glossary.md"
}</script>
<script type="module">"use strict";
const in_panels_report_data = (() => {
// The JSON in the page: the text of the JSON report, but that every `<` is written as an escape.

/** The text of the JSON report, byte for byte. Escapes are read in pairs, so that a `\\` before `u003c` stays what it is. */
function originalText(embedded) {
  return embedded.replace(/\\(u003c|[^])/g, (escape, what) => (what === "u003c" ? "<" : escape));
}

function parseReport(embedded) {
  return JSON.parse(embedded);
}
return { originalText, parseReport };
})();
const in_panels_elements = (() => {
// Elements made of text: nothing foreign is ever read as markup.

// As the other reports show them: what does not print, or would turn the direction of the line.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** The text with what does not print written as an escape. */
function visible(text) {
  return String(text).replace(UNSEEN, (char) => {
    const code = char.codePointAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** An element with attributes and children; a child that is no element becomes visible text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  for (const child of children) made.append(child instanceof Node ? child : visible(child));
  return made;
}
return { visible, element };
})();
const in_panels_slice = (() => {
// Which rows of a long table are in sight. No page in here: node tests it.

// Browsers cap the height of an element; beyond this a pixel of scrolling is worth more than a pixel of rows.
const MOST_PIXELS = 8_000_000;

/** The height in pixels that the scrolled content pretends to have. */
function contentHeight(count, rowHeight, headHeight) {
  return Math.min(headHeight + count * rowHeight, MOST_PIXELS);
}

/** How many whole rows fit under the head, at least one. */
function rowsInSight(height, rowHeight, headHeight) {
  return Math.max(1, Math.floor((height - headHeight) / rowHeight));
}

/** The first row in sight where so much is scrolled. */
function firstInSight(scrolled, height, { count, rowHeight, headHeight }) {
  const last = Math.max(0, count - rowsInSight(height, rowHeight, headHeight));
  const room = contentHeight(count, rowHeight, headHeight) - height;
  return room <= 0 ? 0 : Math.min(last, Math.max(0, Math.round((scrolled / room) * last)));
}

/** How much is to be scrolled for a row to be the first in sight. */
function scrollTo(first, height, { count, rowHeight, headHeight }) {
  const last = Math.max(0, count - rowsInSight(height, rowHeight, headHeight));
  const room = Math.max(0, contentHeight(count, rowHeight, headHeight) - height);
  return last === 0 ? 0 : (Math.min(first, last) / last) * room;
}
return { contentHeight, rowsInSight, firstInSight, scrollTo };
})();
const in_panels_items = (() => {
// The items of a suite in one metric, as rows to sort and filter. No page in here: node tests it.

// Means of repeats that are equal on paper may differ by rounding; as in gate/reports/changes.py.
const TOLERANCE = 1e-12;

const OUTCOMES = ["worse", "same", "better", "not compared"];

const byName = new Intl.Collator("en", { numeric: true });

function outcomeOf(gain) {
  return gain < 0 ? "worse" : gain > 0 ? "better" : "same";
}

/** How much better the candidate is; NaN where the item is not compared. */
function gainOf(column, index) {
  const before = column.baseline[index], after = column.candidate[index];
  if (before === null || after === null || column.status[index] !== "scored") return NaN;
  const gain = (column.direction === "lower" ? -1 : 1) * (after - before);
  return Math.abs(gain) <= TOLERANCE * Math.max(1, Math.abs(before), Math.abs(after)) ? 0 : gain;
}

/** Id of a flagged item -> `confirmed` or `suspect`. */
function leaksOf(suite) {
  const leaks = new Map();
  for (const result of suite.results) {
    for (const leak of (result.evidence && result.evidence.leaks) || []) {
      leaks.set(leak.id, leak.confirmed ? "confirmed" : "suspect");
    }
  }
  return leaks;
}

/** The columns that the suite has something to show in: { key, label, numeric }. */
function columnsOf(suite, metric) {
  const items = suite.items;
  const has = (column) => column && column.length > 0;
  const column = metric === null ? null : items.metrics[metric];
  return [
    { key: "id", label: "Item", numeric: false },
    ...(has(items.groups) ? [{ key: "group", label: "Group", numeric: false }] : []),
    ...(has(items.strata) ? [{ key: "stratum", label: "Stratum", numeric: false }] : []),
    ...(column
      ? [
          ...(column.baseline.some((score) => score !== null) ? [{ key: "baseline", label: "Baseline", numeric: true }] : []),
          { key: "candidate", label: "Candidate", numeric: true },
          { key: "gain", label: "Gain", numeric: true },
          { key: "outcome", label: "Outcome", numeric: false },
          { key: "status", label: "Status", numeric: false },
        ]
      : []),
    ...(leaksOf(suite).size > 0 ? [{ key: "leak", label: "Leak", numeric: false }] : []),
  ];
}

/** One row an item, in the order of the JSON; `metric` null: the suite has none. */
function rowsOf(suite, metric) {
  const items = suite.items, column = metric === null ? null : items.metrics[metric], leaks = leaksOf(suite);
  return items.ids.map((id, index) => {
    const gain = column ? gainOf(column, index) : NaN;
    return {
      index,
      id,
      group: items.groups[index] || "",
      stratum: items.strata[index] || "",
      baseline: column ? column.baseline[index] : null,
      candidate: column ? column.candidate[index] : null,
      gain,
      outcome: Number.isNaN(gain) ? "not compared" : outcomeOf(gain),
      status: column ? column.status[index] : "",
      leak: leaks.get(id) || "",
      text: (suite.texts && suite.texts[id]) || "",
    };
  });
}

/** The rows that hold the words in an id, a group, a stratum or a text, and have the outcome; "" is any. */
function filterRows(rows, { words = "", outcome = "" }) {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (outcome !== "" && row.outcome !== outcome) return false;
    if (sought.length === 0) return true;
    const told = `${row.id}\n${row.group}\n${row.stratum}\n${row.text}`.toLowerCase();
    return sought.every((word) => told.includes(word));
  });
}

function isMissing(value) {
  return value === null || value === "" || Number.isNaN(value);
}

/** The rows sorted by a column, equal ones in the order of the JSON; those without a value last, either way. */
function sortRows(rows, key, descending) {
  const sign = descending ? -1 : 1;
  const compare = (a, b) => {
    const one = a[key], other = b[key];
    if (isMissing(one) || isMissing(other)) return isMissing(one) - isMissing(other) || a.index - b.index;
    const order = typeof one === "number" ? one - other : byName.compare(one, other);
    return sign * order || a.index - b.index;
  };
  return [...rows].sort(compare);
}
return { OUTCOMES, gainOf, leaksOf, columnsOf, rowsOf, filterRows, sortRows };
})();
const in_panels_printing = (() => {
// On paper nothing can be unfolded: what is folded is printed open.

function mount() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of opened) each.open = false;
  });
}
return { mount };
})();
const in_panels_theme = (() => {
// The colours: as the system has them, or one's own choice, kept where the browser lets a page keep anything.

const KEY = "gate-theme";
const CHOICES = ["auto", "light", "dark"];

function kept() {
  try {
    const choice = localStorage.getItem(KEY);
    return CHOICES.includes(choice) ? choice : "auto";
  } catch {
    return "auto"; // a page from a file or in a frame may be refused its storage
  }
}

function keep(choice) {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // it then holds for this visit
  }
}

function mount(button) {
  let choice = kept();
  const show = () => {
    if (choice === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    button.textContent = `Theme: ${choice}`;
  };
  button.addEventListener("click", () => {
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
    keep(choice);
    show();
  });
  show();
  button.hidden = false;
}
return { mount };
})();
const in_panels_numbers = (() => {
// How numbers are written, as in the other reports.

/** A score to six significant digits, without an exponent where one can do without. */
function score(value) {
  return value === null || Number.isNaN(value) ? "" : String(Number(value.toPrecision(6)));
}

/** A difference with its sign. */
function change(value) {
  return Number.isNaN(value) ? "" : `${value > 0 ? "+" : ""}${score(value)}`;
}

/** 1 item, 2 items. */
function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
return { score, change, count };
})();
const in_panels_download = (() => {
// The JSON report, saved from the page.

const { originalText } = in_panels_report_data;

function mount(button, embedded) {
  button.setAttribute("aria-label", "Download report.json");
  button.addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([originalText(embedded) + "\n"], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = "report.json";
    link.click();
    // later: some browsers read it only after the click is over
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  });
  button.hidden = false;
}
return { mount };
})();
const in_panels_grid = (() => {
// A table of any length: only the rows in sight are elements, and the arrow keys go through all of them.

const { element } = in_panels_elements;
const { contentHeight, firstInSight, rowsInSight, scrollTo } = in_panels_slice;

const ROW = 30, HEAD = 37;

/**
 * A grid in `place`. `cells(row)` are a row's cells, `onSort(key)` and `onPick(row)` are told what was asked for.
 * Returns `fill(columns, rows, sorting)`, which shows rows from the first on; `sorting` is { key, descending }.
 */
function makeGrid(place, { label, cells, onSort, onPick }) {
  const body = element("tbody");
  const head = element("tr", { "aria-rowindex": "1" });
  const table = element("table", { role: "grid", "aria-label": label }, element("thead", {}, head), body);
  const sizer = element("div", { class: "sizer" }, table);
  const view = element("div", { class: "rows", tabindex: "-1" }, sizer);
  place.replaceChildren(view);
  let rows = [], active = 0, picked = null;

  const measures = () => ({ count: rows.length, rowHeight: ROW, headHeight: HEAD });
  const first = () => firstInSight(view.scrollTop, view.clientHeight, measures());
  const inSight = () => rowsInSight(view.clientHeight, ROW, HEAD);

  function draw() {
    const start = first(), end = Math.min(rows.length, start + inSight());
    const focused = body.contains(document.activeElement);
    // the one row that Tab comes to must be in sight
    const stop = Math.min(Math.max(active, start), Math.max(start, end - 1));
    const drawn = rows.slice(start, end).map((row, offset) => {
      const number = start + offset;
      return element(
        "tr",
        {
          "aria-rowindex": String(number + 2),
          "aria-selected": String(row === picked),
          tabindex: number === stop ? "0" : "-1",
          "data-number": String(number),
        },
        ...cells(row),
      );
    });
    body.replaceChildren(...drawn);
    if (focused) focusOn(stop);
  }

  function focusOn(number) {
    const line = body.querySelector(`[data-number="${number}"]`);
    if (line) line.focus({ preventScroll: true });
  }

  function goTo(number) {
    active = Math.min(rows.length - 1, Math.max(0, number));
    const start = first(), fit = inSight();
    if (active < start) view.scrollTop = scrollTo(active, view.clientHeight, measures());
    else if (active >= start + fit) view.scrollTop = scrollTo(active - fit + 1, view.clientHeight, measures());
    draw();
    focusOn(active);
  }

  function pick(number) {
    active = number;
    picked = rows[number];
    draw();
    onPick(picked);
  }

  const numberOf = (target) => {
    const line = target.closest("tr[data-number]");
    return line ? Number(line.dataset.number) : null;
  };
  body.addEventListener("keydown", (event) => {
    const at = numberOf(event.target);
    if (at === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = inSight();
    const steps = {
      ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: rows.length - 1,
    };
    if (event.key in steps) goTo(steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") {
      pick(at);
      focusOn(at);
    } else return;
    event.preventDefault();
  });
  body.addEventListener("click", (event) => {
    const at = numberOf(event.target);
    if (at !== null) {
      pick(at);
      focusOn(at);
    }
  });
  let asked = false;
  view.addEventListener("scroll", () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  });
  new ResizeObserver(draw).observe(view);

  return function fill(columns, shown, sorting) {
    rows = shown;
    active = 0;
    table.setAttribute("aria-rowcount", String(rows.length + 1));
    table.setAttribute("aria-colcount", String(columns.length));
    const kept = document.activeElement && document.activeElement.dataset.key;
    head.replaceChildren(
      ...columns.map(({ key, label: name, numeric }) => {
        const button = element("button", { type: "button", "data-key": key }, name);
        button.addEventListener("click", () => onSort(key));
        const sorted = key === sorting.key ? (sorting.descending ? "descending" : "ascending") : "none";
        return element("th", { scope: "col", class: `col-${key}${numeric ? " num" : ""}`, "aria-sort": sorted }, button);
      }),
    );
    const again = kept && head.querySelector(`[data-key="${kept}"]`);
    if (again) again.focus({ preventScroll: true });
    sizer.style.height = `${contentHeight(rows.length, ROW, HEAD)}px`;
    view.scrollTop = 0;
    draw();
  };
}
return { makeGrid };
})();
const in_panels_one_item = (() => {
// All that the report knows of one item.

const { element } = in_panels_elements;
const { change, score } = in_panels_numbers;
const { gainOf } = in_panels_items;

function factsOf(suite, row) {
  const items = suite.items;
  return [
    ["group", row.group],
    ["stratum", row.stratum],
    ["weight", items.weights.length > 0 && items.weights[row.index] !== null ? score(items.weights[row.index]) : ""],
    ["leak", row.leak],
    ["digest", items.digests[row.index] || ""],
  ].filter(([, value]) => value !== "");
}

function scoresOf(suite, row) {
  const lines = Object.entries(suite.items.metrics).map(([name, column]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("code", {}, name)),
      element("td", { class: "num" }, score(column.baseline[row.index])),
      element("td", { class: "num" }, score(column.candidate[row.index])),
      element("td", { class: "num" }, change(gainOf(column, row.index))),
      element("td", {}, column.status[row.index]),
    ),
  );
  const heads = ["Metric", "Baseline", "Candidate", "Gain", "Status"].map((label, place) =>
    element("th", { scope: "col", class: place > 0 && place < 4 ? "num" : null }, label),
  );
  return element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...lines));
}

function show(place, suite, row) {
  const facts = factsOf(suite, row).map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value)),
  );
  const made = element("div", { class: "one-item" }, element("h3", {}, row.id));
  if (facts.length > 0) made.append(element("dl", { class: "figures" }, ...facts));
  if (Object.keys(suite.items.metrics).length > 0) {
    made.append(element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Its scores" }, scoresOf(suite, row)));
  }
  if (row.text !== "") made.append(element("p", { class: "text" }, ...row.text.split("\n").flatMap((line) => [line, "\n"]).map((line) => line === "\n" ? document.createTextNode(line) : line)));
  place.replaceChildren(made);
}
return { show };
})();
const in_panels_table = (() => {
// The table of all items: which suite, which metric, which rows, in which order.

const { element } = in_panels_elements;
const { makeGrid } = in_panels_grid;
const { columnsOf, filterRows, OUTCOMES, rowsOf, sortRows } = in_panels_items;
const { change, count, score } = in_panels_numbers;
const { show } = in_panels_one_item;

const TONES = { worse: "is-worse", better: "is-better", "not compared": "is-not-compared", same: "" };

function option(value, label) {
  return element("option", { value }, label);
}

function labelled(label, control) {
  return element("label", {}, label, control);
}

function cellOf(row, column) {
  const { key, numeric } = column;
  const told = key === "gain" ? change(row.gain) : numeric ? score(row[key]) : row[key];
  const tone = key === "gain" || key === "outcome" ? TONES[row.outcome] : "";
  const classes = [`col-${key}`, numeric ? "num" : "", tone].filter(Boolean).join(" ");
  return element("td", { class: classes, title: numeric ? null : told.slice(0, 400) || null }, told.slice(0, 400));
}

function mount(place, data) {
  const suites = data.suites.filter((suite) => suite.items.ids.length > 0);
  const state = { suite: suites[0], metric: null, words: "", outcome: "", key: "gain", descending: false };
  const suiteChoice = element("select", {}, ...suites.map((suite, index) => option(String(index), suite.name)));
  const metricChoice = element("select");
  const words = element("input", { type: "search", placeholder: "id, group, text", spellcheck: "false" });
  const outcome = element("select", {}, option("", "all"), ...OUTCOMES.map((name) => option(name, name)));
  const told = element("output", { "aria-live": "polite" });
  const metricLabel = labelled("Metric", metricChoice), outcomeLabel = labelled("Outcome", outcome);
  const controls = element("div", { class: "controls" });
  if (suites.length > 1) controls.append(labelled("Suite", suiteChoice));
  controls.append(metricLabel, labelled("Search", words), outcomeLabel, told);
  const grid = element("div"), detail = element("div", { "aria-live": "polite" });
  place.replaceChildren(controls, grid, detail);

  let columns = [], rows = [];
  const fill = makeGrid(grid, {
    label: "Items",
    cells: (row) => columns.map((column) => cellOf(row, column)),
    onSort: (key) => {
      state.descending = state.key === key ? !state.descending : false;
      state.key = key;
      refresh();
    },
    onPick: (row) => show(detail, state.suite, row),
  });

  function refresh() {
    const kept = filterRows(rows, state);
    told.textContent = kept.length === rows.length ? count(rows.length, "item") : `${kept.length} of ${count(rows.length, "item")}`;
    fill(columns, sortRows(kept, state.key, state.descending), state);
  }

  function choose() {
    const names = Object.keys(state.suite.items.metrics);
    if (!names.includes(state.metric)) {
      state.metric = names.length > 0 ? names[0] : null;
      metricChoice.replaceChildren(...names.map((name) => option(name, name)));
    }
    metricLabel.hidden = names.length < 2;
    outcomeLabel.hidden = state.metric === null;
    columns = columnsOf(state.suite, state.metric);
    rows = rowsOf(state.suite, state.metric);
    // the worst first, where anything can be worse
    if (!rows.some((row) => !Number.isNaN(row.gain))) columns = columns.filter(({ key }) => key !== "gain" && key !== "outcome");
    if (!columns.some(({ key }) => key === state.key)) Object.assign(state, { key: "id", descending: false });
    detail.replaceChildren();
    refresh();
  }

  suiteChoice.addEventListener("change", () => {
    state.suite = suites[Number(suiteChoice.value)];
    state.metric = null;
    choose();
  });
  metricChoice.addEventListener("change", () => {
    state.metric = metricChoice.value;
    choose();
  });
  words.addEventListener("input", () => {
    state.words = words.value;
    refresh();
  });
  outcome.addEventListener("change", () => {
    state.outcome = outcome.value;
    refresh();
  });
  choose();
}
return { mount };
})();
const in_panels_main = (() => {
// Where the page's script starts: each panel in its place.

const { mount: mountDownload } = in_panels_download;
const { mount: mountPrinting } = in_panels_printing;
const { parseReport } = in_panels_report_data;
const { mount: mountTable } = in_panels_table;
const { mount: mountTheme } = in_panels_theme;

const place = (id) => document.getElementById(id);

const embedded = place("report").textContent;
const data = parseReport(embedded);

mountTheme(place("theme"));
mountDownload(place("download"), embedded);
mountPrinting();
// what_if.js has its place here: it fills the section `what-if`
if (place("items-table")) mountTable(place("items-table"), data);
return {  };
})();
</script>
</body>
</html>
