/**
 * What must hold of every list of prices, by the plain version: on small sites where each instant can be
 * tried one by one.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlainPart, plainCoAllocation, plainDelays, plainQuote } from "./pricing.ts";
import { type PlainPricingCase, plainPricingCases, plainPricingCasesAtZero } from "./pricing-arbitrary.ts";
import { plainChoice, plainThin } from "./pricing-choice.ts";
import { type PlainState, plainSchedule, plainScheduleWith } from "./pricing-schedule.ts";

/** Beyond the end of all that a case holds. */
const endOfTimeMs = 80;
const instants = Array.from({ length: endOfTimeMs }, (_, i) => i);

const questionsOf = ({ fromMs }: PlainPricingCase) => [{}, { fromMs }];

/** The first instant at which nothing but running jobs and reservations is in the way. */
const earliestPossible = (parts: readonly PlainPart[], fromMs: number): number | undefined =>
  instants.find(
    (startMs) =>
      startMs >= fromMs &&
      parts.every(({ state, need, durationMs }) => plainDelays(state, { need, startMs, durationMs })),
  );

/** Everything that occupies the site at an instant, by column. */
const useAt = (state: PlainState, starts: readonly number[], atMs: number): readonly number[] => {
  const needs = [
    ...state.running.filter(({ endMs }) => atMs < endMs),
    ...state.reservations.filter(({ startMs, durationMs }) => startMs <= atMs && atMs < startMs + durationMs),
    ...state.queued.filter((job, i) => starts[i] <= atMs && atMs < starts[i] + job.estimateMs),
  ].map(({ need }) => need);
  return state.capacity.map((_, column) => needs.reduce((sum, need) => sum + need[column], 0));
};

const withSlot = ({ state, need, durationMs }: PlainPricingCase, startMs: number): PlainState => ({
  ...state,
  reservations: [...state.reservations, { id: "slot", need, startMs, durationMs }],
});

describe("the plain list of prices", () => {
  it("is by start, and each row is what asking for exactly that start says", () => {
    fc.assert(
      fc.property(plainPricingCases, (asked) => {
        const { state, need, durationMs } = asked;
        for (const question of questionsOf(asked)) {
          const list = plainQuote(state, need, durationMs, question);
          for (const [i, row] of list.entries()) {
            if (i > 0) expect(row.startMs).toBeGreaterThan(list[i - 1].startMs);
            expect(plainQuote(state, need, durationMs, { startMs: row.startMs })).toEqual([row]);
          }
        }
      }),
    );
  });

  it("is never empty, begins with the earliest possible start, and holds one that delays nobody", () => {
    fc.assert(
      fc.property(plainPricingCases, (asked) => {
        const { state, need, durationMs } = asked;
        for (const question of questionsOf(asked)) {
          const list = plainQuote(state, need, durationMs, question);
          const fromMs = question.fromMs ?? state.nowMs;
          expect(list[0].startMs).toBe(earliestPossible([asked], Math.max(state.nowMs, fromMs)));
          expect(list.some(({ fixedProcMs, delaysJobs }) => fixedProcMs === 0n && delaysJobs === 0)).toBe(
            true,
          );
        }
      }),
    );
  });

  it("of several sites is never empty, begins with the earliest common start, and holds a free one", () => {
    fc.assert(
      fc.property(fc.array(plainPricingCasesAtZero, { minLength: 1, maxLength: 3 }), (parts) => {
        const list = plainCoAllocation(parts, {});
        expect(list[0].startMs).toBe(earliestPossible(parts, 0));
        expect(list.some(({ fixedProcMs }) => fixedProcMs === 0n)).toBe(true);
        for (const { startMs, fixedProcMs } of list) {
          const alone = parts.flatMap((part) =>
            plainQuote(part.state, part.need, part.durationMs, { startMs }),
          );
          expect(alone).toHaveLength(parts.length);
          expect(alone.reduce((sum, row) => sum + row.fixedProcMs, 0n)).toBe(fixedProcMs);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("thinned, holds the same choice for every α", () => {
    fc.assert(
      fc.property(plainPricingCases, fc.double({ min: 0, max: 1, noNaN: true }), (asked, alpha) => {
        const list = plainQuote(asked.state, asked.need, asked.durationMs, {});
        for (const each of [0, alpha, 1]) {
          expect(plainChoice(plainThin(list), each)).toEqual(plainChoice(list, each));
        }
      }),
    );
  });
});

describe("the plain schedules", () => {
  it("never take more than there is, with or without the slot", () => {
    fc.assert(
      fc.property(plainPricingCases, (asked) => {
        const { state, need, durationMs } = asked;
        const planned: (readonly [PlainState, readonly number[]])[] = [[state, plainSchedule(state)]];
        for (const { startMs } of plainQuote(state, need, durationMs, {})) {
          const displaced = plainScheduleWith(state, { need, startMs, durationMs });
          planned.push([withSlot(asked, startMs), displaced]);
        }
        for (const [site, starts] of planned) {
          for (const atMs of instants.filter((instant) => instant >= state.nowMs)) {
            useAt(site, starts, atMs).forEach((used, i) => {
              expect(used).toBeLessThanOrEqual(site.capacity[i]);
            });
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("do not change when every instant gets a pass, not only those at which something starts or ends", () => {
    fc.assert(
      fc.property(plainPricingCases, ({ state }) => {
        const need = state.capacity.map(() => 0);
        const ticks = instants.map((startMs) => ({ id: `t${startMs}`, need, startMs, durationMs: 1 }));
        const ticking = { ...state, reservations: [...state.reservations, ...ticks] };
        expect(plainSchedule(ticking)).toEqual(plainSchedule(state));
      }),
      { numRuns: 50 },
    );
  });
});
