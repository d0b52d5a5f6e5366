/**
 * Tables that several modules bring, as one table.
 */

/** Intersection of the members of a union. */
export type IntersectionOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** Entries that stand in more than one of the tables. */
type EntriesOfTwo<Tables extends readonly object[], Seen = never> = Tables extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? (keyof First & Seen) | EntriesOfTwo<Rest, Seen | keyof First>
  : never;

/**
 * One table of all; its type says which entries it has, so that a missing one does not compile, nor one that
 * two tables of a list have.
 */
export function joined<const Tables extends readonly object[]>(
  tables: Tables &
    ([EntriesOfTwo<Tables>] extends [never] ? unknown : { readonly inTwo: EntriesOfTwo<Tables> }),
): IntersectionOf<Tables[number]> {
  return Object.assign({}, ...tables);
}
