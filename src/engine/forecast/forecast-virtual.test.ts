import { describe, expect, it } from "vitest";
import { foreignSpec } from "../../../test/engine-scene.ts";
import { forecastVirtual, type VirtualReservationQuestion } from "./forecast-virtual.ts";
import { learnPast } from "./learn-past.ts";
import { shapeOfSite } from "./observed-queue.ts";
import { factsOf, ONLY_QUEUE, type PastJob } from "./past-jobs.ts";

const MINUTE = 60_000;
const shape = shapeOfSite(foreignSpec(4));

/** Jobs of a minute, each of which waited for about an hour: for 50 to 59 min. */
const pastOf = (count: number): readonly PastJob[] =>
  Array.from({ length: count }, (_, at): PastJob => {
    const eligibleAtMs = at * 8 * MINUTE;
    const startedAtMs = eligibleAtMs + (50 + ((at * 7) % 10)) * MINUTE;
    const times = { eligibleAtMs, startedAtMs, endedAtMs: startedAtMs + MINUTE };
    const who = { id: String(at), queue: ONLY_QUEUE, user: "ann", procs: 1, memoryBytes: 0 };
    return { ...who, limitMs: MINUTE, ...times };
  });

const nowMs = 10_000 * MINUTE;
const facts = factsOf({
  ...{ id: "?", queue: ONLY_QUEUE, user: "ann", procs: 2, memoryBytes: 0, limitMs: MINUTE },
});
const question: VirtualReservationQuestion = {
  ...{ facts, nowMs, startMs: nowMs + 240 * MINUTE, durationMs: 60 * MINUTE },
  ...{ mostWallTimeMs: null, enough: null },
};

const past = learnPast("s", shape, pastOf(200), () => false);

describe("when to submit a job that is to run at an instant", () => {
  it("at once where waiting longer helps nothing, with the record of past waits", () => {
    const { plan, noPlan, noRecord } = forecastVirtual(past, question);
    expect({ noPlan, noRecord }).toEqual({ noPlan: null, noRecord: null });
    expect(plan).toMatchObject({ submitMs: nowMs, wallTimeMs: 300 * MINUTE, mostIdleProcMs: 480 * MINUTE });
    expect(plan?.probability).toBeGreaterThan(0.95);
    expect(plan?.source.waits).toBeGreaterThanOrEqual(59);
    expect(plan?.score.kept.every(({ promises }) => promises >= 20)).toBe(true);
  });

  it("as late as past waits allow, where less certainty is enough", () => {
    const { plan } = forecastVirtual(past, { ...question, enough: 0.9 });
    const aheadMs = question.startMs - (plan?.submitMs ?? 0);
    expect(aheadMs).toBeGreaterThanOrEqual(57 * MINUTE);
    expect(aheadMs).toBeLessThan(62 * MINUTE);
  });

  it("keeps to the longest limit of the site", () => {
    const { plan } = forecastVirtual(past, { ...question, mostWallTimeMs: 130 * MINUTE });
    expect(plan).toMatchObject({ submitMs: nowMs + 170 * MINUTE, wallTimeMs: 130 * MINUTE });
    expect(forecastVirtual(past, { ...question, mostWallTimeMs: 60 * MINUTE })).toMatchObject({
      ...{ plan: null, noPlan: { kind: "wallTimeTooLong", mostMs: 60 * MINUTE } },
    });
  });

  it("without a record gives no instant, only how many more jobs are needed", () => {
    const few = learnPast("s", shape, pastOf(40), () => false);
    expect(forecastVirtual(few, question)).toEqual({
      ...{ plan: null, noPlan: null, noRecord: { settled: 40, needed: 59 } },
    });
  });
});
