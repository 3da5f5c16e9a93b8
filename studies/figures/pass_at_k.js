// pass@k of one task, as gate/stats/pass_at_k.py has it, and what its estimators come to on average.

/** The number of ways to choose k of n, n small. */
export function choose(n, k) {
  if (k < 0 || k > n) return 0;
  let ways = 1;
  for (let taken = 1; taken <= k; taken++) ways = (ways * (n - k + taken)) / taken;
  return Math.round(ways);
}

/** 1 - C(n - c, k) / C(n, k): the share of all choices of k samples that hold a pass; Chen et al. (2021), equation 1. */
export function unbiased(n, c, k) {
  return 1 - choose(n - c, k) / choose(n, k);
}

/** 1 - (1 - c / n)^k, which draws with replacement. */
export function plugIn(n, c, k) {
  return 1 - (1 - c / n) ** k;
}

/** What an estimator comes to on average over runs of n samples that each pass with chance `rate`. */
export function expected(estimator, n, k, rate) {
  let total = 0;
  for (let c = 0; c <= n; c++) total += choose(n, c) * rate ** c * (1 - rate) ** (n - c) * estimator(n, c, k);
  return total;
}

/** The truth: 1 - (1 - rate)^k. */
export function truth(k, rate) {
  return 1 - (1 - rate) ** k;
}

/** All choices of k of the numbers 0 to n - 1, in order. */
export function choicesOf(n, k, from = 0) {
  if (k === 0) return [[]];
  const found = [];
  for (let first = from; first <= n - k; first++) {
    for (const rest of choicesOf(n, k - 1, first + 1)) found.push([first, ...rest]);
  }
  return found;
}
