// The interval against the bar, by the bootstrap and by the exact bound, on the scale: the one that decides as the report
// draws it, the other one beside it.

import { limit, number } from "../stats/wording.js";
import { drawing } from "./nodes.js";

const ROW = 34;
const TOP = 34;
const MARGIN = 14;
const LEAST_WIDTH = 260;
const MOST_WIDTH = 760;

/**
 * Draw both intervals, as wide as there is room for.
 *
 * @param {object} figures of the threshold check.
 * @param {{bar: number | null}} setting
 * @param {{scale: object | null, scores: number[], lowerIsBetter: boolean, options: {method: string}}} run
 * @param {number} room in pixels.
 */
export function drawIntervals(figures, { bar }, run, room) {
  const width = Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, room));
  const { low, high } = run.scale ?? ends([...run.scores, bar ?? figures.mean]);
  const at = (value) => MARGIN + ((value - low) / (high - low || 1)) * (width - 2 * MARGIN);
  const rows = [["bootstrap", figures.bootstrapLow, figures.bootstrapHigh]];
  if (figures.exactLow !== null) rows.push(["exact", figures.exactLow, figures.exactHigh]);
  const height = TOP + rows.length * ROW + 26;
  const told = rows.map(([name, from, to]) => `${name} interval ${number(from)} to ${number(to)}`).join(", ");
  const named = bar === null ? "" : `, ${run.lowerIsBetter ? "ceiling" : "bar"} ${limit(bar)}`;
  return drawing(
    "svg",
    {
      class: "lab-chart",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": `mean ${number(figures.mean)}, ${told}${named}`,
    },
    ...(bar === null ? [] : [wrongSideOf([at(low), at(bar), at(high)], height, run)]),
    drawing("path", { class: "lab-axis", d: `M${at(low)} ${height - 20}H${at(high)}` }),
    drawing("text", { x: at(low), y: height - 5 }, shown(low)),
    drawing("text", { x: at(high), y: height - 5, "text-anchor": "end" }, shown(high)),
    ...rows.flatMap(([name, from, to], index) =>
      rowOf([name, run.options.method === name], [from, figures.mean, to].map(at), TOP + index * ROW + 14, width),
    ),
    ...(bar === null
      ? []
      : barOf(at(bar), `${run.lowerIsBetter ? "ceiling" : "bar"} ${limit(bar)}`, { width, height })),
  );
}

function wrongSideOf([low, bar, high], height, { lowerIsBetter }) {
  const [from, to] = lowerIsBetter ? [bar, high] : [low, bar];
  return drawing("rect", { class: "wrong", x: from, y: 20, width: Math.max(0, to - from), height: height - 40 });
}

function rowOf([name, decides], [from, mean, to], y, width) {
  const isRight = from > width * 0.7;
  return [
    drawing(
      "g",
      { class: decides ? "whisker" : "whisker is-beside" },
      drawing("path", { d: `M${from} ${y}H${to}M${from} ${y - 6}V${y + 6}M${to} ${y - 6}V${y + 6}` }),
      ...(decides ? [drawing("circle", { cx: mean, cy: y, r: 5 })] : []),
    ),
    drawing("text", { x: isRight ? to : from, y: y - 10, "text-anchor": isRight ? "end" : "start" }, name),
  ];
}

function barOf(x, name, { width, height }) {
  const anchor = x > width / 2 ? "end" : "start";
  return [
    drawing("path", { class: "lab-limit", d: `M${x} 6V${height - 20}` }),
    drawing("text", { class: "lab-strong", x: x + (anchor === "end" ? -6 : 6), y: 16, "text-anchor": anchor }, name),
  ];
}

function ends(values) {
  return { low: Math.min(...values), high: Math.max(...values) };
}

function shown(value) {
  return String(Number(value.toPrecision(6)));
}
