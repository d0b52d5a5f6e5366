import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../test/draws.ts";
import { JobsInTurn } from "./jobs-in-turn.ts";

const VOS = ["a", "b", "c"];
type Step = { readonly kind: "add" | "serve" | "delete"; readonly vo: number };
const steps = fc.array(fc.record({ kind: fc.constantFrom("add", "add", "serve", "delete"), vo: fc.nat(2) }), {
  ...{ maxLength: 60, size: "max" },
}) as fc.Arbitrary<Step[]>;

describe("jobs of several organisations in turn", () => {
  it("EN-321 whoever has a job is served after at most one of each other, and in its own order", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const queue = new JobsInTurn();
        // The plain version: lists, and whose turn was when.
        const lists = new Map<string, string[]>(VOS.map((vo) => [vo, []]));
        const missed = new Map<string, number>();
        let next = 0;
        for (const { kind, vo: at } of all) {
          const vo = VOS[at];
          const list = lists.get(vo) ?? [];
          if (kind === "add") {
            const id = `${vo}${next++}`;
            if (list.length === 0) missed.set(vo, 0);
            list.push(id);
            queue.add(id, vo);
          } else if (kind === "delete" && list.length > 0) {
            expect(queue.delete(list.pop() ?? "")).toBe(true);
            missed.set(vo, 0);
          } else if (kind === "serve" && queue.size > 0) {
            const [id] = queue;
            const served = id[0];
            expect(lists.get(served)?.shift()).toBe(id);
            queue.delete(id);
            for (const other of VOS) {
              if (other === served || lists.get(other)?.length === 0) missed.set(other, 0);
              else missed.set(other, (missed.get(other) ?? 0) + 1);
              expect(missed.get(other)).toBeLessThan(VOS.length);
            }
          }
          const left = [...lists.values()].flat();
          expect([...queue].toSorted()).toEqual(left.toSorted());
          expect(queue.size).toBe(left.length);
        }
      }),
      draws(200),
    );
  });

  it("EN-321 iterating gives one of each, then the next of each", () => {
    const queue = new JobsInTurn();
    for (const id of ["a1", "a2", "a3", "b1", "c1", "c2"]) queue.add(id, id[0]);
    queue.add("a1", "a");
    expect([...queue]).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
    expect([queue.has("a1"), queue.delete("a1"), queue.delete("a1"), queue.has("a1")]).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
    expect([...queue]).toEqual(["b1", "c1", "a2", "c2", "a3"]);
    queue.clear();
    expect([[...queue], queue.size]).toEqual([[], 0]);
  });
});
