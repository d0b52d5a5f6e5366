/**
 * Plain scheduling of a task on a set of slots: Figure 2 of [PROV] ch. 3.
 *
 * An oracle: written from the specification alone, obvious rather than fast.
 * Cost: O(slots²).
 */
import { strict as assert } from "node:assert";

/** A free rectangle that can be scheduled on. */
export interface PlainSlot {
  readonly id: number;
  readonly start: number;
  readonly procs: number;
  readonly duration: number;
  readonly divisible: boolean;
  readonly extensible: boolean;
  /** The slot it is a left-over of. */
  readonly parent?: number;
}

/** Where the task went, on how many processors of which slots, and the set of slots afterwards. */
export interface PlainPlacement {
  readonly start: number;
  /** The slot that decided first, then those it was stacked onto, walking back. */
  readonly used: readonly { readonly slot: number; readonly procs: number }[];
  /** In walking order: start, duration, procs, id. */
  readonly slots: readonly PlainSlot[];
}

/** Puts procs × duration onto the slots, not before `from`; undefined: it does not fit. */
export function plainPlaceOnSlots(
  slots: readonly PlainSlot[],
  procs: number,
  duration: number,
  from: number,
): PlainPlacement | undefined {
  assert(procs > 0 && duration > 0 && Number.isFinite(duration), "a task is a finite rectangle");
  const walk = [...slots].sort(inWalkingOrder);
  for (let i = 0; i < walk.length; i++) {
    const span = { start: Math.max(walk[i].start, from), duration };
    if (!isActive(walk[i], span)) continue;
    const used = stack(walk, i, procs, span);
    if (used === undefined) continue;
    return {
      start: span.start,
      used: used.map((part) => ({ slot: part.slot.id, procs: part.procs })),
      slots: cut(slots, used, span),
    };
  }
  return undefined;
}

interface Span {
  readonly start: number;
  readonly duration: number;
}

interface Part {
  readonly slot: PlainSlot;
  readonly procs: number;
}

function inWalkingOrder(a: PlainSlot, b: PlainSlot): number {
  return a.start - b.start || a.duration - b.duration || a.procs - b.procs || a.id - b.id;
}

/** Has begun by the start of the span, and lasts over the whole of it or can be made to. */
function isActive(slot: PlainSlot, span: Span): boolean {
  const lasts = slot.extensible || span.start + span.duration <= slot.start + slot.duration;
  return slot.start <= span.start && lasts;
}

/** Slot i alone if it has the procs, else with those before it, walking back; undefined: not enough. */
function stack(walk: readonly PlainSlot[], i: number, procs: number, span: Span): Part[] | undefined {
  const used: Part[] = [];
  let missing = procs;
  for (let j = i; j >= 0 && missing > 0; j--) {
    if (!isActive(walk[j], span)) continue;
    const taken = Math.min(missing, walk[j].procs);
    used.push({ slot: walk[j], procs: taken });
    missing -= taken;
  }
  return missing === 0 ? used : undefined;
}

/** The set without the used rectangles; ids of left-overs count on from the largest id. */
function cut(slots: readonly PlainSlot[], used: readonly Part[], span: Span): PlainSlot[] {
  const result = slots.filter((slot) => !used.some((part) => part.slot.id === slot.id));
  let id = Math.max(...slots.map((slot) => slot.id));
  for (const part of used) {
    for (const leftOver of leftOvers(part, span)) {
      id += 1;
      result.push({ ...leftOver, id, parent: part.slot.id });
    }
  }
  return result.sort(inWalkingOrder);
}

/** At most three: beside, before, after. Empty ones are dropped. */
function leftOvers({ slot, procs }: Part, span: Span): Omit<PlainSlot, "id" | "parent">[] {
  const usedEnd = span.start + span.duration;
  const slotEnd = slot.start + slot.duration;
  const flags = { divisible: slot.divisible, extensible: slot.extensible };
  const grownDuration = Math.max(slotEnd, usedEnd) - slot.start;
  const beside = { start: slot.start, procs: slot.procs - procs, duration: grownDuration, ...flags };
  const before = {
    start: slot.start,
    procs,
    duration: span.start - slot.start,
    divisible: false,
    extensible: false,
  };
  const after = { start: usedEnd, procs, duration: Math.max(0, slotEnd - usedEnd), ...flags };
  return [beside, before, after].filter(
    (leftOver) => leftOver.procs > 0 && (leftOver.duration > 0 || leftOver.extensible),
  );
}
