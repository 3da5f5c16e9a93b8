// Every figure of the teaching pages for the JSON on standard input; prints JSON.

import { readFileSync } from "node:fs";

import { choicesOf, expected, plugIn, truth, unbiased } from "../../studies/figures/pass_at_k.js";
import {
  chanceToWin,
  eloTrace,
  evenStrengths,
  fitByMm,
  mmStep,
  shuffled,
  winMatrix,
} from "../../studies/figures/arena.js";

const { tasks, rates, battles, seeds, iterations } = JSON.parse(readFileSync(0, "utf8"));
const trace = [evenStrengths(4)];
const wins = winMatrix(battles, 4);
for (let step = 0; step < iterations; step++) trace.push(mmStep(wins, trace.at(-1)));
const orders = [battles, ...seeds.map((seed) => shuffled(battles, seed))];
process.stdout.write(
  JSON.stringify({
    tasks: tasks.map(([n, c, k]) => [
      unbiased(n, c, k),
      plugIn(n, c, k),
      choicesOf(n, k).filter((set) => set[0] < c).length,
    ]),
    rates: rates.map(([n, k, rate]) => [expected(unbiased, n, k, rate), expected(plugIn, n, k, rate), truth(k, rate)]),
    orders: orders.map((order) => ({ order, elo: eloTrace(order, 4).at(-1) })),
    wins,
    trace: trace.slice(1),
    fit: fitByMm(wins),
    chances: [chanceToWin(trace.at(20), 0, 3), chanceToWin(trace.at(20), 1, 2)],
  }),
);
