import { describe, expect, it } from "vitest";
import { type Explanation, explanationText, type Refusal, refusalText } from "./index.ts";
import { sizeText } from "./refusal-text.ts";

const site = (name: string) => ({ site: name, procs: 4, memoryBytes: 16 * 2 ** 30 });

describe("refusals in words", () => {
  it.each<[Refusal, string, string, string]>([
    [{ kind: "unknownJob", job: "ab" }, "there is no job ab", "begins so", "stint list"],
    [{ kind: "idInUse", id: "ab" }, "the id ab is taken", "already", "another id"],
    [
      { kind: "unknownSite", site: "loca", known: ["local", "far"] },
      "no site loca",
      "local and far",
      "local",
    ],
    [{ kind: "unknownSite", site: "xyz", known: [] }, "no site xyz", "no site yet", "let Stint choose"],
    [{ kind: "noSite" }, "nowhere to go", "no site yet", "stint up"],
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
      { kind: "siteHasJobs", site: "far", jobs: ["a", "b"], count: 7, isDraining: false },
      "site far cannot be removed",
      "a, b and 5 more",
      "stint site drain far",
    ],
    [{ kind: "gpusNotOffered", gpus: 1 }, "no site offers 1 GPU", "GPUs", "leave"],
    [
      { kind: "wrongState", job: "ab", verb: "hold", state: "DONE", allowedIn: ["WAITING", "SCHEDULED"] },
      "job ab cannot be held",
      "it is DONE, and hold is for jobs that are WAITING or SCHEDULED",
      "stint why ab",
    ],
  ])("%j", (refusal, what, why, remedy) => {
    const text = refusalText(refusal);
    expect(text.what).toContain(what);
    expect(text.why).toContain(why);
    expect(text.remedy).toContain(remedy);
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
      ],
      predictedStartAtMs: 5,
      method: "schedule",
      helpfulChanges: [
        { kind: "fewerProcs", cpuNumber: 1 },
        { kind: "shorterLimit", wallTimeMs: 5_400_000 },
      ],
    };
    expect(explanationText(explanation, (atMs) => `instant ${atMs}`)).toEqual([
      "job ab is SCHEDULED",
      "it needs 4 processors; local has 1 free",
      "it needs 2G of memory; local has 1M free",
      "1 job is before it in the queue of local, with 2 processors in all",
      "it is held: `stint release` lets it go on",
      "it is suspended: `stint resume` lets it go on",
      "it is being started at local",
      "it runs at local",
      "it is over",
      "it would start by instant 5 if every job used its whole time limit and nothing else came",
      "with 1 processor it would start now",
      "with a time limit of 1h30m it would start now",
    ]);
  });
});
