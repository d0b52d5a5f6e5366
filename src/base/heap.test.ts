import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { copyHeap, createHeap, type Heap, peekHeap, popHeap, pushHeap, smallestKey } from "./index.ts";

/** A key to push, or `null` to pop. There are few different keys, so most are equal to others. */
const steps = fc.array(fc.option(fc.integer({ min: -2, max: 3 }), { freq: 3 }), { maxLength: 300 });

describe("the heap", () => {
  it("equal keys leave in the order in which they came, smaller keys before", () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 70 }), (list, capacity) => {
        const heap = createHeap(capacity);
        let plain: { key: number; value: number }[] = [];
        for (const [value, key] of list.entries()) {
          if (key !== null) {
            pushHeap(heap, key, value);
            // `toSorted` is stable: a new entry stays behind entries with an equal key.
            plain = [...plain, { key, value }].toSorted((a, b) => a.key - b.key);
          } else if (plain.length > 0) {
            expect(peekHeap(heap)).toBe(plain[0].value);
            expect(popHeap(heap)).toBe(plain[0].value);
            plain = plain.slice(1);
          }
          expect(heap.size).toBe(plain.length);
          expect(smallestKey(heap)).toBe(plain[0]?.key ?? Number.POSITIVE_INFINITY);
        }
        expect(drained(heap)).toEqual(plain.map(({ value }) => value));
      }),
      draws(300),
    );
  });

  it("a copy gives the same sequence, ties with later ones included, and shares nothing", () => {
    const heap = createHeap(2);
    for (const [value, key] of [5, 1, 5, 1, 5].entries()) pushHeap(heap, key, value);
    const copy = copyHeap(heap);
    pushHeap(copy, 1, 9);
    expect(drained(heap)).toEqual([1, 3, 0, 2, 4]);
    pushHeap(heap, 0, 7);
    expect(drained(copy)).toEqual([1, 3, 9, 0, 2, 4]);
  });

  it("infinite keys come last; an empty heap has nothing to give", () => {
    const heap = createHeap(1);
    pushHeap(heap, Number.POSITIVE_INFINITY, 1);
    pushHeap(heap, 2 ** 52, 2);
    expect(drained(heap)).toEqual([2, 1]);
    expect(smallestKey(heap)).toBe(Number.POSITIVE_INFINITY);
    expect(() => popHeap(heap)).toThrow("what must hold");
    expect(heap.size).toBe(0);
  });
});

function drained(heap: Heap): number[] {
  const values: number[] = [];
  while (heap.size > 0) values.push(popHeap(heap));
  return values;
}
