// Lines over a frame with grid, axes and names, as wide as there is room for.

import { drawing } from "../../gate/reports/html/panels/nodes.js";

const LEFT = 44;
const RIGHT = 72;
const TOP = 14;
const BOTTOM = 40;
const HEIGHT = 300;
const LEAST_WIDTH = 270;
const MOST_WIDTH = 760;
const NAME_GAP = 15;

/**
 * Draw lines.
 *
 * @param {object} frame
 * @param {[number, number]} frame.x the ends of the horizontal axis.
 * @param {[number, number]} frame.y the ends of the vertical one.
 * @param {[number, string][]} frame.ticksX where the axis is marked, and how.
 * @param {[number, string][]} frame.ticksY likewise.
 * @param {string} frame.title what the horizontal axis shows.
 * @param {string} frame.told the drawing in words.
 * @param {number | null} frame.mark where a vertical line stands.
 * @param {{name: string, kind: string, points: [number, number][]}[]} lines `kind`: one, two, three or four.
 * @param {number} room in pixels.
 */
export function drawLines({ x, y, ticksX, ticksY, title, told, mark }, lines, room) {
  const width = Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, room));
  const right = width - RIGHT;
  const atX = (value) => LEFT + ((value - x[0]) / (x[1] - x[0])) * (right - LEFT);
  const atY = (value) => HEIGHT - BOTTOM - ((value - y[0]) / (y[1] - y[0])) * (HEIGHT - BOTTOM - TOP);
  const pathOf = (points) =>
    points.map(([px, py], index) => `${index ? "L" : "M"}${rounded(atX(px))} ${rounded(atY(py))}`).join("");
  const names = apart(lines.map(({ points }) => atY(points.at(-1)[1])));
  return drawing(
    "svg",
    { class: "lab-chart", viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img", "aria-label": told },
    ...ticksY.flatMap(([value, text]) => [
      drawing("path", { class: "lab-grid", d: `M${LEFT} ${rounded(atY(value))}H${right}` }),
      drawing("text", { x: LEFT - 6, y: rounded(atY(value)) + 4, "text-anchor": "end" }, text),
    ]),
    ...ticksX.map(([value, text]) =>
      drawing("text", { x: rounded(atX(value)), y: HEIGHT - BOTTOM + 17, "text-anchor": "middle" }, text),
    ),
    drawing("path", { class: "lab-axis", d: `M${LEFT} ${HEIGHT - BOTTOM}H${right}` }),
    drawing("text", { x: (LEFT + right) / 2, y: HEIGHT - 5, "text-anchor": "middle" }, title),
    ...(mark === null
      ? []
      : [drawing("path", { class: "lab-limit", d: `M${rounded(atX(mark))} ${TOP}V${HEIGHT - BOTTOM}` })]),
    ...lines.flatMap(({ name, kind, points }, index) => [
      drawing("path", { class: `lab-line lab-${kind}`, d: pathOf(points) }),
      drawing("circle", {
        class: `lab-dot lab-${kind}`,
        cx: rounded(atX(points.at(-1)[0])),
        cy: rounded(atY(points.at(-1)[1])),
        r: 3.5,
      }),
      drawing("text", { class: `lab-${kind}`, x: right + 6, y: rounded(names[index]) + 4 }, name),
    ]),
  );
}

function rounded(value) {
  return Math.round(value * 10) / 10;
}

/** Heights of names, moved down where they would overlap. */
function apart(heights) {
  const moved = [...heights];
  const order = heights.map((_, index) => index).sort((a, b) => heights[a] - heights[b]);
  order.slice(1).forEach((index, before) => {
    moved[index] = Math.max(moved[index], moved[order[before]] + NAME_GAP);
  });
  return moved;
}
