import fc from "fast-check";
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { dispatchesSchema, policiesRequestSchema, siteRequestSchema } from "../contract/index.ts";
import {
  DISCIPLINES,
  ENFORCEMENT_STEPS,
  type EnforcementRules,
  inMilliseconds,
  inSeconds,
  MOST_MS,
  NAMED_BY_PEOPLE,
  type Policy,
  type PriceRule,
  type ReservationRules,
  type SimulatedSiteSpec,
  SLOT_KINDS,
  SLURM_DEFAULTS,
  type SlurmSiteSpec,
  WEEKDAYS,
} from "../model/index.ts";
import { dispatchesGiven, dispatchesView } from "./dispatches.ts";
import { completeSpec } from "./site-request.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 366 * DAY_MS;
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const lengthMs = (max = YEAR_MS, min = 0) => fc.integer({ min, max });
const ppm = fc.integer({ min: 0, max: 1_000_000 });
/** Names that people choose may look like fields of ours. */
const consumer = fc.constantFrom("cms", "cms/topMs", "waitMs", "restSec", "budgetProcMs");

const priceRule: fc.Arbitrary<PriceRule> = fc.record({
  name: fc.constantFrom("night", "aheadMs"),
  clockMs: lengthMs(899 * 60_000, -899 * 60_000),
  fromMs: lengthMs(DAY_MS - 1),
  untilMs: lengthMs(DAY_MS, 1),
  days: fc.constantFrom(null, [...WEEKDAYS]),
  consumers: fc.constantFrom(null, ["cms", "waitMs"]),
  slots: fc.constantFrom(null, [...SLOT_KINDS]),
  unitPriceThousandths: fc.integer({ min: 1000, max: 1_000_000 }),
  transactionProcMs: fc.integer({ min: 0, max: 3_600_000_000_000 }),
});
const reservations: fc.Arbitrary<ReservationRules> = fc
  .record({
    consumers: fc.option(fc.array(consumer, { maxLength: 3 })),
    ...{ aheadMs: lengthMs(), longestMs: fc.option(lengthMs()), noticeMs: lengthMs(), farMs: lengthMs() },
    ...{ offerMs: lengthMs(YEAR_MS, 1), sharePpm: ppm, consumerSharePpm: ppm, farSharePpm: ppm },
    ...{ offerSharePpm: ppm, penaltyPpm: ppm, basePenaltyPpm: ppm, freeWasted: ppm },
    unitPriceThousandths: fc.integer({ min: 1000, max: 1_000_000 }),
    transactionProcMs: fc.integer({ min: 0, max: 3_600_000_000_000 }),
  })
  .chain((rules) =>
    fc
      .record({
        prices: fc.array(priceRule, { maxLength: 2 }),
        delayBudgets: fc.dictionary(consumer, fc.integer({ min: 0, max: 1000 })),
      })
      .map((more) => ({ ...rules, ...more })),
  );
const enforcement: fc.Arbitrary<EnforcementRules> = fc.record({
  granted: fc.subarray([...ENFORCEMENT_STEPS]),
  form: fc.constantFrom("ours", "literal"),
  ...{ minRunMs: lengthMs(), leaseMs: lengthMs(YEAR_MS, 1), suspendedPpm: ppm },
  ...{ maxSuspensions: ppm, actionsPerHour: ppm },
});
const stores = fc.dictionary(
  fc.constantFrom("scratch", "dataMs", "homeSec"),
  fc.record({ sizeBytes: fc.integer({ min: 1 }), unitBytes: fc.integer({ min: 1 }) }),
);
const links = fc.dictionary(
  fc.constantFrom("uplink", "wanSec"),
  fc.record({ rateBytesPerSec: fc.integer({ min: 1 }), unitBytesPerSec: fc.integer({ min: 1 }) }),
);
const offer = {
  procs: fc.integer({ min: 1, max: 1_000_000 }),
  memoryBytes: fc.integer({ min: 1 }),
  discipline: fc.constantFrom(...DISCIPLINES),
  defaultWallTimeMs: lengthMs(YEAR_MS, 1),
  ...{ reservations, enforcement, stores, links },
};
const simulated: fc.Arbitrary<SimulatedSiteSpec> = fc.record({
  type: fc.constant("simulated"),
  ...offer,
  jobs: fc.constantFrom("run", "imitate"),
  speedUp: fc.integer({ min: 1, max: 1_000_000 }),
  background: fc.option(fc.record({ trace: fc.constant("/data/a.swf"), skipMs: lengthMs(100 * YEAR_MS) })),
  delays: fc.record({ orderMs: lengthMs(HOUR_MS), startMs: lengthMs(HOUR_MS) }),
  losses: fc.record({ failedPpm: ppm, doubtfulPpm: ppm, vanishedPpm: ppm }),
  seed: fc.integer({ min: 0 }),
});
const slurm: fc.Arbitrary<SlurmSiteSpec> = fc
  .record({ ...offer, consumers: fc.dictionary(fc.constantFrom("aMs", "bSec"), fc.constant("cms")) })
  .map((said) => ({ ...SLURM_DEFAULTS, type: "slurm", ...said }));
const policy: fc.Arbitrary<Policy> = fc.record({
  resource: fc.constantFrom("cpu", "memory"),
  ...{ provider: fc.constant("west"), consumer },
  epoch: fc.record({
    window: fc.oneof(
      fc.record({ kind: fc.constant("sliding" as const), lengthMs: lengthMs(YEAR_MS, 1) }),
      fc.record({
        kind: fc.constant("fixed" as const),
        unit: fc.constantFrom("day", "week"),
        offsetMs: lengthMs(DAY_MS, -DAY_MS),
      }),
    ),
    sharePpm: ppm,
  }),
  burst: fc.record({ bucketMs: lengthMs(YEAR_MS, 1), sharePpm: ppm }),
  rule: fc.constantFrom("entitlement", "cap"),
  mode: fc.constantFrom("shared", "dedicated"),
  carry: fc.constantFrom("forgive", "repay"),
});

/** The record as somebody reads it, and a request that has it; what is wrong with the request. */
function misfits(schema: TSchema, request: unknown): readonly string[] {
  return [...Value.Errors(schema, request)].map(({ instancePath, message }) => `${instancePath} ${message}`);
}
const read = <Answer>(answer: Answer): Answer => JSON.parse(JSON.stringify(answer));

describe("what is read over the API is written back as it is", () => {
  it("a site's description, with its rules of reservations and of enforcement", () => {
    fc.assert(
      fc.property(fc.oneof(simulated, slurm), (spec) => {
        const shown = read(inSeconds(spec));
        expect(misfits(siteRequestSchema, { name: "west", spec: shown })).toEqual([]);
        expect(completeSpec(shown)).toEqual(spec);
      }),
    );
  });

  it("policies", () => {
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 3 }), (policies) => {
        const shown = read(inSeconds(policies));
        expect(misfits(policiesRequestSchema, { policies: shown })).toEqual([]);
        expect(inMilliseconds(shown)).toEqual(policies);
      }),
    );
  });

  it("what brokers tell each other", () => {
    const job = fc.record({
      ...{ id: fc.constant("a/1"), site: fc.constant("west"), siteJob: fc.constantFrom(null, "7"), consumer },
      ...{ procs: ppm, gpus: ppm, memoryBytes: ppm, limitMs: lengthMs(MOST_MS) },
      startedAtMs: fc.option(fc.integer({ min: 0, max: LAST_MS })),
    });
    const list = fc.record({
      ...{ asOfMs: fc.integer({ min: 0, max: LAST_MS }), leftOut: ppm },
      dispatched: fc.array(job, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(list, (told) => {
        const shown = read(dispatchesView(told));
        expect(misfits(dispatchesSchema, shown)).toEqual([]);
        expect(dispatchesGiven(shown)).toEqual(told);
      }),
    );
  });

  it("any length to its millisecond, up to the longest", () => {
    expect(inSeconds({ waitMs: 1, feeProcMs: 7, none: { limitMs: null } })).toEqual({
      ...{ waitSec: 0.001, feeProcMs: 7 },
      none: { limitSec: null },
    });
    const [row, named] = [{ waitMs: 5 }, { waitMs: 5 }];
    expect(inSeconds({ consumers: [row] })).toEqual({ consumers: [{ waitSec: 0.005 }] });
    expect(inSeconds({ delayBudgets: named })).toEqual({ delayBudgets: named });
    const length = fc.integer({ min: -MOST_MS, max: MOST_MS });
    fc.assert(
      fc.property(length, (waitMs) => {
        expect(inMilliseconds(read(inSeconds({ waitMs })))).toEqual({ waitMs });
      }),
      draws(10_000),
    );
  });

  it("names that people chose are in fields that are known for it, and in no others", () => {
    expect([...new Set(recordsIn(siteRequestSchema))].sort()).toEqual([...NAMED_BY_PEOPLE].sort());
    expect(recordsIn(policiesRequestSchema)).toEqual([]);
  });
});

/** The names of fields whose value has names of its own. */
function recordsIn(schema: object, name = ""): readonly string[] {
  const own = "patternProperties" in schema ? [name] : [];
  const { properties = {}, anyOf = [], items = {} } = schema as Record<string, object | undefined>;
  return [
    ...own,
    ...Object.entries(properties).flatMap(([field, inner]) => recordsIn(inner, field)),
    ...Object.values(anyOf).flatMap((inner) => recordsIn(inner, name)),
    ...recordsInItems(items, name),
  ];
}

function recordsInItems(items: object, name: string): readonly string[] {
  return Object.keys(items).length === 0 ? [] : recordsIn(items, name);
}
