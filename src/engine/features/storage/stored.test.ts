import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  explanationText,
  JOB_DEFAULTS,
  type JobDescription,
  type Policy,
  refusalText,
  type SiteSpec,
} from "../../../model/index.ts";
import { answer, decide, explain, restore } from "../../index.ts";
import { keeperAt } from "../../state/files-book.ts";

const K = 1024;

function store(sizeBytes: number): SiteSpec {
  return {
    ...{ type: "managed", procs: 10, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
    stores: { scratch: { sizeBytes } },
  };
}

function storage(consumer: string, burst: number, more: Partial<Policy> = {}): Policy {
  return {
    ...{ resource: "storage", provider: "here", consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: 100_000 },
    burst: { bucketMs: 60_000, sharePpm: burst * 10_000 },
    ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
    ...more,
  };
}

function stage(...policies: readonly Policy[]): Scene {
  const play = scene({});
  play.ask({ kind: "addSite", site: "here", spec: store(100 * K) });
  play.ask({
    kind: "applyPolicies",
    ...{ policies, effectiveFromMs: null, onVersion: null, by: "admin", note: "" },
  });
  return play;
}

function request(job: string, inputBytes: number, consumer = "a/u", more: Partial<JobDescription> = {}) {
  const description = { ...JOB_DEFAULTS, executable: "true", ...more };
  return { kind: "submit", job, description, consumer, owner: "u1", inputBytes } as const;
}

const words = (play: Scene, job: string): string => {
  const record = play.projection.jobs.get(job);
  if (record === undefined) return "over";
  return explanationText(explain(play.projection, record, play.now), String).join("\n");
};

function over(play: Scene, job: string, leftBytes: number): void {
  play.running(job);
  play.ended(job);
  play.ask({ kind: "countFiles", files: `${job}/1`, bytes: leftBytes });
}

const storedBy = (play: Scene, consumer: string) => {
  const course = keeperAt(play.projection, "here", play.now)?.courses.get(consumer);
  return course?.amounts.at(-1) ?? 0;
};

describe("what is kept at sites for jobs", () => {
  it("EN-102 input files count from the placement, output from the end until it is removed", () => {
    const play = stage(storage("a", 50));
    play.ask(request("1", 20 * K));
    expect(storedBy(play, "a")).toBe(0);
    play.settle();
    expect(storedBy(play, "a")).toBe(20 * K);
    over(play, "1", 45 * K);
    expect(storedBy(play, "a")).toBe(45 * K);
    play.ask({ kind: "clearFiles", files: "1/1", site: "here", by: "ada" });
    expect(storedBy(play, "a")).toBe(0);
  });

  it("EN-102 counts are the same after a restart", () => {
    const play = stage(storage("a", 50));
    play.ask(request("1", 20 * K));
    play.ask(request("2", 30 * K));
    play.settle();
    over(play, "1", 10 * K);
    const { projection } = play;
    const [version] = projection.policies.versions;
    const stored = {
      ...NOTHING_STORED,
      sites: [{ name: "here", spec: store(100 * K), order: 1, isDraining: false }],
      jobs: [...projection.jobs.values()],
      policies: [version],
      files: [...projection.files.files.values()],
    };
    const again = restore(JSON.parse(JSON.stringify(stored)), play.now);
    const course = keeperAt(again, "here", play.now)?.courses.get("a");
    expect(course?.amounts.at(-1)).toBe(40 * K);
  });

  it("EN-102 files that alone exceed the limit are refused, with the facts", () => {
    const play = stage(storage("a", 50));
    const answered = answer(play.projection, request("1", 51 * K), play.now);
    if (answered.ok) throw new Error("it was not refused");
    const text = refusalText(answered.refusal);
    expect(text.what).toBe(
      "the job's input files have 51K, which exceeds your storage limit at every site that it may use",
    );
    expect(text.why).toBe(
      "a at here (a storage policy of here) may store 50K and uses 0, and 51K more are needed",
    );
    expect(play.ask(request("1", 50 * K))).toBe("ok");
    expect(play.ask(request("2", 51 * K, "b/u"))).toBe("ok");
  });

  it("EN-102 a job without room waits with the reason, and is placed when there is room", () => {
    const play = stage(storage("a", 50));
    play.ask(request("1", 30 * K));
    play.ask(request("2", 30 * K));
    play.ask(request("3", 30 * K, "b/u"));
    play.settle();
    expect(["1", "2", "3"].map((job) => play.records.get(job)?.site)).toEqual(["here", null, "here"]);
    expect(words(play, "2")).toContain(
      "a at here (a storage policy of here) may store 50K and uses 30K, and 30K",
    );
    over(play, "1", 0);
    play.settle();
    expect(play.records.get("2")?.site).toBe("here");
  });

  it("EN-102 jobs that are placed in one decision count for each other", () => {
    const play = stage(storage("a", 50));
    for (const job of ["1", "2", "3"]) play.ask(request(job, 20 * K));
    play.settle();
    expect(["1", "2", "3"].map((job) => play.records.get(job)?.site)).toEqual(["here", "here", null]);
  });

  it("EN-102 under `cap` placement is tried again when the epoch has room", () => {
    const play = stage(storage("a", 100, { rule: "cap" }));
    play.ask(request("1", 20 * K));
    play.settle();
    // 10 % of the store over the hour: reached after half an hour of 20 %.
    play.now += HOUR / 2;
    over(play, "1", 0);
    play.ask(request("2", 0));
    play.settle();
    expect(play.records.get("2")?.site).toBe(null);
    const { wakeAtMs } = decide(play.projection, play.now);
    expect(wakeAtMs).toBe(1000 + HOUR + 1);
    play.now = wakeAtMs;
    play.settle();
    expect(play.records.get("2")?.site).toBe("here");
  });

  it("EN-102 output is kept beyond the limit; its consumer gets nothing new until it fits", () => {
    const play = stage(storage("a", 50));
    play.ask(request("1", 0));
    play.settle();
    over(play, "1", 60 * K);
    play.ask({ kind: "countFiles", files: "1/1", bytes: 1 });
    expect(storedBy(play, "a")).toBe(60 * K);
    play.ask(request("2", 0));
    play.ask(request("3", 0, "b/u"));
    play.settle();
    expect(["2", "3"].map((job) => play.records.get(job)?.site)).toEqual([null, "here"]);
    expect(words(play, "2")).toContain("may store 50K and uses 60K. To make room, download");
    play.ask({ kind: "clearFiles", files: "1/1", site: "here", by: "ada" });
    play.settle();
    expect(play.records.get("2")?.site).toBe("here");
  });
});
