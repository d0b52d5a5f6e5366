/**
 * Jobs by queue, size, account and user, the groups with most jobs first.
 */
import type { Grouping } from "../../model/index.ts";
import type { StartedJob } from "./play-record.ts";

/** Some jobs that have something in common. */
export interface Group<Item> {
  readonly by: Grouping;
  readonly name: string;
  readonly items: readonly Item[];
}

/** The groups of a kind; jobs without a value are in none. */
export function grouped<Item extends { readonly job: StartedJob }>(
  items: readonly Item[],
  by: Grouping,
): readonly Group<Item>[] {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    const name = by === "size" ? sizeClass(item.job.procs) : item.job[by];
    if (name === "") continue;
    const group = found.get(name);
    if (group === undefined) found.set(name, [item]);
    else group.push(item);
  }
  const groups = [...found].map(([name, those]) => ({ by, name, items: those }));
  if (by === "size") return groups.sort((one, other) => leastOf(one) - leastOf(other));
  return groups.sort(
    (one, other) => other.items.length - one.items.length || (one.name < other.name ? -1 : 1),
  );
}

function leastOf({ items }: Group<{ readonly job: StartedJob }>): number {
  return items[0].job.procs;
}

/** 1, 2, 3–4, 5–8, … processors. */
function sizeClass(procs: number): string {
  const at = Math.ceil(Math.log2(procs));
  const [from, to] = [at === 0 ? 1 : 2 ** (at - 1) + 1, 2 ** at];
  return from === to ? String(to) : `${from}–${to}`;
}
