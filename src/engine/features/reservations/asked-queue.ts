/**
 * The queue in which a slot would be kept, and what the slot would take of it: the site's own queue, or the
 * book of reservations of one of its stores or links.
 */
import {
  type PricedResource,
  type Refusal,
  type SlotResource,
  type WantedSlot,
  wholeResource,
} from "../../../model/index.ts";
import { lentQueue, type NamedQueue, settle } from "../../../queue/index.ts";
import { needOfSlot, queueNow, type ReservedState } from "../../state/reserved.ts";
import type { SiteState } from "../../state/site-state.ts";

/** Size of a slot: processors, memory and GPUs, or the amount of its resource. */
export type SlotSize = Pick<WantedSlot, "procs" | "memoryBytes" | "gpus" | "resource">;

/** A queue settled at the instant, to try a slot on. Job names are valid until the site's queue changes. */
export interface AskedQueue {
  readonly queue: NamedQueue;
  readonly need: readonly number[];
}

/** The queue of a slot as it is now; undefined where the site never has that much. */
export function askedQueue(
  { reserved }: Pick<ReservedState, "reserved">,
  site: SiteState,
  slot: SlotSize,
  nowMs: number,
): AskedQueue | undefined {
  const queue = copyOf(site, slot);
  if (queue === undefined) return undefined;
  if ((slot.gpus ?? 0) > (site.spec.gpus ?? 0)) return undefined;
  const need = needOfSlot(site.spec, slot);
  if (need.some((amount, column) => amount > queue.machine.pools[0].capacity[column])) return undefined;
  if (slot.resource === undefined) return { queue: queueNow(site, reserved, queue, nowMs), need };
  settle(queue, nowMs);
  return { queue, need };
}

function copyOf({ queue, resources }: SiteState, { resource }: SlotSize): NamedQueue | undefined {
  const its = resource === undefined ? queue : resources.get(resource.name);
  return its === undefined ? undefined : lentQueue(its);
}

/** The slot with what its store or link is priced in now; undefined where the site has no such one. */
export function pricedResource(
  { spec }: Pick<SiteState, "spec">,
  { resource }: Pick<WantedSlot, "resource">,
): PricedResource | undefined {
  if (resource === undefined) return undefined;
  const whole = wholeResource(spec, resource.name);
  return whole?.kind === resource.kind ? { ...whole, amount: resource.amount } : undefined;
}

/** Refusal where the site has no such store or link, or one that is too small; undefined otherwise. */
export function whyNoResource({ name: site, spec }: SiteState, resource: SlotResource): Refusal | undefined {
  const { kind, name } = resource;
  const whole = wholeResource(spec, name);
  if (whole?.kind !== kind) {
    const stores = Object.keys(spec.stores ?? {});
    const links = Object.keys(spec.links ?? {});
    return { kind: "unknownResource", site, resource: { kind, name }, stores, links };
  }
  const { amount: most } = whole;
  return resource.amount > most ? { kind: "resourceTooLarge", site, resource, most } : undefined;
}
