import { describe, expect, it } from "vitest";
import type { Policy } from "../../model/index.ts";
import { calendarWindow } from "../calendar.ts";
import { compareEvidence } from "./compare.ts";
import {
  type Evidence,
  type OpenStretch,
  type UseRecord,
  VERIFY_DEFAULTS,
  type VerifyDefinitions,
} from "./evidence.ts";
import { type Findings, findingsOf } from "./findings.ts";
import { useSeriesOf } from "./use-series.ts";
import { verify } from "./verify.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** A policy with shares in percent; a window of an hour, buckets of 5 s. */
function policy(consumer: string, epoch: number, burst: number, more: Partial<Policy> = {}): Policy {
  return {
    ...{ resource: "cpu", provider: consumer.includes("/") ? consumer.split("/")[0] : "site1", consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: epoch * 10_000 },
    burst: { bucketMs: 5 * SECOND, sharePpm: burst * 10_000 },
    ...{ rule: "entitlement", mode: "preempting", carry: "forgive", ...more },
  };
}

const seconds = (stretches: readonly (readonly [number, number | null])[]): OpenStretch[] =>
  stretches.map(([from, to]) => ({ fromMs: from * SECOND, toMs: to === null ? null : to * SECOND }));

interface Drawn {
  readonly waits?: readonly (readonly [number, number | null])[];
  readonly runs?: readonly (readonly [number, number | null])[];
  readonly more?: Partial<UseRecord>;
}

let jobs = 0;

/** A job of a consumer; times in seconds. */
function job(consumer: string, cpu: number, { waits = [], runs = [], more = {} }: Drawn): UseRecord {
  const begins = [...waits, ...runs].map(([from]) => from * SECOND);
  jobs++;
  return {
    ...{ id: `j${jobs}`, consumer, need: { cpu }, submittedAtMs: Math.min(...begins, HOUR), endedAtMs: null },
    ...{ waits: seconds(waits), runs: seconds(runs), outcome: "unfinished", ...more },
  };
}

/** A site of 100 processors, recorded for an hour. */
function site(
  policies: readonly Policy[],
  records: readonly UseRecord[],
  more: Partial<Evidence> = {},
): Evidence {
  return {
    ...{ place: "site1", capacity: [{ fromMs: 0, amounts: { cpu: 100 } }], records },
    ...{ terms: [{ fromMs: null, policies }], recorded: [{ fromMs: 0, toMs: HOUR }], stopped: [], ...more },
  };
}

function found(
  evidence: Evidence,
  more: Partial<VerifyDefinitions> = {},
  period = { fromMs: 0, toMs: HOUR },
) {
  return findingsOf(verify(evidence, { ...period, definitions: { ...VERIFY_DEFAULTS, ...more } }));
}

function of(findings: Findings, consumer: string) {
  const level = findings.levels.find((one) => one.consumer === consumer);
  if (level === undefined) throw new Error(`${consumer} is measured`);
  return level;
}

/** Processor-seconds as a part of an hour of 100 processors. */
const part = (procSeconds: number) => Math.round((procSeconds / 360_000) * 1e9) / 1e9;

describe("measures", () => {
  it("finds a VO that was over its burst for 10 s", () => {
    const records = [job("vo0", 80, { runs: [[100, 110]] }), job("vo0", 10, { runs: [[200, 260]] })];
    const { parts, verdict, violated, stretches } = of(found(site([policy("vo0", 50, 60)], records)), "vo0");
    expect(parts).toMatchObject({ aboveBurst: part(20 * 10), aboveEpoch: 0, used: part(800 + 600) });
    expect({ verdict, violated }).toEqual({ verdict: "violated", violated: ["burst"] });
    expect(stretches.aboveBurst).toEqual([{ fromMs: 100_000, toMs: 110_000 }]);
  });

  it("compares a bucket's use with the integral of its limit", () => {
    // 80 for 2 s of a bucket of 5 s is 160 of 300; 80 for 4 s is 320 of 300.
    const records = [job("vo0", 80, { runs: [[100, 102]] }), job("vo0", 80, { runs: [[201, 205]] })];
    expect(of(found(site([policy("vo0", 50, 60)], records)), "vo0").parts.aboveBurst).toBe(part(20));
  });

  it("measures ART over completed jobs and AJC over submitted ones", () => {
    const completed = (submitted: number, ended: number): Partial<UseRecord> => ({
      ...{ submittedAtMs: submitted * SECOND, endedAtMs: ended * SECOND, outcome: "completed" },
    });
    const records = [
      job("vo0/a", 1, { runs: [[10, 20]], more: completed(0, 20) }),
      job("vo0/b", 1, { runs: [[10, 50]], more: completed(10, 50) }),
      job("vo0/b", 1, { runs: [[10, 50]], more: { ...completed(10, 50), outcome: "failed" } }),
      job("vo0/b", 1, { runs: [[3000, 4000]], more: completed(3000, 4000) }),
      job("vo1", 1, { runs: [[0, 100]], more: completed(-50, 100) }),
    ];
    const findings = found(site([policy("vo0", 50, 60), policy("vo0/b", 50, 60)], records));
    expect(findings.jobs).toEqual({ submitted: 4, completed: 3, meanResponseMs: 70_000, completedPart: 0.5 });
    expect(of(findings, "vo0/b").jobs).toMatchObject({ submitted: 3, completed: 1, meanResponseMs: 40_000 });
  });

  it("adds up the uppermost levels in total, and counts use without a share there", () => {
    const records = [job("vo0/a", 90, { runs: [[0, 10]] }), job("nobody", 5, { runs: [[0, 100]] })];
    const findings = found(site([policy("vo0", 50, 60), policy("vo0/a", 100, 100)], records));
    expect(findings.totals[0].parts).toMatchObject({ used: part(900 + 500), aboveBurst: part(300) });
    expect(of(findings, "vo0/a").parts.aboveBurst).toBe(part(300));
  });

  it("measures use above the epoch, contended only while the other has demand", () => {
    // 20 % of 100 for an hour are 72,000; at 50 they are used up after 1,440 s, and 2,160 s are above.
    const records = [
      job("vo0", 50, { runs: [[0, 3600]] }),
      job("vo1", 40, { waits: [[3000, 3100]], runs: [[3100, 3200]] }),
    ];
    const { parts, violated, stretches } = of(
      found(site([policy("vo0", 20, 60), policy("vo1", 80, 90)], records)),
      "vo0",
    );
    expect(parts.aboveEpoch).toBe(part(50 * 2160));
    expect(parts.aboveEpochContended).toBe(part(50 * 100));
    expect(stretches.contended).toEqual([{ fromMs: 3_000_000, toMs: 3_100_000 }]);
    expect(violated).toEqual(["epoch"]);
  });

  it("measures a use above the limit by its excess", () => {
    const period = { fromMs: 10 * HOUR, toMs: 20 * HOUR };
    const evidence = site([policy("vo0", 20, 60)], [job("vo0", 30, { runs: [[0, null]] })], {
      recorded: [period],
    });
    // Of any whole windows 30 % were used, 20 % allowed.
    expect(of(found(evidence, {}, period), "vo0").parts.aboveEpoch).toBe(0.1);
  });

  it("begins anew with each calendar window, and counts the capacity of all of it", () => {
    const context: Partial<Policy> = {
      epoch: { window: { kind: "fixed", unit: "day", offsetMs: 0 }, sharePpm: 250_000 },
    };
    const { endMs } = calendarWindow("day", 0, 0);
    const period = { fromMs: 0, toMs: 2 * endMs };
    const records = [
      job("vo0", 100, {
        runs: [
          [0, 7 * 3600],
          [86_400, 86_400 + 6 * 3600],
        ],
      }),
    ];
    const whole = site([policy("vo0", 25, 100, context)], records, { recorded: [period] });
    expect(of(found(whole, {}, period), "vo0").parts.aboveEpoch).toBe(Math.round((1 / 48) * 1e9) / 1e9);
    const capacity = [12, 24].map((hour, at) => ({
      fromMs: at * hour * HOUR,
      amounts: { cpu: at === 0 ? 100 : 50 },
    }));
    const half = { ...whole, capacity: [capacity[0], { ...capacity[1], fromMs: 12 * HOUR }] };
    // 25 % of 12 h at 100 and 12 h at 50 are 450 processor-hours: 250 of 700 are above. Then 25 % of 50.
    const above = (250 + 300) / (100 * 12 + 50 * 36);
    expect(of(found(half, {}, period), "vo0").parts.aboveEpoch).toBeCloseTo(above, 8);
  });

  it("finds entitled time that was waited for and not given", () => {
    const records = [
      job("vo0", 90, { runs: [[0, 600]] }),
      job("vo1", 30, { waits: [[100, 600]], runs: [[600, 700]] }),
      job("vo1", 90, { waits: [[0, null]] }),
    ];
    const shares = [policy("vo0", 50, 100), policy("vo1", 50, 100)];
    const vo1 = of(found(site(shares, records)), "vo1");
    // The wide job is no claim: 90 is more than the entitlement of the VO.
    expect(vo1.parts.notGiven).toBe(part(30 * 500));
    expect(vo1.violated).toEqual(["given"]);
  });

  it("counts nothing as not given to a consumer that has had its share", () => {
    const records = [job("vo1", 50, { runs: [[0, 1800]] }), job("vo1", 10, { waits: [[1800, 3600]] })];
    const shares = [policy("vo0", 75, 100), policy("vo1", 25, 100, { carry: "repay" })];
    expect(of(found(site(shares, records)), "vo1").parts.notGiven).toBe(0);
    const forgiving = [policy("vo0", 75, 100), policy("vo1", 25, 100)];
    expect(of(found(site(forgiving, records)), "vo1").parts.notGiven).toBe(part(10 * 1800));
  });

  it("PO-26 is no violation by lent shares under shared", () => {
    const records = [job("vo0", 90, { runs: [[0, 3600]] }), job("vo1", 30, { waits: [[3000, 3600]] })];
    const shares = (mode: Policy["mode"]) => [policy("vo0", 50, 100), policy("vo1", 50, 100, { mode })];
    const lent = found(site(shares("shared"), records));
    expect(of(lent, "vo0")).toMatchObject({
      verdict: "kept",
      parts: { aboveEpochContended: part(90 * 600) },
    });
    expect(of(lent, "vo1")).toMatchObject({ verdict: "kept", parts: { notGiven: part(30 * 600) } });
    const taken = found(site(shares("preempting"), records));
    expect([of(taken, "vo0").violated, of(taken, "vo1").violated]).toEqual([["epoch"], ["given"]]);
  });
});

describe("gaps and verdicts", () => {
  const over = [job("vo0", 80, { runs: [[100, 110]] })];

  it("PO-20 measures nothing in a gap", () => {
    const recorded = [
      { fromMs: 0, toMs: 50_000 },
      { fromMs: 150_000, toMs: HOUR },
    ];
    const findings = found(site([policy("vo0", 50, 60)], over, { recorded }));
    expect(findings.gaps).toEqual([{ fromMs: 50_000, toMs: 150_000 }]);
    expect(findings).toMatchObject({ verdict: "keptWhereRecorded", measuredMs: HOUR - 100_000 });
    expect(of(findings, "vo0").parts).toMatchObject({ used: 0, aboveBurst: 0 });
    expect(of(findings, "vo0").verdict).toBe("keptWhereRecorded");
  });

  it("PO-20 excludes what the definitions exclude, and lists it", () => {
    const stopped = [{ fromMs: 90_000, toMs: 120_000, why: "drain" as const }];
    const evidence = site([policy("vo0", 50, 60)], over, { stopped });
    expect(found(evidence).verdict).toBe("violated");
    const findings = found(evidence, { drain: "excluded" });
    expect(findings).toMatchObject({ verdict: "kept", excluded: stopped, measuredMs: HOUR - 30_000 });
  });

  it("PO-26 knows nothing where nothing is recorded", () => {
    const findings = found(site([policy("vo0", 50, 60)], over, { recorded: [] }));
    expect(findings.verdict).toBe("unknown");
    expect(findings.totals[0].parts.used).toBeNull();
  });

  it("PO-26 takes all use above the epoch for a violation under cap, and none up to the tolerance", () => {
    const long = [job("vo0", 50, { runs: [[0, 3600]] })];
    expect(of(found(site([policy("vo0", 20, 60)], long)), "vo0").verdict).toBe("kept");
    const capped = site([policy("vo0", 20, 60, { rule: "cap" })], long);
    expect(of(found(capped), "vo0").violated).toEqual(["epoch"]);
    expect(of(found(capped, { tolerancePpm: 300_000 }), "vo0").verdict).toBe("kept");
  });

  it("PO-26 counts time lost with a node for the agreed party", () => {
    const lost = [job("vo0", 80, { more: { runs: [{ fromMs: 0, toMs: 10_000, isLost: true }] } })];
    const evidence = site([policy("vo0", 50, 60)], lost);
    expect(of(found(evidence), "vo0").verdict).toBe("violated");
    expect(of(found(evidence, { nodeFailure: "provider" }), "vo0").verdict).toBe("kept");
  });

  it("PO-26 applies each policy from its date on", () => {
    const terms = [
      { fromMs: null, policies: [policy("vo0", 50, 60)] },
      { fromMs: 105_000, policies: [policy("vo0", 50, 100)] },
    ];
    const evidence = site([], [...over, job("vo0", 80, { runs: [[200, 300]] })], { terms });
    expect(of(found(evidence), "vo0").parts.aboveBurst).toBe(part(20 * 5));
  });

  it("measures no resource without a known capacity", () => {
    const memory = policy("vo0", 50, 60, { resource: "memory" });
    const findings = found(site([policy("vo0", 50, 60), memory], over));
    expect(findings.unmeasured).toEqual(["memory"]);
    expect(findings.levels.map(({ resource }) => resource)).toEqual(["cpu"]);
  });
});

describe("series and comparisons", () => {
  it("PO-2 give use now and use over the epoch", () => {
    const records = [job("vo0", 100, { runs: [[0, 1800]] })];
    const verification = verify(site([policy("vo0", 50, 60)], records), {
      ...{ fromMs: 0, toMs: HOUR },
      definitions: VERIFY_DEFAULTS,
    });
    const { inUse, overEpoch } = useSeriesOf(verification, verification.levels[0], 4);
    expect(inUse).toEqual([1, 1, 0, 0]);
    expect(overEpoch).toEqual([0.25, 0.5, 0.5, 0.5]);
  });

  it("list the differences of two parties' evidence", () => {
    const shares = [policy("vo0", 50, 60)];
    const same = job("vo0", 10, { runs: [[0, 10]] });
    const [mine, theirs] = [job("vo0", 80, { runs: [[10, 20]] }), job("vo0", 80, { runs: [[10, 21]] })];
    const side = (records: readonly UseRecord[], cpu: number) => {
      const evidence = site(shares, records, { capacity: [{ fromMs: 0, amounts: { cpu } }] });
      const question = { fromMs: 0, toMs: HOUR, definitions: VERIFY_DEFAULTS };
      return { evidence, question, findings: findingsOf(verify(evidence, question)) };
    };
    const extra = job("vo0", 1, { runs: [[50, 60]] });
    const one = side([same, mine, extra], 100);
    expect(compareEvidence(one, one)).toEqual([]);
    const listed = compareEvidence(one, side([same, { ...theirs, id: mine.id }], 100));
    expect(listed.map(({ kind, of: whose, what }) => `${kind} ${whose} ${what}`)).toEqual([
      `job ${mine.id} runs`,
      `job ${extra.id} job`,
      "measure cpu vo0 used",
    ]);
    expect(compareEvidence(one, side([same, mine, extra], 120))[0]).toMatchObject({ kind: "capacity" });
  });
});
