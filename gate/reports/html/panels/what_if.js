// The what-if panel: move the candidate's scores, the bar and alpha, and see what the gate would say.

import { TooFineError, judge, verdictOf } from "../stats/judge.js";
import { movePairs } from "../stats/pairing.js";
import { sum } from "../stats/sums.js";
import { say } from "./nodes.js";
import { WORKED_EXAMPLE, driftBuckets, runsOf } from "./what_if_runs.js";
import { fragmentOf, isAlpha, isBar, isMeant, ownSetting, readSetting, withCount } from "./what_if_setting.js";
import { buildView } from "./what_if_view.js";

/**
 * Build the panel.
 *
 * @param {HTMLElement} section an element with its heading, which the panel is appended to and which is shown then.
 * @param {object} data the parsed JSON report.
 */
export function mount(section, data) {
  const { runs, refused } = runsOf(data);
  const runAt = (choice) => (choice === null ? WORKED_EXAMPLE : runs[choice]);
  const first = () => ownSetting(runs.length > 0 ? 0 : null, runAt(runs.length > 0 ? 0 : null));
  const state = { setting: first() };

  const show = () => view.show(state.setting, runAt(state.setting.choice), recompute(state.setting, runAt));
  const change = (changes) => {
    const setting = { ...state.setting, ...changes };
    // what cannot be, half typed, leaves things as they are
    if (!isBar(setting.bar, runAt(setting.choice)) || !isAlpha(setting.alpha)) return;
    state.setting = setting;
    show();
    history.replaceState(null, "", fragmentOf(setting, runAt(setting.choice)));
  };
  const choose = (choice) => change(ownSetting(choice, runAt(choice)));
  const view = buildView(
    section,
    runs.map((run) => run.name),
    refused,
    {
      onCount: (index, wanted) => change({ counts: withCount(state.setting.counts, index, wanted) }),
      onChange: change,
      onChoose: choose,
      onReset: () => choose(state.setting.choice),
    },
  );

  const follow = () => {
    if (!isMeant(location.hash)) return;
    const found = readSetting(location.hash, runAt);
    if (found !== null) state.setting = found;
    say(
      view.complaint,
      found === null ? "The address holds a setting that is none of this report: it is not used." : "",
    );
    show();
  };
  window.addEventListener("hashchange", follow);
  section.hidden = false;
  show();
  follow();
}

/** What the gate would say of a setting, or why that cannot be told. */
export function recompute(setting, runAt) {
  const run = runAt(setting.choice);
  const table = run.table === null ? null : movePairs(run.table, setting.counts);
  const given = { ...run, counts: setting.counts, table };
  const { bar, alpha, rule } = setting;
  try {
    const found = judge(given, { ...run.options, bar, alpha, rule, buckets: driftBuckets(run) });
    const checks = ["threshold", "regression", "drift"].filter((check) => run.isOn[check] || check === "threshold");
    const verdict = verdictOf(checks.map((check) => found[check]));
    const passesAll = ["threshold", "regression", "drift"].every((check) => found[check].status === "pass");
    return { ...found, checks, verdict, table, passesAll, moved: movedFrom(run.counts, setting.counts), why: "" };
  } catch (fault) {
    if (fault instanceof TooFineError) return { why: fault.message };
    throw fault;
  }
}

function movedFrom(own, counts) {
  return sum(counts.map((count, index) => Math.max(0, count - own[index])));
}
