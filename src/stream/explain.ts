/**
 * Why a stream waits: which resource is short, by how much, whose it is, when it will be there, and the
 * smallest change that would help.
 */
import {
  admit,
  type FreeResources,
  freeResources,
  type HeldResources,
  type StreamNeed,
  type StreamPool,
  type StreamShortage,
} from "./admission.ts";

/** A holder with its end, as far as it is known. */
export interface ExplainedHolder extends HeldResources {
  /** Expected end; absent for one that goes on until it is stopped. */
  readonly endMs?: number;
  /** True for a stream that reserves and does not run. */
  readonly isReserving?: boolean;
}

/** One short resource. */
interface ShortResource extends StreamShortage {
  readonly missing: number;
  /** Holders of the resource, the largest first. */
  readonly holders: readonly {
    readonly id: string;
    readonly amount: number;
    readonly isReserving: boolean;
  }[];
  /** Instant at which enough is free if holders end as expected; `Infinity` where that is not known. */
  readonly availableAtMs: number;
}

/** Why a stream waits. */
export interface StreamExplanation {
  readonly short: readonly ShortResource[];
  /** Instant at which nothing is short any more. */
  readonly startAtMs: number;
  /** The one shortage that a smaller minimum would end, with that minimum; absent where several are short. */
  readonly smallestChange?: Pick<StreamShortage, "resource" | "link"> & { readonly lowerTo: number };
}

/** Explains a stream that waits; nothing is short where it could start now. */
export function explainWaiting(
  need: StreamNeed,
  pool: StreamPool,
  holders: readonly ExplainedHolder[],
  nowMs: number,
): StreamExplanation {
  const verdict = admit(need, freeResources(pool, holders));
  const shortages = verdict.kind === "waits" ? verdict.shortages : [];
  const short = shortages.map((shortage): ShortResource => {
    const amountOf = (holder: HeldResources) => amountHeld(holder, shortage, need);
    const having = holders
      .map((holder) => ({
        id: holder.id,
        amount: amountOf(holder),
        isReserving: holder.isReserving ?? false,
      }))
      .filter(({ amount }) => amount > 0)
      .sort((one, other) => other.amount - one.amount || (one.id < other.id ? -1 : 1));
    return {
      ...shortage,
      missing: shortage.needed - shortage.available,
      holders: having,
      availableAtMs: firstFit(shortage, { need, pool, holders, nowMs }),
    };
  });
  const startAtMs = Math.max(nowMs, ...short.map(({ availableAtMs }) => availableAtMs));
  const [only] = shortages;
  if (shortages.length !== 1 || only.available <= 0) return { short, startAtMs };
  const { resource, link, available: lowerTo } = only;
  const smallestChange = { resource, lowerTo, ...(link === undefined ? {} : { link }) };
  return { short, startAtMs, smallestChange };
}

function amountHeld(
  { procs, link, bytesPerSec, storageBytes }: HeldResources,
  { resource }: StreamShortage,
  need: StreamNeed,
): number {
  if (resource === "storage") return storageBytes;
  if (resource === "bandwidth") return link === need.link ? bytesPerSec : 0;
  return need.classes.reduce((sum, name) => sum + (procs[name] ?? 0), 0);
}

interface Scene {
  readonly need: StreamNeed;
  readonly pool: StreamPool;
  readonly holders: readonly ExplainedHolder[];
  readonly nowMs: number;
}

/** The first end of a holder after which this resource is no longer short. */
function firstFit({ resource }: StreamShortage, { need, pool, holders, nowMs }: Scene): number {
  const isShort = (left: readonly ExplainedHolder[]): boolean => {
    const free: FreeResources = freeResources(pool, left);
    const verdict = admit(need, free);
    return verdict.kind === "waits" && verdict.shortages.some((it) => it.resource === resource);
  };
  const ends = holders.flatMap(({ endMs }) => (endMs === undefined ? [] : [Math.max(nowMs, endMs)]));
  const instants = [...new Set(ends)].sort((one, other) => one - other);
  return (
    instants.find((atMs) => !isShort(holders.filter(({ endMs }) => (endMs ?? Infinity) > atMs))) ?? Infinity
  );
}
