import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { roughTimeText, sizeText, suText, utcText } from "../base/index.ts";
import { placement } from "./features/placement.ts";
import {
  delayText,
  type Explanation,
  explanationText,
  hindranceText,
  type Refusal,
  type ReservationHindrance,
  refusalText,
} from "./index.ts";

const turn = (awaited: readonly string[]) =>
  ({ kind: "reservationTurn", site: "local", reservation: "r", startMs: 7, awaited }) as const;

const THERE = "it waits for reservation r at local, from instant 7";

const site = (name: string) => ({ site: name, procs: 4, memoryBytes: 16 * 2 ** 30 });

describe("refusals in words", () => {
  it.each<[Refusal, string, string, string]>([
    [{ kind: "unknownJob", job: "ab" }, "there is no job ab", "has an id with this prefix", "stint list"],
    [{ kind: "idInUse", id: "ab" }, "the id ab is already used", "another object", "another id"],
    [
      { kind: "unknownSite", site: "loca", known: ["local", "far"] },
      "no site loca",
      "local and far",
      "local",
    ],
    [{ kind: "unknownSite", site: "xyz", known: [] }, "no site xyz", "no site yet", "let Stint choose"],
    [{ kind: "noSite" }, "cannot be placed", "no site yet", "stint up"],
    [
      { kind: "widerThanAnySite", procs: 64, memoryBytes: 2 ** 30, sites: [site("local")] },
      "no site is large enough for 64 processors and 1G of memory",
      "local has 4 processors and 16G of memory",
      "no more than",
    ],
    [
      { kind: "widerThanAnySite", procs: 1, memoryBytes: 0, sites: "abcdefgh".split("").map(site) },
      "large enough for 1 processor",
      "e has 4 processors and 16G of memory and 3 more",
      "split",
    ],
    [
      { kind: "siteHasShares", site: "far", count: 2 },
      "site far cannot be removed",
      "2 changes that Stint made in the cluster",
      "--take-back",
    ],
    [
      { kind: "siteHasJobs", site: "far", jobs: ["a", "b"], count: 7, isDraining: false },
      "site far cannot be removed",
      "a, b and 5 more",
      "stint site drain far",
    ],
    [
      { kind: "retryNotLarger", attribute: "retryTime", has: 7_200_000, most: 3_600_000 },
      "retryTime, 1h, would have no effect",
      "already requests wallTime 2h",
      "a larger retryTime",
    ],
    [{ kind: "gpusNotOffered", gpus: 1 }, "no site offers 1 GPU", "has GPUs", "add a site"],
    [
      { kind: "wrongState", job: "ab", verb: "hold", state: "DONE", allowedIn: ["WAITING", "SCHEDULED"] },
      "job ab cannot be held",
      "it is DONE, and hold applies only to jobs that are WAITING or SCHEDULED",
      "stint why ab",
    ],
  ])("%j", (refusal, what, why, remedy) => {
    const text = refusalText(refusal);
    expect(text.what).toContain(what);
    expect(text.why).toContain(why);
    expect(text.remedy).toContain(remedy);
  });
});

const MIDDAY = Date.UTC(2026, 4, 31, 12);
const HOUR = 3_600_000;
const SU = 3_600_000;

describe("refusals about reservations and accounts in words", () => {
  const wrong = { kind: "wrongReservationState", reservation: "ab" } as const;
  const misfit = { kind: "notInReservation", reservation: "ab" } as const;

  it.each<[Refusal, string, string, string]>([
    [
      { kind: "unknownReservation", reservation: "ab" },
      "there is no reservation ab",
      "with this prefix",
      "stint reservations",
    ],
    [
      { ...wrong, verb: "accept", state: "CANCELLED", allowedIn: ["OFFERED"] },
      "reservation ab cannot be accepted",
      "it is CANCELLED, and accept applies only to those that are OFFERED",
      "stint reservations ab",
    ],
    [
      { ...wrong, verb: "cancel", state: "ACTIVE", allowedIn: ["OFFERED", "ACCEPTED"] },
      "cannot be cancelled",
      "OFFERED or ACCEPTED",
      "stint relinquish ab",
    ],
    [
      { ...wrong, verb: "relinquish", state: "ACCEPTED", allowedIn: ["ACTIVE"] },
      "cannot be relinquished",
      "ACTIVE",
      "stint unreserve ab",
    ],
    [
      { ...wrong, verb: "extend", state: "FULFILLED", allowedIn: ["ACTIVE"] },
      "cannot be extended",
      "it is FULFILLED",
      "stint reservations ab",
    ],
    [{ kind: "slotInvalid", field: "procs", value: -1 }, "procs cannot be -1", "from 1 to", "at least one"],
    [
      { kind: "priceUncounted", site: "far", procs: 64, durationMs: 7_200_000 },
      "far cannot price 64 processors for 2 h",
      "counted exactly",
      "request less, or less time",
    ],
    [
      { kind: "slotTooWide", site: "far", procs: 64, most: 8 },
      "far has no slot of 64 processors",
      "it has 8 processors in all",
      "no more than that",
    ],
    [
      { kind: "slotTaken", site: "far", earliestMs: null },
      "the slot at far is not available",
      "other reservations",
      "stint quote",
    ],
    [
      { kind: "slotTaken", site: "far", earliestMs: MIDDAY },
      "the slot at far is not available",
      "running jobs",
      "begins at 2026-05-31T12:00:00Z",
    ],
    [
      { kind: "siteReservesNothing", site: "far", why: "it is read-only" },
      "far reserves nothing",
      "it is read-only",
      "another site",
    ],
    [
      { kind: "offerLapsed", reservation: "ab", expiredAtMs: MIDDAY + 1500 },
      "offer ab is no longer valid",
      "expired at 2026-05-31T12:00:01.500Z",
      "stint quote --keep",
    ],
    [
      { kind: "accountShort", site: "far", consumer: "cms", balanceProcMs: 3 * SU, neededProcMs: 10.5 * SU },
      "the account of cms at far cannot cover it",
      "its balance is 3 SU, and 10.5 SU are needed: 7.5 SU too few",
      "grant",
    ],
    [
      { kind: "extensionDearer", fixedProcMs: 5 * SU, mostFixedProcMs: 0 },
      "costs more than your limit",
      "5 SU, and your limit is 0 SU",
      "--most",
    ],
    [{ kind: "partsUnfit", why: "none" }, "cannot be combined", "none", "--at"],
    [{ kind: "partsUnfit", why: "sameSite" }, "cannot be combined", "the same site", "give each one once"],
    [{ kind: "partsUnfit", why: "otherTime" }, "cannot be combined", "begin and end together", "one start"],
    [{ ...misfit, why: "unknown" }, "cannot be in reservation ab", "no such", "stint reservations"],
    [{ ...misfit, why: "over" }, "cannot be in", "has ended", "omit"],
    [{ ...misfit, why: "notYours" }, "cannot be in", "another's", "omit"],
    [{ ...misfit, why: "tooWide" }, "cannot be in", "more than is reserved", "omit"],
    [{ ...misfit, why: "otherSite" }, "cannot be in", "another site", "omit"],
    [
      {
        kind: "mayNotReserveSlot",
        site: "far",
        hindrance: { kind: "tooLong", durationMs: 1, longestMs: 1 },
      },
      "far does not reserve this slot for you",
      "longest permitted",
      "extended",
    ],
  ])("%j", (refusal, what, why, remedy) => {
    const text = refusalText(refusal);
    expect(text.what).toContain(what);
    expect(text.why).toContain(why);
    expect(text.remedy).toContain(remedy);
  });

  const share = { atMs: MIDDAY, procs: 70, mostProcs: 64 };
  it.each<[ReservationHindrance, string, string]>([
    [{ kind: "mayNotReserve", consumer: "cms", consumers: [] }, "reservations are disabled there", "queue"],
    [
      { kind: "mayNotReserve", consumer: "cms", consumers: ["a", "b"] },
      "cms may not reserve there; a and b may",
      "administrator",
    ],
    [
      { kind: "startsInPast", startMs: MIDDAY, nowMs: MIDDAY + HOUR },
      "begin at 2026-05-31T12:00:00Z, which is in the past (now 2026-05-31T13:00:00Z)",
      "in the future",
    ],
    [
      { kind: "tooSoon", startMs: MIDDAY, earliestMs: MIDDAY + HOUR },
      "the earliest permitted start is 2026-05-31T13:00:00Z",
      "stint quote",
    ],
    [
      { kind: "tooFarAhead", endMs: MIDDAY + HOUR, latestMs: MIDDAY },
      "end at 2026-05-31T13:00:00Z, and the latest permitted end is 2026-05-31T12:00:00Z",
      "stint quote",
    ],
    [
      { kind: "tooLong", durationMs: 5 * HOUR, longestMs: 1.5 * HOUR },
      "last 5h, and the longest permitted reservation is 1h30m",
      "less time",
    ],
    [
      { kind: "tooMuchReserved", ...share },
      "at 2026-05-31T12:00:00Z 70 processors would be reserved, and the limit is 64",
      "fewer",
    ],
    [{ kind: "consumerTooMuchReserved", ...share }, "reserved by one consumer", "fewer"],
    [{ kind: "farTooMuchReserved", ...share }, "reserved that far ahead", "another start"],
    [{ kind: "tooMuchOffered", ...share }, "held by one consumer's open offers", "withdraw"],
    [
      { kind: "tooManyWasted", wasted: 6, most: 5 },
      "6 reservations without a price were unused or cancelled within a week, and the limit is 5",
      "a slot with a price",
    ],
  ])("%j", (hindrance, why, remedy) => {
    expect(hindranceText(hindrance)).toContain(why);
    const text = refusalText({ kind: "mayNotReserveSlot", site: "far", hindrance });
    expect(text.why).toBe(hindranceText(hindrance));
    expect(text.remedy).toContain(remedy);
  });
});

describe("what a slot does to others, in words", () => {
  it.each([
    [[0, 0, 0, 0], "delays nobody"],
    [[1, 40, 40, 0], "delays 1 queued job by 40 min"],
    [[1, 40, 40, 1], "delays 1 queued job of your own department by 40 min"],
    [
      [14, 192, 40, 9],
      "delays 14 queued jobs by 3.2 h in total, 9 of your own department; the worst one by 40 min",
    ],
    [[2, 60, 30, 0], "delays 2 queued jobs by 1 h in total; the worst one by 30 min"],
    [[2, 6000, 4500, 2], "in total, all of your own department; the worst one by 3.1 d"],
  ])("jobs, minutes in all, of the worst, own jobs: %j", ([jobs, totalMin, worstMin, ownJobs], text) => {
    const facts = { jobs, totalMs: totalMin * 60_000, worstMs: worstMin * 60_000, ownJobs };
    expect(delayText(facts)).toContain(text);
  });
});

describe("amounts in words", () => {
  it.each([
    [0, "0 SU"],
    [-2, ">-0.0001 SU"],
    [359, "<0.0001 SU"],
    [2000, "0.00056 SU"],
    [SU * 12.346, "12.35 SU"],
    [1, "<0.0001 SU"],
    [SU / 3000, "0.00033 SU"],
    [-SU * 2, "-2 SU"],
  ])("%d processor-milliseconds are %s", (procMs, text) => expect(suText(procMs)).toBe(text));

  it.each([
    [0, "0 s"],
    [1550, "1.6 s"],
    [90_000, "2 min"],
    [47 * HOUR, "47 h"],
    [60 * HOUR, "2.5 d"],
  ])("%d ms are %s", (ms, text) => expect(roughTimeText(ms)).toBe(text));

  it("an instant is written as ISO 8601 has it", () => {
    const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(0, 2, 1), max: last }), (atMs) => {
        expect(utcText(atMs)).toBe(new Date(atMs).toISOString().replace(".000Z", "Z"));
      }),
    );
    expect(utcText(Date.UTC(2000, 1, 29))).toBe("2000-02-29T00:00:00Z");
  });
});

describe("sizes in words", () => {
  it.each([
    [0, "0"],
    [1500, "1500"],
    [2 ** 31, "2G"],
    [25_276_502_016, "23.5G"],
    [1_234_567_890_123, "1.1T"],
    [1_234_567, "1.1M"],
  ])("%d bytes are %s", (bytes, text) => expect(sizeText(bytes)).toBe(text));
});

describe("explanations in words", () => {
  it("tells the state, every cause, the predicted start and what would help, a line each", () => {
    const explanation: Explanation = {
      job: "ab",
      state: "SCHEDULED",
      causes: [
        { kind: "procsBusy", site: "local", needed: 4, free: 1 },
        { kind: "memoryBusy", site: "local", neededBytes: 2 ** 31, freeBytes: 2 ** 20 },
        { kind: "jobsAhead", site: "local", jobs: 1, procs: 2 },
        { kind: "held" },
        { kind: "suspended" },
        { kind: "starting", site: "local" },
        { kind: "running", site: "local" },
        { kind: "over" },
        turn([]),
        turn(["local"]),
        turn(["local", "far"]),
        turn(["far", "away"]),
      ],
      predictedStartAtMs: 5,
      method: "schedule",
      helpfulChanges: [
        {
          kind: "placeable",
          changes: [
            { kind: "procs", procs: 8 },
            { kind: "memory", memoryBytes: 2 ** 30 },
            { kind: "gpus", gpus: 0 },
            { kind: "wallTime", wallTimeMs: 1_800_000 },
            { kind: "anySite" },
            { kind: "requirements", requirements: "true", difference: "without other.Gpus >= 1" },
          ],
          sites: ["a", "b"],
          queue: { site: "b", queue: "long" },
        },
        {
          kind: "granted",
          rights: [
            { kind: "share", consumer: "cms" },
            { kind: "account", consumer: "cms/higgs" },
            { kind: "noBan", consumer: "cms/higgs" },
          ],
          sites: ["a"],
        },
        { kind: "fewerProcs", procs: 1 },
        { kind: "shorterLimit", wallTimeMs: 5_400_000 },
      ],
    };
    expect(explanationText(explanation, (atMs) => `instant ${atMs}`)).toEqual([
      "job ab is SCHEDULED",
      "it needs 4 processors; local has 1 free",
      "it needs 2G of memory; local has 1M free",
      "1 job is before it in the queue of local, with 2 processors in all",
      "it is held: `stint release` releases it",
      "it is suspended: `stint resume` resumes it",
      "it is starting at local",
      "it runs at local",
      "it has ended",
      THERE,
      `${THERE}, which local has not created yet`,
      `${THERE}, which local has not created yet, and for its reservation at far`,
      `${THERE}, and for its reservation at far, away`,
      "it would start by instant 5 if every job ran to its time limit and no other job arrived",
      "with 8 processors, 1G of memory, no GPUs, a time limit of 30m, no site named and other requirements " +
        "(without other.Gpus >= 1) it could be placed at a and b (queue long)",
      "with a share of cms in the usage policies, a local account for cms/higgs in the identity rules and " +
        "cms/higgs removed from the ban list it could be placed at a (1 site); their administrators grant " +
        "that",
      "with 1 processor it would start now",
      "with a time limit of 1h30m it would start now",
    ]);
  });
});

describe("attempts that are repeated", () => {
  it.each([
    [
      { deep: 1, shallow: 1, at: ["a", "b"] },
      "2 attempts at a and b failed or did not start in time (1 after the start); it is tried again",
    ],
    [
      { deep: 0, shallow: 0, at: [], larger: [{ of: "memory", from: 2 ** 30, to: 2 ** 31 }] },
      "it had too little, and is tried again with 2G of memory instead of 1G",
    ],
    [
      { deep: 0, shallow: 1, at: ["a"], larger: [{ of: "time", from: null, to: 90_000 }] },
      "it had too little, and is tried again with a time limit of 1m30s; 1 attempt at a failed or did " +
        "not start in time (0 after the start); it is tried again",
    ],
  ] as const)("%j: %s", (facts, text) => {
    expect(placement.causes?.retried({ kind: "retried", ...facts }, String)).toBe(text);
  });
});
