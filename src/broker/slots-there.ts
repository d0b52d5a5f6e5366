/**
 * Slots advertised by the sites, with the last request; those of a long queue are read from its plan in the
 * trial thread (rule BR-63).
 */
import { durationMs, instantMs, procs } from "../base/index.ts";
import {
  type Advertisement,
  advertise,
  draftLeftFree,
  type FoundSlots,
  type LeftFree,
  leftFree,
  type SiteState,
} from "../engine/index.ts";
import { breakpointCount, type Slot } from "../profile/index.ts";
import type { BrokerApi, Round } from "../runtime/index.ts";
import type { Plans } from "./plans.ts";
import type { SlotColumns } from "./trials/protocol.ts";
import type { Trials } from "./trials/trials.ts";

/** The slots of a site as the API lists them. */
export function slotsBy(
  round: Pick<Round, "projection" | "nowMs">,
  plans: Plans,
  trials: Pick<Trials, "leftFree" | "slots">,
): BrokerApi["slots"] {
  const advertised = new Map<string, Advertisement>();
  return async (name) => {
    const atMs = await plans.ready(name);
    const site = round.projection.sites.get(name);
    if (site === undefined) return undefined;
    const found = await foundAt(site, atMs, trials);
    const before = advertised.get(name);
    // Somebody who asked later was answered sooner.
    if (before !== undefined && before.atMs > atMs) return before;
    const now = advertise(site, atMs, before, found);
    advertised.set(name, now);
    return now;
  };
}

/** Length of a queue, in waiting jobs, from which its slots are computed in a thread. */
const LONG = 5000;

/** Slots found in the thread; undefined where the caller has to compute them. */
async function foundAt(
  { queue }: SiteState,
  atMs: number,
  trials: Pick<Trials, "leftFree" | "slots">,
): Promise<FoundSlots | undefined> {
  if (queue.machine.waiting.count < LONG) return undefined;
  const left = await leftFreeThere(queue, atMs, trials);
  const columns = breakpointCount(left.profile) < LONG ? undefined : await trials.slots(left.profile);
  return columns && { left, slots: slotsFrom(columns) };
}

/** Capacity that a planned queue leaves free; for a long queue it is computed in the thread for trials. */
export async function leftFreeThere(
  queue: SiteState["queue"],
  atMs: number,
  trials: Pick<Trials, "leftFree">,
): Promise<LeftFree> {
  const draft = queue.machine.waiting.count < LONG ? undefined : draftLeftFree(queue, atMs);
  const projected = draft && (await trials.leftFree(draft.task, draft.startMs));
  if (projected !== undefined) draft?.take(projected);
  return leftFree(queue, atMs);
}

function slotsFrom({
  startMs,
  procs: widths,
  durationMs: lengths,
  isExtensible,
}: SlotColumns): readonly Slot[] {
  return Array.from(startMs, (atMs, at) => ({
    id: at + 1,
    startAt: instantMs(atMs),
    procs: procs(widths[at]),
    durationMs: durationMs(lengths[at]),
    divisible: true,
    extensible: isExtensible[at] === 1,
  }));
}
