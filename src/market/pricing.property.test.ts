import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { plainCoAllocation, plainDelays, plainQuote } from "../../test/plain/pricing.ts";
import {
  type PlainPricingCase,
  plainPricingCases,
  plainPricingCasesAtZero,
} from "../../test/plain/pricing-arbitrary.ts";
import { plainChoice } from "../../test/plain/pricing-choice.ts";
import type { PlainState } from "../../test/plain/pricing-schedule.ts";
import {
  adopt,
  checkpoint,
  createMachine,
  jobState,
  type Machine,
  prepareImpact,
  reserve,
} from "../queue/index.ts";
import {
  chooseStart,
  delaysBy,
  PLAIN_PRICE,
  type PricedStart,
  priceCoReservation,
  priceList,
  thinned,
} from "./index.ts";
import type { WantedStart } from "./priced-slot.ts";

const RUNS = draws(500);

/** Cases with the promises that an empty book gives; others are tested in queue/impact. */
const cases = plainPricingCases.map(promisedAfresh);
const casesAtZero = plainPricingCasesAtZero.map(promisedAfresh);

function promisedAfresh(it: PlainPricingCase): PlainPricingCase {
  const queued = it.state.queued.map(({ id, need, estimateMs }) => ({ id, need, estimateMs }));
  return { ...it, state: { ...it.state, queued } };
}

describe("prices", () => {
  it("MK-1 MK-3 equal those of the plain rule, for each kind of request", () => {
    fc.assert(
      fc.property(cases, ({ state, need, durationMs, fromMs }) => {
        const tried = prepareImpact(machineOf(state));
        const shape = { pool: 0, need, durationMs };
        const ask = (wanted: WantedStart) => rowsOf(priceList(tried, shape, wanted, PLAIN_PRICE));
        expect(ask({ kind: "whenever" })).toEqual(plainRows(plainQuote(state, need, durationMs, {})));
        expect(ask({ kind: "from", fromMs })).toEqual(
          plainRows(plainQuote(state, need, durationMs, { fromMs })),
        );
        const startMs = fromMs;
        expect(ask({ kind: "at", startMs })).toEqual(
          plainRows(plainQuote(state, need, durationMs, { startMs })),
        );
      }),
      RUNS,
    );
  });

  it("MK-7 leave the machine unchanged, and a reservation then delays the jobs of the quote", () => {
    fc.assert(
      fc.property(cases, ({ state, need, durationMs, fromMs }) => {
        const machine = machineOf(state);
        const before = structuredClone(checkpoint(machine));
        const slot = { pool: 0, need, durationMs, startMs: fromMs };
        const said = delaysBy(prepareImpact(machine), slot);
        expect(withoutGuess(checkpoint(machine))).toEqual(withoutGuess(before));
        const plain = plainDelays(state, { need, durationMs, startMs: fromMs });
        expect(said?.map(({ delayMs }) => delayMs)).toEqual(
          plain?.map(({ delayMs }) => delayMs).filter((it) => it > 0),
        );
        expect(said?.map(({ plannedMs }) => plannedMs)).toEqual(
          plain?.filter(({ delayMs }) => delayMs > 0).map(({ presentMs }) => presentMs),
        );
        if (said === undefined || state.discipline !== "conservative") return;
        const promised = [...machine.jobs.startMs];
        reserve(machine, 99, slot, machine.nowMs);
        for (let handle = 0; handle < machine.jobs.size; handle++) {
          if (machine.jobs.state[handle] !== jobState.waiting) continue;
          const delayMs = said.find((it) => it.handle === handle)?.delayMs ?? 0;
          expect(Math.max(0, machine.jobs.startMs[handle] - promised[handle])).toBe(delayMs);
        }
      }),
      RUNS,
    );
  });

  it("MK-1 equal those of the plain rule where jobs have declared delay costs", () => {
    const costs = fc.array(fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined }));
    fc.assert(
      fc.property(cases, costs, ({ state, need, durationMs }, drawn) => {
        const queued = state.queued.map((job, at) => ({ ...job, ...costAt(drawn, at) }));
        const tried = prepareImpact(machineOf(state));
        const declared = new Map(
          Array.from(tried.present.handles).flatMap((handle, at) => {
            const { delayCost } = queued[at];
            return delayCost === undefined ? [] : [[handle, delayCost] as const];
          }),
        );
        const terms = { ...PLAIN_PRICE, declared };
        const list = priceList(tried, { pool: 0, need, durationMs }, { kind: "whenever" }, terms);
        expect(rowsOf(list)).toEqual(plainRows(plainQuote({ ...state, queued }, need, durationMs, {})));
        for (const { startMs, delayProcMs } of list) {
          const delays = delaysBy(tried, { pool: 0, need, durationMs, startMs }, declared) ?? [];
          expect(delays.reduce((sum, { costProcMs }) => sum + costProcMs, 0)).toBe(delayProcMs);
        }
      }),
      RUNS,
    );
  });

  it("MK-8 lead to the choice of the plain rule for every α, also from the thinned list", () => {
    const alphas = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(cases, alphas, ({ state, need, durationMs }, alphaPpm) => {
        const list = priceList(
          prepareImpact(machineOf(state)),
          { pool: 0, need, durationMs },
          { kind: "whenever" },
          PLAIN_PRICE,
        );
        const chosen = chooseStart(list, alphaPpm);
        expect(chosen?.startMs).toBe(
          plainChoice(plainQuote(state, need, durationMs, {}), alphaPpm / 1e6)?.startMs,
        );
        expect(chooseStart(thinned(list), alphaPpm)).toEqual(chosen);
      }),
      RUNS,
    );
  });

  it("of a co-reservation are the sums of its parts' prices", () => {
    const parts = fc.array(casesAtZero, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(parts, (several) => {
        const asked = several.map(({ state, need, durationMs }) => ({ state, need, durationMs }));
        const priced = priceCoReservation(several.map(partOf), { kind: "whenever" });
        expect(rowsOf(priced)).toEqual(plainRows(plainCoAllocation(asked, {})));
      }),
      RUNS,
    );
  });
});

function costAt(costs: readonly (number | undefined)[], at: number): { readonly delayCost?: number } {
  const cost = costs[at];
  return cost === undefined ? {} : { delayCost: cost };
}

function partOf({ state, need, durationMs }: PlainPricingCase) {
  return { tried: prepareImpact(machineOf(state)), shape: { pool: 0, need, durationMs }, terms: PLAIN_PRICE };
}

function machineOf({ nowMs, capacity, discipline, running, queued, reservations }: PlainState): Machine {
  const machine = createMachine([capacity], { discipline }, nowMs);
  for (const { need, endMs } of running) {
    if (endMs <= nowMs) continue;
    const found = { state: "running", startMs: nowMs, pool: 0, arrivedAtMs: nowMs } as const;
    adopt(machine, { ...found, need, estimateMs: endMs - nowMs });
  }
  reservations.forEach(({ need, startMs, durationMs }, id) => {
    const fromMs = Math.max(nowMs, startMs);
    const endMs = startMs + durationMs;
    if (endMs > nowMs)
      reserve(machine, id, { pool: 0, need, startMs: fromMs, durationMs: endMs - fromMs }, nowMs);
  });
  for (const { need, estimateMs } of queued) {
    adopt(machine, { state: "waiting", need, estimateMs, arrivedAtMs: nowMs });
  }
  return machine;
}

function rowsOf(list: readonly PricedStart[]) {
  return list.map(({ startMs, fixedProcMs, delayedJobs }) => [startMs, fixedProcMs, delayedJobs]);
}

function plainRows(
  list: readonly { readonly startMs: number; readonly fixedProcMs: bigint; readonly delaysJobs: number }[],
) {
  return list.map(({ startMs, fixedProcMs, delaysJobs }) => [startMs, Number(fixedProcMs), delaysJobs]);
}

function withoutGuess(saved: ReturnType<typeof checkpoint>) {
  return { ...saved, pools: saved.pools.map((profile) => ({ ...profile, near: 0 })) };
}
