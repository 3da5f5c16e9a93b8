// Writes every number of a JSON list on standard input by one function of wording.js; prints a JSON list.

import { readFileSync } from "node:fs";

import * as wording from "../../../gate/reports/html/stats/wording.js";

const { name, numbers } = JSON.parse(readFileSync(0, "utf8"));
const written = numbers.map((each) => (Array.isArray(each) ? wording[name](...each) : wording[name](each)));
process.stdout.write(JSON.stringify(written));
