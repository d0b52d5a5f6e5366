/**
 * Admission: whether a stream's minima fit beside those of the streams that run.
 *
 * A stream waits if it lacks free eligible processors, if the minimum bandwidths exceed what streams may have
 * of its link, or if the minimum storages exceed the store. Source: [STREAM] 3.1, with I in place of B.
 * Cost: O(classes) per stream.
 */

/** The minima of a stream, as admission sees them. */
export interface StreamNeed {
  readonly id: string;
  readonly procs: number;
  /** Classes of processors on which it can run, the best first. */
  readonly classes: readonly string[];
  /** True where all its processors are of one class. */
  readonly isOneClass?: boolean;
  /** The link over which its data come. */
  readonly link: string;
  readonly bytesPerSec: number;
  readonly storageBytes: number;
}

/** Resources of a pool. */
export interface StreamPool {
  readonly procs: Readonly<Record<string, number>>;
  /** Bandwidth of each link for streams: its total less margin and other traffic. */
  readonly inboundBytesPerSec: Readonly<Record<string, number>>;
  readonly storageBytes: number;
}

/** Processors of each class. */
export type ProcsByClass = Readonly<Record<string, number>>;

/** A stream that holds resources: one that runs (a halted one too), or one that reserves them. */
export interface HeldResources {
  readonly id: string;
  readonly procs: ProcsByClass;
  readonly link: string;
  readonly bytesPerSec: number;
  readonly storageBytes: number;
}

/** A resource that is too short for a stream. */
export interface StreamShortage {
  readonly resource: "processors" | "bandwidth" | "storage";
  /** The link, where bandwidth is short. */
  readonly link?: string;
  readonly needed: number;
  readonly available: number;
}

/** Free resources of a pool. */
export interface FreeResources {
  readonly procs: Record<string, number>;
  readonly bytesPerSec: Record<string, number>;
  storageBytes: number;
}

/** Verdict on one stream: potentially eligible with its processors, or what is short. */
export type Admission =
  | { readonly kind: "potential"; readonly procs: ProcsByClass }
  | { readonly kind: "waits"; readonly shortages: readonly StreamShortage[] };

/** Resources that remain in a pool; below 0 if the holders have more than the total. */
export function freeResources(pool: StreamPool, holders: readonly HeldResources[]): FreeResources {
  const free: FreeResources = {
    procs: { ...pool.procs },
    bytesPerSec: { ...pool.inboundBytesPerSec },
    storageBytes: pool.storageBytes,
  };
  for (const holder of holders) hold(free, holder);
  return free;
}

/** Takes what a holder has out of what is free. */
export function hold(free: FreeResources, { procs, link, bytesPerSec, storageBytes }: HeldResources): void {
  for (const [name, count] of Object.entries(procs)) free.procs[name] = (free.procs[name] ?? 0) - count;
  free.bytesPerSec[link] = (free.bytesPerSec[link] ?? 0) - bytesPerSec;
  free.storageBytes -= storageBytes;
}

/** Gives back what a holder has. */
export function release(
  free: FreeResources,
  { procs, link, bytesPerSec, storageBytes }: HeldResources,
): void {
  for (const [name, count] of Object.entries(procs)) free.procs[name] = (free.procs[name] ?? 0) + count;
  free.bytesPerSec[link] = (free.bytesPerSec[link] ?? 0) + bytesPerSec;
  free.storageBytes += storageBytes;
}

/** Sums of rates differ in their last digit. */
const RATE_ERROR = 1e-9;

/** Tests a stream against what is free: all three conditions, so that every shortage is known. */
export function admit(need: StreamNeed, free: FreeResources): Admission {
  const { procs, link, bytesPerSec, storageBytes } = need;
  const shortages: StreamShortage[] = [];
  const eligible = eligibleProcs(need, free);
  if (eligible < procs) shortages.push({ resource: "processors", needed: procs, available: eligible });
  const rate = free.bytesPerSec[link] ?? 0;
  if (bytesPerSec > rate + RATE_ERROR * bytesPerSec) {
    shortages.push({ resource: "bandwidth", link, needed: bytesPerSec, available: Math.max(0, rate) });
  }
  if (storageBytes > free.storageBytes) {
    const available = Math.max(0, free.storageBytes);
    shortages.push({ resource: "storage", needed: storageBytes, available });
  }
  if (shortages.length > 0) return { kind: "waits", shortages };
  return { kind: "potential", procs: takeProcs(need, free) };
}

function eligibleProcs({ classes, isOneClass = false }: StreamNeed, free: FreeResources): number {
  const counts = classes.map((name) => Math.max(0, free.procs[name] ?? 0));
  return isOneClass ? Math.max(0, ...counts) : counts.reduce((sum, count) => sum + count, 0);
}

/** Processors for a stream, from its best class on; fewer than it needs where they are not free. */
export function takeProcs({ procs, classes, isOneClass }: StreamNeed, free: FreeResources): ProcsByClass {
  if (isOneClass === true) return takeOneClass({ procs, classes }, free);
  const taken: Record<string, number> = {};
  let rest = procs;
  for (const name of classes) {
    const count = Math.min(rest, Math.max(0, free.procs[name] ?? 0));
    if (count > 0) taken[name] = count;
    rest -= count;
  }
  return taken;
}

/** Processors of the best class that has enough; of the one that has most where none has. */
function takeOneClass(
  { procs, classes }: Pick<StreamNeed, "procs" | "classes">,
  free: FreeResources,
): ProcsByClass {
  const freeOf = (name: string): number => Math.max(0, free.procs[name] ?? 0);
  const enough = classes.find((name) => freeOf(name) >= procs);
  if (enough !== undefined) return { [enough]: procs };
  const [most] = [...classes].sort((one, other) => freeOf(other) - freeOf(one));
  return most === undefined || freeOf(most) === 0 ? {} : { [most]: freeOf(most) };
}

/** Resources that a stream would hold with these processors. */
export function heldBy(
  { id, link, bytesPerSec, storageBytes }: StreamNeed,
  procs: ProcsByClass,
): HeldResources {
  return { id, procs, link, bytesPerSec, storageBytes };
}

/** The minima that no state of the pool can meet; empty for a stream that an empty pool admits. */
export function neverMet(need: StreamNeed, pool: StreamPool): readonly StreamShortage[] {
  const verdict = admit(need, freeResources(pool, []));
  return verdict.kind === "waits" ? verdict.shortages : [];
}
