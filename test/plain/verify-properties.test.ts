/**
 * Verification sweeps over changes; the plain version goes tick by tick. They agree on every small case.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Policy } from "../../src/model/index.ts";
import {
  changeUse,
  createUseHistory,
  type Evidence,
  type OpenStretch,
  type UseRecord,
  usedOver,
  VERIFY_DEFAULTS,
  type VerifyQuestion,
  verify,
  WHOLE_SHARE,
} from "../../src/policy/index.ts";
import { draws } from "../draws.ts";
import { plainVerify } from "./plain-verify.ts";

const END = 40;
const consumers = ["a", "a/x", "a/y", "b", "b/z", "c"] as const;

const share = fc.constantFrom(0, 100_000, 250_000, 333_333, 500_000, 800_000, 1_000_000);

const policyOf = (provider: string, consumer: string) =>
  fc
    .record({
      epochPpm: share,
      burstPpm: share,
      lengthMs: fc.constantFrom(1, 3, 7, 12),
      bucketMs: fc.constantFrom(1, 2, 5),
      rule: fc.constantFrom<Policy["rule"]>("entitlement", "cap"),
      mode: fc.constantFrom<Policy["mode"]>("shared", "preempting", "dedicated"),
      carry: fc.constantFrom<Policy["carry"]>("forgive", "repay"),
    })
    .map(({ epochPpm, burstPpm, lengthMs, bucketMs, ...rest }): Policy => {
      const burst = { bucketMs, sharePpm: Math.max(epochPpm, burstPpm) };
      const epoch = { window: { kind: "sliding" as const, lengthMs }, sharePpm: epochPpm };
      return { resource: "cpu", provider, consumer, epoch, burst, ...rest };
    });

const policies = fc
  .tuple(
    fc.option(policyOf("s", "a")),
    fc.option(policyOf("s", "b")),
    fc.option(policyOf("a", "a/x")),
    fc.option(policyOf("a", "a/y")),
  )
  .map((some) => some.filter((one) => one !== null));

/** Stretches one after the other; the last may go on. */
const stretches = (most: number): fc.Arbitrary<OpenStretch[]> =>
  fc
    .tuple(fc.uniqueArray(fc.integer({ min: -8, max: END + 4 }), { maxLength: 2 * most }), fc.boolean())
    .map(([instants, goesOn]) => {
      const inOrder = instants.toSorted((one, other) => one - other);
      const all: OpenStretch[] = [];
      for (let i = 0; i + 1 < inOrder.length; i += 2) all.push({ fromMs: inOrder[i], toMs: inOrder[i + 1] });
      const last = all.at(-1);
      return last !== undefined && goesOn ? [...all.slice(0, -1), { fromMs: last.fromMs, toMs: null }] : all;
    });

const record: fc.Arbitrary<UseRecord> = fc
  .record({
    consumer: fc.constantFrom(...consumers),
    cpu: fc.integer({ min: 0, max: 6 }),
    waits: stretches(1),
    runs: stretches(2),
    isLost: fc.boolean(),
  })
  .map(({ consumer, cpu, waits, runs, isLost }) => ({
    ...{ id: "", consumer, need: { cpu }, submittedAtMs: 0, endedAtMs: null, outcome: "unfinished" as const },
    ...{ waits, runs: runs.map((run) => ({ ...run, isLost })) },
  }));

const cases = fc.record({
  capacity: fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 1, maxLength: 3 }),
  terms: fc.array(policies, { minLength: 1, maxLength: 2 }),
  isDated: fc.boolean(),
  records: fc.array(record, { maxLength: 6 }),
  recorded: stretches(2),
  stopped: stretches(1),
  drain: fc.constantFrom<"counted" | "excluded">("counted", "excluded"),
  nodeFailure: fc.constantFrom<"provider" | "consumer">("provider", "consumer"),
});

const closed = (all: readonly OpenStretch[]) =>
  all.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? END }));

const madeOf = (drawn: typeof cases extends fc.Arbitrary<infer Case> ? Case : never) => {
  const evidence: Evidence = {
    place: "s",
    capacity: drawn.capacity.map((cpu, i) => ({
      fromMs: i * 11 - 5,
      amounts: { cpu: i === 0 ? cpu + 1 : cpu },
    })),
    terms: drawn.terms.map((some, i) => ({
      fromMs: i === 0 && !drawn.isDated ? null : i * 14 - 2,
      policies: some,
    })),
    records: drawn.records,
    recorded: drawn.recorded.length === 0 ? [{ fromMs: 0, toMs: END }] : closed(drawn.recorded),
    stopped: closed(drawn.stopped).map((one) => ({ ...one, why: "drain" as const })),
  };
  const { drain, nodeFailure } = drawn;
  const question: VerifyQuestion = {
    ...{ fromMs: 0, toMs: END },
    definitions: { ...VERIFY_DEFAULTS, drain, nodeFailure },
  };
  return { evidence, question };
};

describe("verification", () => {
  it("says what the plain version says", () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const { evidence, question } = madeOf(drawn);
        const swept = verify(evidence, question).levels.map(({ path, sums }) => ({
          consumer: path,
          ...sums,
        }));
        const plain = plainVerify(evidence, question);
        const byName = (one: { consumer: string }, other: { consumer: string }) =>
          one.consumer < other.consumer ? -1 : 1;
        expect(swept.toSorted(byName)).toEqual([...plain].sort(byName));
      }),
      draws(60),
    );
  });

  it("finds use above the epoch exactly where the use over the window passes the limit", () => {
    const runs = fc.array(fc.tuple(fc.integer({ min: 0, max: 35 }), fc.integer({ min: 1, max: 9 })), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(runs, fc.constantFrom(3, 8, 15), share, (drawn, lengthMs, sharePpm) => {
        const window = { kind: "sliding" as const, lengthMs };
        const policy: Policy = {
          ...{ resource: "cpu", provider: "s", consumer: "a", rule: "cap", mode: "shared", carry: "repay" },
          ...{ epoch: { window, sharePpm }, burst: { bucketMs: 5, sharePpm: 1_000_000 } },
        };
        const evidence: Evidence = {
          ...{ place: "s", capacity: [{ fromMs: 0, amounts: { cpu: 6 } }], stopped: [] },
          ...{ terms: [{ fromMs: null, policies: [policy] }], recorded: [{ fromMs: 0, toMs: END }] },
          records: drawn.map(([fromMs, lastsMs], i) => ({
            ...{ id: `${i}`, consumer: "a", need: { cpu: 1 }, submittedAtMs: 0, waits: [], endedAtMs: null },
            ...{ runs: [{ fromMs, toMs: fromMs + lastsMs }], outcome: "unfinished" as const },
          })),
        };
        const [level] = verify(evidence, { fromMs: 0, toMs: END, definitions: VERIFY_DEFAULTS }).levels;
        const history = createUseHistory(lengthMs);
        let isOver = false;
        for (let t = 0; t < END; t++) {
          const amount = drawn.filter(([fromMs, lastsMs]) => fromMs <= t && t < fromMs + lastsMs).length;
          changeUse(history, t, amount);
          const limit = BigInt((sharePpm / 1_000_000) * WHOLE_SHARE) * 6n * BigInt(lengthMs);
          if (usedOver(history, window, t + 1) * BigInt(WHOLE_SHARE) > limit) isOver = true;
        }
        expect(level.sums.aboveEpoch > 0n).toBe(isOver);
      }),
    );
  });
});
