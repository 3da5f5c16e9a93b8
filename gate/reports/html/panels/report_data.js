// The JSON in the page: the text of the JSON report, but that every `<` is written as an escape.

/** The text of the JSON report, byte for byte. Escapes are read in pairs, so that a `\\` before `u003c` stays what it is. */
export function originalText(embedded) {
  return embedded.replace(/\\(u003c|[^])/g, (escape, what) => (what === "u003c" ? "<" : escape));
}

export function parseReport(embedded) {
  return JSON.parse(embedded);
}
