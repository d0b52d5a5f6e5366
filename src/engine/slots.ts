/**
 * The slots that a site advertises: what its whole queue leaves free ([PROV] ch. 3, rule EN-22).
 *
 * On demand, from the site's queue played on a copy: ours at a managed site, the picture of the last look at
 * a foreign one. Advisory: nothing is held for whoever reads them. Slots are of processors, where whether the
 * memory suffices is seen when a job is placed; and of each store and link.
 * Cost: a copy of each queue, and under FCFS and EASY one play of it.
 */
import { type ResourceKind, wholeResources } from "../model/index.ts";
import { type Slot, slotsOf } from "../profile/index.ts";
import { copyQueue, type NamedQueue, projectedProfiles, settle } from "../queue/index.ts";
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
}

/** The slots of a store or of a link. */
export interface ResourceSlots {
  readonly kind: ResourceKind;
  readonly name: string;
  readonly slots: readonly Slot[];
}

/**
 * The slots of a site at an instant.
 *
 * @param before what was advertised last; a first number is the instant itself, so that numbers go on
 * growing over a restart
 */
export function advertise(site: SiteState, nowMs: number, before?: Advertisement): Advertisement {
  const slots = isOpen(site) ? slotsNow(site.queue, nowMs) : [];
  const now = {
    site: site.name,
    atMs: nowMs,
    slots,
    resources: isOpen(site) ? resourcesNow(site, nowMs) : [],
  };
  if (before !== undefined && isSameSet(before, now)) return { ...now, sequence: before.sequence };
  return { ...now, sequence: Math.max(nowMs, (before?.sequence ?? 0) + 1) };
}

function resourcesNow({ resources, spec }: SiteState, nowMs: number): readonly ResourceSlots[] {
  return wholeResources(spec).flatMap(({ kind, name }) => {
    const queue = resources.get(name);
    return queue === undefined ? [] : [{ kind, name, slots: slotsNow(queue, nowMs) }];
  });
}

function slotsNow(queue: NamedQueue, nowMs: number): readonly Slot[] {
  const copy = copyQueue(queue);
  settle(copy, nowMs);
  const [profile] = projectedProfiles(copy.machine, nowMs);
  return slotsOf(profile);
}

type Shown = Pick<Advertisement, "atMs" | "slots" | "resources">;

/** Whether two sets differ at most in that time passed: in what begins now, and in the horizon. */
function isSameSet(before: Shown, now: Shown): boolean {
  const texts = ({ slots, resources }: Shown): string =>
    [
      lastingText(slots, now.atMs),
      ...resources.map(({ kind, name, slots: its }) => `${kind} ${name}\n${lastingText(its, now.atMs)}`),
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
