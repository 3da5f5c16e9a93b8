// The items of a suite in one metric, as rows to sort and filter. No page in here: node tests it.

// Means of repeats that are equal on paper may differ by rounding; as in gate/reports/changes.py.
const TOLERANCE = 1e-12;

export const OUTCOMES = ["worse", "same", "better", "not compared"];

const byName = new Intl.Collator("en", { numeric: true });

function outcomeOf(gain) {
  return gain < 0 ? "worse" : gain > 0 ? "better" : "same";
}

/** How much better the candidate is; NaN where the item is not compared. */
export function gainOf(column, index) {
  const before = column.baseline[index], after = column.candidate[index];
  if (before === null || after === null || column.status[index] !== "scored") return NaN;
  const gain = (column.direction === "lower" ? -1 : 1) * (after - before);
  return Math.abs(gain) <= TOLERANCE * Math.max(1, Math.abs(before), Math.abs(after)) ? 0 : gain;
}

/** Id of a flagged item -> `confirmed` or `suspect`. */
export function leaksOf(suite) {
  const leaks = new Map();
  for (const result of suite.results) {
    for (const leak of (result.evidence && result.evidence.leaks) || []) {
      leaks.set(leak.id, leak.confirmed ? "confirmed" : "suspect");
    }
  }
  return leaks;
}

/** The columns that the suite has something to show in: { key, label, numeric }. */
export function columnsOf(suite, metric) {
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
export function rowsOf(suite, metric) {
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
export function filterRows(rows, { words = "", outcome = "" }) {
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
export function sortRows(rows, key, descending) {
  const sign = descending ? -1 : 1;
  const compare = (a, b) => {
    const one = a[key], other = b[key];
    if (isMissing(one) || isMissing(other)) return isMissing(one) - isMissing(other) || a.index - b.index;
    const order = typeof one === "number" ? one - other : byName.compare(one, other);
    return sign * order || a.index - b.index;
  };
  return [...rows].sort(compare);
}
