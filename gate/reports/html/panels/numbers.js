// How numbers are written, as in the other reports.

/** A score to six significant digits, without an exponent where one can do without. */
export function score(value) {
  return value === null || Number.isNaN(value) ? "" : String(Number(value.toPrecision(6)));
}

/** A difference with its sign. */
export function change(value) {
  return Number.isNaN(value) ? "" : `${value > 0 ? "+" : ""}${score(value)}`;
}
