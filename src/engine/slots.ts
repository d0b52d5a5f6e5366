/**
 * The slots that a site advertises: what its whole queue leaves free ([PROV] ch. 3, rule EN-22).
 *
 * On demand, from the site's queue played on a copy: ours at a managed site, the picture of the last look at
 * a foreign one. Advisory: nothing is held for whoever reads them. Slots are of processors, with free memory
 * and GPUs beside them; and of each store and link.
 * Departs from the source in that every slot is divisible: there a hole before a task is sold whole at a
 * fixed price; here any part of it may be reserved or queued into, at the site's prices.
 * Cost: the queue's plan, which is kept as long as the queue does not change, and O(P) for its profile.
 */
import { type PriceBook, type ResourceKind, reservationRulesOf, wholeResources } from "../model/index.ts";
import type { FreeBeside } from "../plan/index.ts";
import { isSameFrom, type Slot, slotsOf } from "../profile/index.ts";
import type { NamedQueue } from "../queue/index.ts";
import { type LeftFree, leftFree } from "./queue-plan.ts";
import { isOpen, type SiteState } from "./state/site-state.ts";

/** A slot set as it was advertised at an instant. */
export interface Advertisement {
  readonly site: string;
  /** Grows whenever the set has changed otherwise than by the passing of time. */
  readonly sequence: number;
  readonly atMs: number;
  /** None where no new job may go: the site is drained, or cannot be reached or used. */
  readonly slots: readonly Slot[];
  /** Free memory and GPUs from each instant until the next; none where there are no slots. Unix ms. */
  readonly freeBeside: readonly FreeBeside[];
  /** Slots of its stores, then of its links; `procs` of a slot are bytes, or bytes a second. */
  readonly resources: readonly ResourceSlots[];
  /** By what they are priced; nobody is delayed, so f is what the site asks for each transaction. */
  readonly priceBook: PriceBook;
}

/** The slots of a store or of a link. */
interface ResourceSlots {
  readonly kind: ResourceKind;
  readonly name: string;
  /** So much of it is priced as a processor. */
  readonly perProc: number;
  readonly slots: readonly Slot[];
}

/** The slots that a site's queue leaves, found out elsewhere. */
export interface FoundSlots {
  readonly left: LeftFree;
  /** All divisible. */
  readonly slots: readonly Slot[];
}

/**
 * The slots of a site at an instant.
 *
 * @param before what was advertised last; a first number is the instant itself, so that numbers go on
 * growing over a restart
 * @param found what its queue leaves at this instant, where that was found out elsewhere
 */
export function advertise(
  site: SiteState,
  nowMs: number,
  before?: Advertisement,
  found?: FoundSlots,
): Advertisement {
  const sources: Source[] = [];
  const slotsFound = ({ left, slots }: FoundSlots): readonly Slot[] => {
    sources.push(left);
    return slots;
  };
  const slotsOfQueue = (queue: NamedQueue): readonly Slot[] => {
    const left = leftFree(queue, nowMs);
    const slots = slotsOf(left.profile).map((slot) => ({ ...slot, divisible: true }));
    return slotsFound({ left, slots });
  };
  const ofItsQueue = () => (found === undefined ? slotsOfQueue(site.queue) : slotsFound(found));
  const slots = isOpen(site) ? ofItsQueue() : [];
  const freeBeside = sources.flatMap(({ profile }) => besideProcessors(profile));
  const resources = isOpen(site) ? resourcesNow(site, slotsOfQueue) : [];
  const { unitPriceThousandths, transactionProcMs, prices = [] } = reservationRulesOf(site.spec);
  const priceBook = { unitPriceThousandths, transactionProcMs, prices };
  const now = { site: site.name, atMs: nowMs, slots, freeBeside, resources, priceBook };
  const isSame = before !== undefined && isSameSet(before, { ...now, sources });
  const sequence = isSame ? before.sequence : Math.max(nowMs, (before?.sequence ?? 0) + 1);
  const advertisement = { ...now, sequence };
  sourcesOf.set(advertisement, sources);
  return advertisement;
}

/** Free memory and GPUs of a site's profile, an entry for each change. */
function besideProcessors({ times, free, head, tail }: LeftFree["profile"]): readonly FreeBeside[] {
  const steps: FreeBeside[] = [];
  for (let at = head; at < tail; at++) {
    const step = { fromMs: times[at], memoryBytes: free[1]?.[at] ?? 0, gpus: free[2]?.[at] ?? 0 };
    const last = steps.at(-1);
    if (last?.memoryBytes !== step.memoryBytes || last.gpus !== step.gpus) steps.push(step);
  }
  return steps;
}

/** Source of the slots of a queue. */
type Source = LeftFree;

const sourcesOf = new WeakMap<Advertisement, readonly Source[]>();

function resourcesNow(
  { resources, spec }: SiteState,
  slotsOfQueue: (queue: NamedQueue) => readonly Slot[],
): readonly ResourceSlots[] {
  return wholeResources(spec).flatMap(({ kind, name, perProc }) => {
    const queue = resources.get(name);
    return queue === undefined ? [] : [{ kind, name, perProc, slots: slotsOfQueue(queue) }];
  });
}

type Shown = Pick<Advertisement, "atMs" | "resources" | "priceBook"> & {
  readonly sources: readonly Source[];
};

/**
 * True if two slot sets differ at most by the passing of time: in slots that begin now, and in the horizon.
 */
function isSameSet(before: Advertisement, { atMs, resources, priceBook, sources }: Shown): boolean {
  const had = sourcesOf.get(before) ?? [];
  return (
    had.length === sources.length &&
    JSON.stringify(before.priceBook) === JSON.stringify(priceBook) &&
    textOf(before.resources) === textOf(resources) &&
    sources.every(({ profile, of }, at) => had[at].of === of || isSameFrom(had[at].profile, profile, atMs))
  );
}

function textOf(resources: readonly ResourceSlots[]): string {
  return JSON.stringify(resources.map(({ kind, name, perProc }) => [kind, name, perProc]));
}
