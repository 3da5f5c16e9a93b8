// The page of the arena: the order of the battles moves Elo, and Bradley-Terry's strengths stand.

import { element } from "../../gate/reports/html/panels/elements.js";
import { button, say } from "../../gate/reports/html/panels/nodes.js";
import { count, fixed } from "../../gate/reports/html/stats/wording.js";
import { chanceToWin, eloTrace, evenStrengths, fitByMm, mmStep, shuffled, winMatrix } from "./arena.js";
import { drawLines } from "./chart.js";

const MODELS = ["A", "B", "C", "D"];
const KINDS = ["one", "two", "three", "four"];
// How often row beat column, of examples/arena/battles.csv; its battles are listed row by row.
const WINS = [
  [0, 2, 3, 3],
  [1, 0, 2, 3],
  [0, 1, 0, 2],
  [0, 0, 1, 0],
];
const LISTED = WINS.flatMap((row, winner) =>
  row.flatMap((won, loser) => Array.from({ length: won }, () => [winner, loser])),
);
const FITTED = fitByMm(WINS);
const state = { battles: LISTED, order: "as listed", shuffles: 0, strengths: [evenStrengths(MODELS.length)] };
const place = (name) => document.getElementById(name);

function start() {
  const upsetsLast = [...LISTED].sort((left, right) => Number(isUpset(left)) - Number(isUpset(right)));
  place("orders").append(
    button("As listed", () => order(LISTED, "as listed")),
    button("Shuffle", () => order(shuffled(LISTED, ++state.shuffles), `shuffle ${state.shuffles}`)),
    button("Backwards", () => order([...LISTED].reverse(), "backwards")),
    button("Upsets last", () => order(upsetsLast, "upsets last")),
    button("Upsets first", () => order([...upsetsLast].reverse(), "upsets first")),
  );
  place("steps").append(
    button("One iteration", () => iterate(1)),
    button("Ten", () => iterate(10)),
    button("To the end", () => iterate(FITTED.iterations - state.strengths.length + 1)),
    button("Back to the start", () => restart()),
  );
  window.addEventListener("resize", show);
  show();
}

function isUpset([winner, loser]) {
  return FITTED.strengths[winner] < FITTED.strengths[loser];
}

function order(battles, name) {
  Object.assign(state, { battles, order: name });
  show();
}

function iterate(times) {
  for (let time = 0; time < times && state.strengths.length <= FITTED.iterations; time++) {
    state.strengths.push(mmStep(WINS, state.strengths.at(-1)));
  }
  show();
}

function restart() {
  state.strengths = [evenStrengths(MODELS.length)];
  show();
}

function show() {
  showBattles();
  showElo();
  showIterations();
}

function showBattles() {
  const last = state.battles.length - 1;
  const rows = state.battles.map(([winner, loser], at) => {
    const name = `${MODELS[winner]} beat ${MODELS[loser]}`;
    return element(
      "li",
      {},
      name,
      button("↑", () => move(at, at - 1, 0), {
        "aria-label": `battle ${at + 1}, ${name}: earlier`,
        disabled: at === 0 ? "" : null,
      }),
      button("↓", () => move(at, at + 1, 1), {
        "aria-label": `battle ${at + 1}, ${name}: later`,
        disabled: at === last ? "" : null,
      }),
    );
  });
  place("battles").replaceChildren(...rows);
}

/** Exchange two neighbours; the button that was pressed moves along. */
function move(from, to, which) {
  const battles = [...state.battles];
  [battles[from], battles[to]] = [battles[to], battles[from]];
  order(battles, "by hand");
  const buttons = place("battles").children[to].querySelectorAll("button");
  (buttons[which].disabled ? buttons[1 - which] : buttons[which]).focus();
}

function showElo() {
  const trace = eloTrace(state.battles, MODELS.length);
  const listed = eloTrace(LISTED, MODELS.length).at(-1);
  const ratings = trace.at(-1);
  say(
    place("order-told"),
    `Order: ${state.order}. Elo ${MODELS.map((model, index) => `${model} ${fixed(ratings[index], 1)}`).join(", ")}.`,
  );
  place("elo").replaceChildren(
    ...MODELS.map((model, index) => {
      const strength = FITTED.strengths[index];
      const cells = [fixed(ratings[index], 1), signed(ratings[index] - listed[index]), fixed(strength, 4)];
      return rowOf(model, cells);
    }),
  );
  const lines = MODELS.map((model, index) => ({
    name: `${model} ${fixed(ratings[index], 0)}`,
    kind: KINDS[index],
    points: trace.map((row, battle) => [battle, row[index]]),
  }));
  const frame = {
    x: [0, LISTED.length],
    y: [880, 1120],
    mark: null,
    title: "battles played",
    ticksX: [0, 6, 12, 18].map((each) => [each, String(each)]),
    ticksY: [900, 1000, 1100].map((each) => [each, String(each)]),
    told: `Elo after each of ${LISTED.length} battles, order ${state.order}`,
  };
  place("elo-chart").replaceChildren(drawLines(frame, lines, place("elo-chart").clientWidth));
}

function showIterations() {
  const made = state.strengths.length - 1;
  const now = state.strengths.at(-1);
  const isEnd = made === FITTED.iterations;
  const told = `${count(made, "iteration")} of ${FITTED.iterations}${isEnd ? ": every model's wins are those expected, to 12 digits" : ""}.`;
  const chances = `A beats D with ${fixed(chanceToWin(now, 0, 3), 3)}, B beats C with ${fixed(chanceToWin(now, 1, 2), 3)}.`;
  const moved = made > 0 ? ` The last step moved A by ${fixed(now[0] - state.strengths.at(-2)[0], 4)}.` : "";
  say(place("mm-told"), `${told}${moved} ${chances}`);
  place("mm").replaceChildren(
    ...MODELS.map((model, index) =>
      rowOf(model, [
        fixed(now[index], 4),
        fixed(FITTED.strengths[index], 4),
        signed(now[index] - FITTED.strengths[index], 4),
      ]),
    ),
  );
  const most = Math.max(20, made);
  const lines = MODELS.map((model, index) => ({
    name: `${model} ${fixed(now[index], 3)}`,
    kind: KINDS[index],
    points: state.strengths.map((row, iteration) => [iteration, row[index]]),
  }));
  const frame = {
    x: [0, most],
    y: [0, 0.8],
    mark: null,
    title: "MM iterations",
    ticksX: [0, 0.25, 0.5, 0.75, 1].map((share) => [share * most, String(Math.round(share * most))]),
    ticksY: [0, 0.2, 0.4, 0.6, 0.8].map((each) => [each, fixed(each, 1)]),
    told: `Strengths after each of ${count(made, "MM iteration")}`,
  };
  place("mm-chart").replaceChildren(drawLines(frame, lines, place("mm-chart").clientWidth));
}

function signed(value, decimals = 1) {
  const text = fixed(value, decimals);
  return Number(text) > 0 ? `+${text}` : text;
}

function rowOf(name, cells) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, name),
    ...cells.map((cell) => element("td", { class: "lab-figure" }, cell)),
  );
}

start();
