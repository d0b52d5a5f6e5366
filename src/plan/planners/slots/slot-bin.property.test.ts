import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../../../test/property-seed.ts";
import { draws } from "../../../../test/draws.ts";
import { durationMs, instantMs, procs } from "../../../base/index.ts";
import { placeOnSlots, type Slot } from "../../../profile/index.ts";
import { createSlotBin, createTakenParts, findOnSlots, resetSlotBin, takeFromSlots } from "./slot-bin.ts";

const slot = fc.record({
  startMs: fc.integer({ min: 0, max: 12 }),
  procs: fc.integer({ min: 1, max: 5 }),
  durationMs: fc.integer({ min: 1, max: 9 }),
  isOpen: fc.boolean(),
});
const task = fc.record({
  procs: fc.integer({ min: 1, max: 7 }),
  durationMs: fc.integer({ min: 1, max: 6 }),
  fromMs: fc.integer({ min: 0, max: 14 }),
});

describe("the slots of a site in an evaluation", () => {
  it("PL-24 give the starts and the parts that scheduling on slots gives, task after task", () => {
    fc.assert(
      fc.property(fc.array(slot, { maxLength: 7 }), fc.array(task, { maxLength: 12 }), (slots, tasks) => {
        const least = Math.min(...tasks.map((it) => it.durationMs));
        const roots = slots.map(({ isOpen, ...of }) => ({
          ...{ ...of, price: 1, fixedSu: 0, divisible: isOpen, extensible: isOpen },
        }));
        const bin = createSlotBin(roots, least);
        resetSlotBin(bin, new Uint8Array(roots.length).fill(1), 0);
        const taken = createTakenParts();
        let plain: readonly (Slot & { readonly root: number })[] = slots.map((of, root) => ({
          ...{ root, id: root + 1, startAt: instantMs(of.startMs), procs: procs(of.procs) },
          ...{ durationMs: durationMs(of.durationMs), divisible: of.isOpen, extensible: of.isOpen },
        }));
        for (const of of tasks) {
          const wanted = { procs: procs(of.procs), durationMs: durationMs(of.durationMs) };
          const placed = placeOnSlots(plain, { ...wanted, notBefore: instantMs(of.fromMs) });
          const startMs = findOnSlots(bin, of.procs, of.durationMs, of.fromMs);
          expect(startMs).toBe(placed?.startAt ?? Number.POSITIVE_INFINITY);
          if (placed === undefined) continue;
          takeFromSlots(bin, of.procs, startMs + of.durationMs, taken);
          const before = new Map(plain.map((it) => [it.id, it.root]));
          const parts = Array.from({ length: taken.count }, (_, at) => [taken.root[at], taken.procs[at]]);
          expect(parts).toEqual(placed.used.map((it) => [before.get(it.slot), it.procs]));
          plain = placed.slots.map((it) => ({
            ...it,
            root: before.get(it.id) ?? before.get(it.parent ?? 0) ?? -1,
          }));
        }
      }),
      draws(400),
    );
  });
});
