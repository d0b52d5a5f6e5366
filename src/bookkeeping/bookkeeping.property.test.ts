import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { type PlainEvent, plainState } from "../../test/plain/plain-bookkeeping.ts";
import {
  addEvent,
  type BookedEvent,
  COMPONENTS,
  codeText,
  emptyBook,
  MOST_BOOKED,
  statusOf,
} from "./index.ts";

const SAYINGS: readonly (readonly [PlainEvent["who"], string])[] = [
  ["UI", "registered"],
  ["NS", "accepted"],
  ["WM", "dequeued"],
  ["WM", "matched"],
  ["WM", "enqueued"],
  ["WM", "deep"],
  ["JSS", "dequeued"],
  ["JSS", "aborted"],
  ["LM", "accepted"],
  ["LM", "transferred"],
  ["LM", "refused"],
  ["LM", "running"],
  ["LM", "ReallyRunning"],
  ["LM", "done"],
  ["LM", "queued again"],
  ["LRMS", "running"],
  ["LRMS", "ReallyRunning"],
  ["WM", "cancelled"],
  ["NS", "cancelled"],
  ["NS", "cleared"],
  ["WM", "aborted"],
];
const PARTS: readonly string[] = ["UI", "NS", "WM", "JSS", "LM", "LRMS"];

/** No two events have one code, as components make them. */
const heaps = fc.uniqueArray(
  fc
    .record({
      saying: fc.constantFrom(...SAYINGS),
      counters: fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }),
      there: fc.nat(3),
    })
    .map(({ saying: [who, what], counters, there }): PlainEvent => {
      const isSeen = who === "LM" && what === "ReallyRunning";
      return { who, what, counters, ...(isSeen ? { there } : {}) };
    }),
  { maxLength: 14, selector: ({ counters }) => counters.join() },
);

const KINDS: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>> = {
  registered: ["RegJob", {}],
  accepted: ["Accepted", {}],
  dequeued: ["DeQueued", {}],
  matched: ["Match", { DEST_ID: "ce" }],
  enqueued: ["EnQueued", { RESULT: "OK" }],
  deep: ["Resubmission", { RESULT: "WILLRESUB" }],
  aborted: ["Abort", {}],
  transferred: ["Transfer", { RESULT: "OK" }],
  refused: ["Refused", {}],
  running: ["Running", { NODE: "n1" }],
  ReallyRunning: ["ReallyRunning", {}],
  done: ["Done", { STATUS_CODE: "OK", EXIT_CODE: "0" }],
  "queued again": ["EnQueued", { RESULT: "OK" }],
  cancelled: ["Cancel", { STATUS_CODE: "DONE" }],
  cleared: ["Clear", { REASON: "USER" }],
};

function booked({ who, what, counters, there }: PlainEvent): BookedEvent {
  const [kind, facts] = KINDS[what] ?? ["", {}];
  const codeOf = (parts: readonly number[]) => COMPONENTS.map((name) => parts[PARTS.indexOf(name)] ?? 0);
  const seen = there === undefined ? {} : { WN_SEQ: codeText(codeOf([3, 3, there, 3, 0, 3])) };
  return { source: who, code: codeOf(counters), kind, atMs: 0, facts: { ...facts, ...seen } };
}

const bookOf = (events: readonly BookedEvent[]) => events.reduce(addEvent, emptyBook);

describe("the state of a job from its events", () => {
  it("BK-1 late, doubled and reordered events give the same book and status", () => {
    const cases = heaps.chain((heap) =>
      fc.record({
        heap: fc.constant(heap),
        mixed: fc.shuffledSubarray([...heap, ...heap], { minLength: heap.length * 2 }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ heap, mixed }) => {
        const [inOrder, late] = [bookOf(heap.map(booked)), bookOf(mixed.map(booked))];
        expect(late).toEqual(inOrder);
        expect(statusOf(late)).toEqual(statusOf(inOrder));
      }),
      draws(500),
    );
  });

  it("BK-2 BK-3 BK-4 BK-5 the state is that of the plain rules", () => {
    fc.assert(
      fc.property(heaps, (heap) => {
        expect(statusOf(bookOf(heap.map(booked))).state).toBe(plainState(heap) ?? "UNKNOWN");
      }),
      draws(2000),
    );
  });

  it("BK-6 the last events by code are kept, in whatever order they came", () => {
    const events = Array.from({ length: MOST_BOOKED + 50 }, (_, number) =>
      booked({ who: "WM", what: "matched", counters: [0, 0, number, 0, 0, 0] }),
    );
    const [there, back] = [bookOf(events), bookOf([...events].reverse())];
    expect(there.events).toHaveLength(MOST_BOOKED);
    expect(back).toEqual(there);
    expect(there.events[0]?.code[2]).toBe(50);
  });
});
