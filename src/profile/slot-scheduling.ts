/**
 * Scheduling a task on a chosen set of slots: Figure 2 of [PROV] ch. 3.
 *
 * Slots are visited by start, duration, procs and id. A slot that lasts long enough from max(its start, from)
 * is used alone if it has the processors; else slots before it that are active over the whole span are
 * stacked onto it until the processors suffice. The first slot at which this succeeds decides. The start
 * found is the earliest *in that set*; on left-overs carried from task to task it can be later than the
 * profile's (counter-example in `docs/sources.md`).
 * Cost: O(S²) at worst, O(S) where single slots suffice.
 */
import {
  after,
  between,
  type DurationMs,
  durationMs,
  type InstantMs,
  instantMs,
  type Procs,
  procs,
} from "../base/index.ts";
import { bySlotOrder, type Slot } from "./slots.ts";

/** A task: processors for a duration, not before an instant. */
export interface SlotTask {
  readonly procs: Procs;
  readonly durationMs: DurationMs;
  readonly notBefore: InstantMs;
}

/** The placement of a task: its start, the processors taken of each slot, and the remaining set of slots. */
export interface SlotPlacement {
  readonly startAt: InstantMs;
  readonly used: readonly { readonly slot: number; readonly procs: Procs }[];
  readonly slots: readonly Slot[];
}

interface Cut {
  readonly slot: Slot;
  readonly procs: Procs;
}

/** Places a task on a set of slots; undefined when it does not fit into that set. */
export function placeOnSlots(slots: readonly Slot[], task: SlotTask): SlotPlacement | undefined {
  const ordered = [...slots].sort(bySlotOrder);
  for (let at = 0; at < ordered.length; at++) {
    const startAt = instantMs(Math.max(ordered[at].startAt, task.notBefore));
    const cuts = stackOnto(ordered, at, startAt, task);
    if (cuts !== undefined) return cutOut(ordered, cuts, startAt, task.durationMs);
  }
  return undefined;
}

/** The slots that carry the task when it starts with the slot at `at`; undefined when they do not. */
function stackOnto(
  ordered: readonly Slot[],
  at: number,
  startAt: InstantMs,
  task: SlotTask,
): Cut[] | undefined {
  const end = after(startAt, task.durationMs);
  if (!isActive(ordered[at], startAt, end)) return undefined;
  if (ordered[at].procs >= task.procs) return [{ slot: ordered[at], procs: task.procs }];
  const cuts: Cut[] = [];
  let missing: number = task.procs;
  for (let i = at; i >= 0 && missing > 0; i--) {
    const slot = ordered[i];
    if (!isActive(slot, startAt, end)) continue;
    const taken = procs(Math.min(slot.procs, missing));
    cuts.push({ slot, procs: taken });
    missing -= taken;
  }
  return missing === 0 ? cuts : undefined;
}

function isActive(slot: Slot, from: InstantMs, to: InstantMs): boolean {
  return slot.startAt <= from && (slot.extensible || to <= endOf(slot));
}

function cutOut(
  slots: readonly Slot[],
  cuts: readonly Cut[],
  startAt: InstantMs,
  duration: DurationMs,
): SlotPlacement {
  const usedUntil = after(startAt, duration);
  const cutIds = new Set(cuts.map((cut) => cut.slot.id));
  const left = slots.filter((slot) => !cutIds.has(slot.id));
  let nextId = slots.reduce((most, slot) => Math.max(most, slot.id), 0) + 1;
  for (const cut of cuts) {
    for (const rest of leftOvers(cut, startAt, usedUntil)) left.push({ ...rest, id: nextId++ });
  }
  return {
    startAt,
    used: cuts.map((cut) => ({ slot: cut.slot.id, procs: cut.procs })),
    slots: left.sort(bySlotOrder),
  };
}

/** The left-overs of one slot: beside, before and after the used rectangle; empty ones are dropped. */
function leftOvers({ slot, procs: taken }: Cut, startAt: InstantMs, usedUntil: InstantMs): Slot[] {
  const end = instantMs(Math.max(endOf(slot), usedUntil));
  const parent = { parent: slot.id };
  const beside: Slot = {
    ...slot,
    ...parent,
    procs: procs(slot.procs - taken),
    durationMs: between(slot.startAt, end),
  };
  const before: Slot = {
    ...slot,
    ...parent,
    procs: taken,
    durationMs: between(slot.startAt, startAt),
    divisible: false,
    extensible: false,
  };
  const behind: Slot = {
    ...slot,
    ...parent,
    procs: taken,
    startAt: usedUntil,
    durationMs: durationMs(end - usedUntil),
  };
  return [beside, before, behind].filter(holdsAnything);
}

function holdsAnything(slot: Slot): boolean {
  return slot.procs > 0 && (slot.durationMs > 0 || slot.extensible);
}

function endOf(slot: Slot): InstantMs {
  return after(slot.startAt, slot.durationMs);
}
