/** Use of clusters by other brokers, for the lines below a table of sites: what counts, and its age. */
import { instantText } from "./instant-text.ts";
import { printable } from "./text-table.ts";

/** Counted use by one broker at one site. */
interface Told {
  readonly peer: string;
  readonly heardAt: string;
  readonly leftOut: number;
  readonly counted: readonly { readonly site: string; readonly jobs: number; readonly procs: number }[];
}

/** A site with the use by other brokers. */
interface WithPeers {
  readonly peers?: readonly (Omit<Told, "counted"> & { readonly jobs: number; readonly procs: number })[];
}

/** One line per broker at the given sites. */
export function peerLines<Item extends WithPeers>(
  items: readonly Item[],
  siteOf: (item: Item) => string,
): string {
  const told = new Map<string, Told>();
  for (const item of items) {
    for (const { peer, heardAt, leftOut, jobs, procs } of item.peers ?? []) {
      const before = told.get(peer)?.counted ?? [];
      const counted = jobs === 0 ? before : [...before, { site: siteOf(item), jobs, procs }];
      told.set(peer, { peer, heardAt, leftOut, counted });
    }
  }
  return toldLines([...told.values()]);
}

/** A line: `broker east, heard 2026-11-20 09:00:00: 4 processors of 1 job at blue count as use; …`. */
export function toldLines(all: readonly Told[]): string {
  return all.map((told) => `${printable(toldText(told))}\n`).join("");
}

function toldText({ peer, heardAt, leftOut, counted }: Told): string {
  const use = counted.map(({ site, jobs, procs }) => {
    return `${procs} processors of ${jobs} ${jobs === 1 ? "job" : "jobs"} at ${site}`;
  });
  const counts = use.length === 0 ? "nothing of it counts as use" : `${use.join(", ")} count as use`;
  const more = leftOut === 0 ? "" : `; ${leftOut} more of its jobs were not reported`;
  return `broker ${peer}, heard ${instantText(heardAt)}: ${counts}${more}; later jobs are not known`;
}
