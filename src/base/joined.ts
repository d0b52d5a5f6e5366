/**
 * Tables that several modules bring, as one table.
 */

/** What every member of a union is at once. */
export type IntersectionOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** One table of all; its type says which entries it has, so that a missing one does not compile. */
export function joined<Table extends object>(tables: readonly Table[]): IntersectionOf<Table> {
  return Object.assign({}, ...tables);
}
