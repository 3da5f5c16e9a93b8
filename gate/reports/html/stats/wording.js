// How numbers are written, as gate/wording.py has it.

const DECIMALS = 3;
const MOST_DECIMALS = 12;
const LARGE = 1e6;
const LARGE_DIGITS = 6;

/** A figure to so many decimals; of two that are as near, the even one; never a minus zero. */
export function fixed(value, decimals) {
  const doubled = value * 2 ** (decimals + 1);
  const scaled = Math.abs(value) * 10 ** decimals;
  const isTie = Number.isInteger(doubled) && scaled % 1 === 0.5;
  const text = isTie ? tieToEven(value, scaled, decimals) : value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

function tieToEven(value, scaled, decimals) {
  const below = Math.floor(scaled);
  const even = below % 2 === 0 ? below : below + 1;
  return ((Math.sign(value) * even) / 10 ** decimals).toFixed(decimals);
}

/** A figure to three decimals, a large one to six digits. */
export function number(value) {
  return Math.abs(value) < LARGE ? fixed(value, DECIMALS) : largeNumber(value);
}

function largeNumber(value) {
  const [digits, exponent] = value.toExponential(LARGE_DIGITS - 1).split("e");
  if (Number(exponent) < LARGE_DIGITS) return String(Number(value.toPrecision(LARGE_DIGITS)));
  const sign = exponent[0];
  return `${String(Number(digits))}e${sign}${exponent.slice(1).padStart(2, "0")}`;
}

/** With as many digits as tell it apart from any other number, in Python's form. */
function everyDigit(value) {
  if (Number.isInteger(value)) return `${value}.0`;
  return String(value).replace(/e([+-])(\d)$/, "e$10$2");
}

/** A figure to three decimals, or to as many as it takes not to look like a limit that it differs from. */
export function numberBeside(value, bound) {
  if (Math.abs(value) >= LARGE) return value === bound ? number(value) : everyDigit(value);
  for (let decimals = DECIMALS; decimals <= MOST_DECIMALS; decimals++) {
    const text = fixed(value, decimals);
    if (value === bound || Number(text) !== Number(bound.toFixed(decimals))) return text;
  }
  return everyDigit(value);
}

/** A bar or margin as its author wrote it, with at least two decimals: 0.70, 0.975. */
export function limit(value) {
  const two = fixed(value, 2);
  return Number(two) === value ? two : everyDigit(value);
}

/** A p-value to three decimals, never as zero. */
export function probability(value) {
  return value < 0.001 ? "< 0.001" : `= ${fixed(value, DECIMALS)}`;
}

/** A share in percent to one decimal, without one where it is whole. */
export function percent(share) {
  return `${fixed(share * 100, 1).replace(/\.0$/, "")} %`;
}

/** A confidence level in percent with as many digits as it takes: 95 %, 99.99 %. */
export function confidence(level) {
  return `${Number((100 * level).toPrecision(10))} %`;
}

/** A number with its noun: 1 item, 2 items. */
export function count(numberOf, noun) {
  return numberOf === 1 ? `1 ${noun}` : `${numberOf} ${noun}s`;
}
