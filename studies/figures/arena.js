// Elo, which depends on the order of the battles, and Bradley-Terry's strengths, which do not, as gate/stats/elo.py and
// bradley_terry_mm.py have them.

import { randomBits } from "../../gate/reports/html/stats/swaps.js";
import { sum } from "../../gate/reports/html/stats/sums.js";

const AT_STAKE = 32;
const START = 1000;
const SCALE = 400;
const PRECISE = 1e-12;
const MOST_ITERATIONS = 100_000;

/**
 * The ratings after each battle, from the start on.
 *
 * @param {[number, number][]} battles the winner and the loser of each, in the order of play.
 * @param {number} models how many there are.
 * @returns {number[][]} (battles + 1, models).
 *
 * Source: Elo, The Rating of Chessplayers, Past and Present (1978), section 1.6.
 */
export function eloTrace(battles, models) {
  const trace = [Array(models).fill(START)];
  for (const [winner, loser] of battles) {
    const ratings = [...trace.at(-1)];
    const expected = 1 / (1 + 10 ** ((ratings[loser] - ratings[winner]) / SCALE));
    const moved = AT_STAKE * (1 - expected);
    ratings[winner] += moved;
    ratings[loser] -= moved;
    trace.push(ratings);
  }
  return trace;
}

/** How often each model beat each other one. */
export function winMatrix(battles, models) {
  const wins = Array.from({ length: models }, () => Array(models).fill(0));
  for (const [winner, loser] of battles) wins[winner][loser]++;
  return wins;
}

/**
 * One MM iteration: p_i <- W_i / sum_j n_ij / (p_i + p_j), normalised to the sum 1.
 *
 * Source: Zermelo (1929); Hunter, MM Algorithms for Generalized Bradley-Terry Models (2004), equation 3.
 */
export function mmStep(wins, strengths) {
  const raised = wins.map((row, model) => {
    const games = row.map((won, other) => won + wins[other][model]);
    return (
      sum(row) / sum(games.map((number, other) => (number > 0 ? number / (strengths[model] + strengths[other]) : 0)))
    );
  });
  const total = sum(raised);
  return raised.map((strength) => strength / total);
}

/** The strengths before the first iteration. */
export function evenStrengths(models) {
  return Array(models).fill(1 / models);
}

/** The likeliest strengths, and the iterations until every model's wins are those expected to 12 digits. */
export function fitByMm(wins) {
  let strengths = evenStrengths(wins.length);
  for (let iterations = 1; iterations <= MOST_ITERATIONS; iterations++) {
    strengths = mmStep(wins, strengths);
    if (isFitted(wins, strengths)) return { strengths, iterations };
  }
  return { strengths, iterations: MOST_ITERATIONS };
}

function isFitted(wins, strengths) {
  return wins.every((row, model) => {
    const won = sum(row);
    const expected = sum(
      row.map((number, other) => (number + wins[other][model]) * chanceToWin(strengths, model, other)),
    );
    return Math.abs(won - expected) <= PRECISE * won;
  });
}

/** The chance that one model beats another. */
export function chanceToWin(strengths, model, other) {
  return strengths[model] / (strengths[model] + strengths[other]);
}

/** The battles in a random order; the same one for the same seed. */
export function shuffled(battles, seed) {
  const random = randomBits(seed);
  const order = [...battles];
  for (let last = order.length - 1; last > 0; last--) {
    const other = random() % (last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
