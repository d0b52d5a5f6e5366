import { describe, expect, it } from "vitest";
import type { Policy, SharedResource } from "../../model/index.ts";
import {
  type Evidence,
  type Findings,
  findingsOf,
  type UseRecord,
  VERIFY_DEFAULTS,
  verify,
} from "../index.ts";

const HOUR = 3_600_000;

function policy(resource: SharedResource, consumer: string, percent: number, more: Partial<Policy> = {}) {
  return {
    ...{ resource, provider: "here", consumer, rule: "entitlement", mode: "preempting", carry: "repay" },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: 60_000, sharePpm: 1_000_000 },
    ...more,
  } as Policy;
}

function lying(id: string, consumer: string, storage: number, [fromMs, toMs]: readonly [number, number]) {
  return recordOf({ id, consumer, need: { storage }, runs: [{ fromMs, toMs }] });
}

function recordOf(more: Partial<UseRecord>): UseRecord {
  return {
    ...{ id: "f", of: "files", consumer: "a", need: {}, submittedAtMs: 0, endedAtMs: null },
    ...{ waits: [], runs: [], outcome: "unfinished", ...more },
  };
}

function found(evidence: Partial<Evidence>): Findings {
  const whole: Evidence = {
    ...{ place: "here", terms: [], records: [], stopped: [] },
    capacity: [{ fromMs: 0, amounts: { cpu: 4, storage: 1000, network: 100 } }],
    recorded: [{ fromMs: 0, toMs: HOUR }],
    ...evidence,
  };
  return findingsOf(verify(whole, { fromMs: 0, toMs: HOUR, definitions: VERIFY_DEFAULTS }));
}

const always = (...policies: readonly Policy[]) => [{ fromMs: null, policies }];

describe("verification of stores", () => {
  it("measures stored bytes by the ms, and counts no jobs", () => {
    const { levels, totals, jobs } = found({
      terms: always(policy("storage", "a", 20), policy("storage", "b", 80)),
      records: [lying("a1", "a/u", 400, [0, HOUR / 2]), lying("b1", "b", 100, [HOUR / 4, HOUR])],
    });
    expect(levels.map(({ consumer, parts }) => [consumer, parts.used])).toEqual([
      ["a", 0.2],
      ["b", 0.075],
    ]);
    expect(totals).toMatchObject([{ resource: "storage", parts: { used: 0.275 } }]);
    expect(jobs).toMatchObject({ submitted: 0, completed: 0, completedPart: null });
  });

  it("reports use above a share while another consumer waits, with its amount", () => {
    const waiting = recordOf({
      ...{ id: "b1", consumer: "b", need: { storage: 300 } },
      waits: [{ fromMs: HOUR / 2, toMs: null }],
    });
    const { levels, verdict } = found({
      terms: always(policy("storage", "a", 20), policy("storage", "b", 80)),
      records: [lying("a1", "a", 800, [-HOUR, HOUR]), waiting],
    });
    expect(verdict).toBe("violated");
    expect(levels[0]).toMatchObject({
      violated: ["epoch"],
      parts: { used: 0.8, aboveEpoch: 0.6, aboveEpochContended: 0.4 },
    });
    expect(levels[1]).toMatchObject({ violated: ["given"], parts: { notGiven: 0.15 } });
  });

  it("reports use above a burst, by bucket", () => {
    const tight = policy("storage", "a", 20, { burst: { bucketMs: 60_000, sharePpm: 500_000 } });
    const { levels } = found({ terms: always(tight), records: [lying("a1", "a", 600, [0, 60_000])] });
    expect(levels[0].violated).toEqual(["burst"]);
    expect(levels[0].stretches.aboveBurst).toEqual([{ fromMs: 0, toMs: 60_000 }]);
  });
});

describe("verification of links, which have a record of their own", () => {
  const terms = always(policy("network", "a", 50), policy("cpu", "a", 50));
  const passing = recordOf({
    ...{ id: "t1", of: "transfers", need: { network: 50 } },
    runs: [{ fromMs: 0, toMs: HOUR / 2 }],
  });

  it("PO-20 lists its gaps apart, and excludes them from its measures", () => {
    const half = { fromMs: 0, toMs: HOUR / 2, resource: "network" } as const;
    const { gaps, levels, verdict } = found({
      terms,
      records: [passing],
      recorded: [{ fromMs: 0, toMs: HOUR }, half],
    });
    expect(gaps).toEqual([{ fromMs: HOUR / 2, toMs: HOUR, resource: "network" }]);
    expect(levels.map(({ resource, verdict: its, parts }) => [resource, its, parts.used])).toEqual([
      ["cpu", "kept", 0],
      ["network", "keptWhereRecorded", 0.5],
    ]);
    expect(verdict).toBe("keptWhereRecorded");
  });

  it("PO-20 knows nothing without a record, and never reports kept", () => {
    const { levels, gaps } = found({ terms, records: [] });
    expect(levels.map(({ resource, verdict }) => [resource, verdict])).toEqual([
      ["cpu", "kept"],
      ["network", "unknown"],
    ]);
    expect(gaps).toEqual([{ fromMs: 0, toMs: HOUR, resource: "network" }]);
  });

  it("PO-20 lists no gaps where no policy names the resource", () => {
    const { gaps, verdict } = found({ terms: always(policy("cpu", "a", 50)) });
    expect([gaps, verdict]).toEqual([[], "kept"]);
  });
});
