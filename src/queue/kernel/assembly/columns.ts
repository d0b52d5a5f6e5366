/**
 * Columns of numbers that grow by doubling. What they leave behind stays with the memory of the kernel, which
 * ends with it: together never more than what is in use.
 */

/** A longer copy of a column. */
export function grownNumbers(column: StaticArray<f64>, rows: i32): StaticArray<f64> {
  const longer = new StaticArray<f64>(rows);
  memory.copy(changetype<usize>(longer), changetype<usize>(column), (<usize>column.length) << 3);
  return longer;
}

/** A longer copy of a column of rows or places. */
export function grownPlaces(column: StaticArray<i32>, rows: i32): StaticArray<i32> {
  const longer = new StaticArray<i32>(rows);
  memory.copy(changetype<usize>(longer), changetype<usize>(column), (<usize>column.length) << 2);
  return longer;
}

/** Copies [from, end) of a column to `to` in the same column. */
export function moveNumbers(column: StaticArray<f64>, to: i32, from: i32, end: i32): void {
  const at = changetype<usize>(column);
  memory.copy(at + ((<usize>to) << 3), at + ((<usize>from) << 3), (<usize>(end - from)) << 3);
}

/** Copies [from, end) of a column of rows to `to` in the same column. */
export function movePlaces(column: StaticArray<i32>, to: i32, from: i32, end: i32): void {
  const at = changetype<usize>(column);
  memory.copy(at + ((<usize>to) << 2), at + ((<usize>from) << 2), (<usize>(end - from)) << 2);
}
