/**
 * The slots that a site advertises: what its whole queue leaves free ([PROV] ch. 3, rule EN-22).
 *
 * On demand, from the site's queue played on a copy: ours at a managed site, the picture of the last look at
 * a foreign one. Advisory: nothing is held for whoever reads them. Slots are of processors, where whether the
 * memory suffices is seen when a job is placed; and of each store and link.
 * Departs from the source in that every slot is divisible: there a hole before a task is sold whole at a
 * fixed price; here any part of it may be reserved or queued into, at the site's prices.
 * Cost: the queue's plan, which is kept as long as the queue does not change, and O(P) for its profile.
 */
import { type PriceBook, type ResourceKind, reservationRulesOf, wholeResources } from "../model/index.ts";
import { type Slot, slotsOf } from "../profile/index.ts";
import type { NamedQueue } from "../queue/index.ts";
import { leftFree } from "./queue-plan.ts";
import { isOpen, type SiteState } from "./site-state.ts";

/** A slot set as it was advertised at an instant. */
export interface Advertisement {
  readonly site: string;
  /** Grows whenever the set has changed otherwise than by the passing of time. */
  readonly sequence: number;
  readonly atMs: number;
  /** None where no new job may go: the site is drained, or cannot be reached or used. */
  readonly slots: readonly Slot[];
  /** Of its stores, then its links; a slot's `procs` are bytes, or bytes a second. */
  readonly resources: readonly ResourceSlots[];
  /** By what they are priced; nobody is delayed, so f is what the site asks for each transaction. */
  readonly priceBook: PriceBook;
}

/** The slots of a store or of a link. */
export interface ResourceSlots {
  readonly kind: ResourceKind;
  readonly name: string;
  /** So much of it is priced as a processor. */
  readonly perProc: number;
  readonly slots: readonly Slot[];
}

/**
 * The slots of a site at an instant.
 *
 * @param before what was advertised last; a first number is the instant itself, so that numbers go on
 * growing over a restart
 */
export function advertise(site: SiteState, nowMs: number, before?: Advertisement): Advertisement {
  const sources: object[] = [];
  const slotsOfQueue = (queue: NamedQueue): readonly Slot[] => {
    const { profile, of } = leftFree(queue, nowMs);
    sources.push(of);
    return slotsOf(profile).map((slot) => ({ ...slot, divisible: true }));
  };
  const slots = isOpen(site) ? slotsOfQueue(site.queue) : [];
  const resources = isOpen(site) ? resourcesNow(site, slotsOfQueue) : [];
  const { unitPriceThousandths, transactionProcMs, prices = [] } = reservationRulesOf(site.spec);
  const priceBook = { unitPriceThousandths, transactionProcMs, prices };
  sources.push(site.spec);
  const now = { site: site.name, atMs: nowMs, slots, resources, priceBook };
  const isSame = before !== undefined && (hasSources(before, sources) || isSameSet(before, now));
  const sequence = isSame ? before.sequence : Math.max(nowMs, (before?.sequence ?? 0) + 1);
  const advertisement = { ...now, sequence };
  sourcesOf.set(advertisement, sources);
  return advertisement;
}

/** What sets were read from: two of the same sources differ in that time passed, and need not be compared. */
const sourcesOf = new WeakMap<Advertisement, readonly object[]>();

function hasSources(advertisement: Advertisement, sources: readonly object[]): boolean {
  const its = sourcesOf.get(advertisement) ?? [];
  return its.length === sources.length && its.every((it, at) => it === sources[at]);
}

function resourcesNow(
  { resources, spec }: SiteState,
  slotsOfQueue: (queue: NamedQueue) => readonly Slot[],
): readonly ResourceSlots[] {
  return wholeResources(spec).flatMap(({ kind, name, perProc }) => {
    const queue = resources.get(name);
    return queue === undefined ? [] : [{ kind, name, perProc, slots: slotsOfQueue(queue) }];
  });
}

type Shown = Pick<Advertisement, "atMs" | "slots" | "resources" | "priceBook">;

/** Whether two sets differ at most in that time passed: in what begins now, and in the horizon. */
function isSameSet(before: Shown, now: Shown): boolean {
  const texts = ({ slots, resources, priceBook }: Shown): string =>
    [
      JSON.stringify(priceBook),
      lastingText(slots, now.atMs),
      ...resources.map(({ kind, name, perProc, slots: its }) =>
        [kind, name, perProc, lastingText(its, now.atMs)].join("\n"),
      ),
    ].join("\n\n");
  return texts(before) === texts(now);
}

/**
 * The set as a later instant sees it, without what that instant alone decides. Slots that begin at the same
 * time once the past is gone are one.
 */
function lastingText(slots: readonly Slot[], fromMs: number): string {
  const procsOf = new Map<string, number>();
  for (const { startAt, procs, durationMs, extensible } of slots) {
    const endMs = startAt + durationMs;
    if (!extensible && endMs <= fromMs) continue;
    const interval = `${Math.max(startAt, fromMs)} ${extensible ? "on" : endMs}`;
    procsOf.set(interval, (procsOf.get(interval) ?? 0) + procs);
  }
  return [...procsOf].sort().join("\n");
}
