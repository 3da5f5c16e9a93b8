// Judges every setting of a JSON list on standard input as the panel does; prints a JSON list of results.

import { readFileSync } from "node:fs";

import { judge } from "../../../gate/reports/html/stats/judge.js";
import { movePairs } from "../../../gate/reports/html/stats/pairing.js";
import { bucketsOf, quantileEdges } from "../../../gate/reports/html/stats/psi.js";
import { marginsOf } from "../../../gate/reports/html/stats/sums.js";

const settings = JSON.parse(readFileSync(0, "utf8"));
const results = settings.map(({ run, options, edges, quantiles }) => {
  const table = movePairs(run.table, run.counts);
  const inner = quantiles === null ? edges : quantileEdges(run.scores, marginsOf(table).rows, quantiles);
  const buckets = bucketsOf(run.scores, inner);
  return { table, ...judge({ ...run, table }, { ...options, buckets }) };
});
process.stdout.write(JSON.stringify(results));
