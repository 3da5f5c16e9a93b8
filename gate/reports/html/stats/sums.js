// Sums, from the first number on.

/** The sum of numbers. */
export function sum(numbers) {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** The sum of products. */
export function dot(left, right) {
  let total = 0;
  for (let index = 0; index < left.length; index++) total += left[index] * right[index];
  return total;
}

/** The sums of the rows and of the columns of a square table of counts. */
export function marginsOf(table) {
  return { rows: table.map(sum), columns: table.map((_, column) => sum(table.map((row) => row[column]))) };
}
