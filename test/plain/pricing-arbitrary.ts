/**
 * Small sites for property tests of prices: everything in them fits, times are small integers, so that ends
 * and starts often meet; with and without memory, with and without promises that are not the earliest.
 */
import fc from "fast-check";
import { type PlainAskedSlot, type PlainState, plainIsPossible, plainSchedule } from "./pricing-schedule.ts";

/** A site, what somebody asks of it, and an instant from which. */
export interface PlainPricingCase {
  readonly state: PlainState;
  readonly need: readonly number[];
  readonly durationMs: number;
  readonly fromMs: number;
}

/** The disciplines that have a price. */
export const plainDisciplines = ["conservative", "easy", "fcfs"] as const;

interface Shape {
  readonly columns: 1 | 2;
  readonly capacity: readonly number[];
}

const shapes: fc.Arbitrary<Shape> = fc
  .tuple(
    fc.constantFrom(1 as const, 2 as const),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ max: 9, min: 1 }),
  )
  .map(([columns, procs, memory]) => ({ columns, capacity: [procs, memory].slice(0, columns) }));

const needOf = ({ columns, capacity }: Shape): fc.Arbitrary<readonly number[]> =>
  fc
    .tuple(fc.integer({ min: 1, max: capacity[0] }), fc.integer({ min: 0, max: capacity[1] ?? 0 }))
    .map((need) => need.slice(0, columns));

const slotOf = (shape: Shape, startMs: fc.Arbitrary<number>): fc.Arbitrary<PlainAskedSlot> =>
  fc.record({ need: needOf(shape), startMs, durationMs: fc.integer({ min: 1, max: 6 }) });

const caseOf = (shape: Shape, nowMs: fc.Arbitrary<number>): fc.Arbitrary<PlainPricingCase> =>
  fc
    .record({
      discipline: fc.constantFrom(...plainDisciplines),
      nowMs,
      running: fc.array(slotOf(shape, fc.constant(0)), { maxLength: 4 }),
      reserved: fc.array(slotOf(shape, fc.integer({ min: -2, max: 12 })), { maxLength: 4 }),
      queued: fc.array(slotOf(shape, fc.constant(0)), { maxLength: 7 }),
      // What the promises were made beside, and is gone.
      gone: fc.option(
        fc.array(slotOf(shape, fc.integer({ min: 0, max: 8 })), { minLength: 1, maxLength: 3 }),
      ),
      asked: slotOf(shape, fc.integer({ min: -1, max: 30 })),
    })
    .map(({ discipline, nowMs, running, reserved, queued, gone, asked }) => {
      const empty: PlainState = {
        nowMs,
        capacity: shape.capacity,
        discipline,
        running: [],
        queued: queued.map(({ need, durationMs }, id) => ({ id, need, estimateMs: durationMs })),
        reservations: [],
      };
      const busy = reserved.reduce(reserve, running.reduce(run, empty));
      const state = gone === null || discipline !== "conservative" ? busy : promisedBeside(busy, gone);
      return { state, need: asked.need, durationMs: asked.durationMs, fromMs: nowMs + asked.startMs };
    });

/** Cases in which everything that runs, is reserved or promised fits. */
export const plainPricingCases: fc.Arbitrary<PlainPricingCase> = shapes.chain((shape) =>
  caseOf(shape, fc.integer({ min: 0, max: 3 })),
);

/** Such cases, all seen at the same instant, 0. */
export const plainPricingCasesAtZero: fc.Arbitrary<PlainPricingCase> = shapes.chain((shape) =>
  caseOf(shape, fc.constant(0)),
);

/** Adds a running job where it fits. */
function run(state: PlainState, { need, durationMs }: PlainAskedSlot): PlainState {
  if (!plainIsPossible(state, { need, durationMs, startMs: state.nowMs })) return state;
  const job = { id: `r${state.running.length}`, need, endMs: state.nowMs + durationMs };
  return { ...state, running: [...state.running, job] };
}

/** Adds a reservation where it fits; one that has begun already counts from now. */
function reserve(state: PlainState, { need, startMs, durationMs }: PlainAskedSlot): PlainState {
  const slot = { need, startMs: state.nowMs + startMs, durationMs };
  if (!plainIsPossible(state, { ...slot, startMs: Math.max(state.nowMs, slot.startMs) })) return state;
  return {
    ...state,
    reservations: [...state.reservations, { id: `s${state.reservations.length}`, ...slot }],
  };
}

/** The queue holds the promises it got beside reservations that are gone since. */
function promisedBeside(state: PlainState, gone: readonly PlainAskedSlot[]): PlainState {
  const promises = plainSchedule(gone.reduce(reserve, state));
  return { ...state, queued: state.queued.map((job, i) => ({ ...job, plannedStartMs: promises[i] })) };
}
