// A table of any length: only the rows in sight are elements, and the arrow keys go through all of them.

import { element } from "./elements.js";
import { contentHeight, firstInSight, rowsInSight, scrollTo } from "./slice.js";

const ROW = 30, HEAD = 37;

/**
 * A grid in `place`. `cells(row)` are a row's cells, `onSort(key)` and `onPick(row)` are told what was asked for.
 * Returns `fill(columns, rows, sorting)`, which shows rows from the first on; `sorting` is { key, descending }.
 */
export function makeGrid(place, { label, cells, onSort, onPick }) {
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
