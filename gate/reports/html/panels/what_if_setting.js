// A setting of the what-if panel, as the fragment of an address holds it. A fragment may come from anybody: what is not
// exactly a setting of one of these runs is none.

import { sum } from "../stats/sums.js";

export const LEAST_ALPHA = 0.001;
export const MOST_ALPHA = 0.5;
const EXAMPLE = "example";
const OWN = "own";
const NUMBER = "-?[0-9]{1,15}(?:[.][0-9]{1,15})?(?:e[+-]?[0-9]{1,2})?";
const FORM = new RegExp(
  `^#what-if=(${EXAMPLE}|[0-9]{1,4});counts=(${OWN}|[0-9]{1,5}(?:,[0-9]{1,5}){0,40});bar=(none|${NUMBER});` +
    `alpha=(0[.][0-9]{1,9});rule=(calibrated|bands)$`,
);
const LONGEST = 600;

/** A run's own setting: its counts and the options in force. */
export function ownSetting(choice, run) {
  return { choice, counts: [...run.counts], bar: run.options.bar, alpha: run.options.alpha, rule: run.options.rule };
}

/** The fragment for a setting of a run. */
export function fragmentOf({ choice, counts, bar, alpha, rule }, { isFixed }) {
  const chosen = choice === null ? EXAMPLE : choice;
  return `#what-if=${chosen};counts=${isFixed ? OWN : counts.join(",")};bar=${bar ?? "none"};alpha=${alpha};rule=${rule}`;
}

/** Whether a fragment is meant for this panel at all. */
export function isMeant(fragment) {
  return fragment.startsWith("#what-if=");
}

/**
 * The setting that a fragment holds.
 *
 * @param {string} fragment with its `#`, from anybody.
 * @param {(choice: number | null) => object | undefined} runAt the run with this index; null: the worked example.
 * @returns {object | null} null where it is no setting of any of these runs.
 */
export function readSetting(fragment, runAt) {
  const match = fragment.length <= LONGEST ? FORM.exec(fragment) : null;
  if (match === null) return null;
  const choice = match[1] === EXAMPLE ? null : Number(match[1]);
  const run = runAt(choice);
  const isOwn = match[2] === OWN;
  if (run === undefined || isOwn !== run.isFixed) return null;
  const counts = isOwn ? [...run.counts] : match[2].split(",").map(Number);
  const bar = match[3] === "none" ? null : Number(match[3]);
  const alpha = Number(match[4]);
  if (counts.length !== run.counts.length || sum(counts) !== sum(run.counts)) return null;
  if (!isBar(bar, run) || !isAlpha(alpha)) return null;
  return { choice, counts, bar, alpha, rule: match[5] };
}

/** Whether a bar can be set: none, or a number on the scale. */
export function isBar(bar, { scale }) {
  if (bar === null) return true;
  return Number.isFinite(bar) && (scale === null || (scale.low <= bar && bar <= scale.high));
}

/** Whether an error of the interval can be set. */
export function isAlpha(alpha) {
  return alpha >= LEAST_ALPHA && alpha <= MOST_ALPHA;
}

/**
 * The counts once one of them is set: what it gains or loses comes from or goes to the next scores up, then those down.
 *
 * @param {number[]} counts (k).
 * @param {number} index of the one that is set.
 * @param {number} wanted any number; it is held to what there is.
 */
export function withCount(counts, index, wanted) {
  const moved = [...counts];
  const whole = Number.isFinite(wanted) ? Math.round(wanted) : counts[index];
  let lacking = Math.min(sum(counts), Math.max(0, whole)) - counts[index];
  moved[index] += lacking;
  for (const other of othersOf(counts.length, index)) {
    const given = Math.min(lacking, moved[other]);
    moved[other] -= given;
    lacking -= given;
  }
  return moved;
}

function othersOf(k, index) {
  const up = Array.from({ length: k - index - 1 }, (_, step) => index + 1 + step);
  const down = Array.from({ length: index }, (_, step) => index - 1 - step);
  return [...up, ...down];
}
