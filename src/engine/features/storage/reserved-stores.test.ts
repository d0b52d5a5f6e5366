import { describe, expect, it } from "vitest";
import { HOUR, NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import { accept, at, cancel, RULES, request, START, USER } from "../../../../test/reservation-scene.ts";
import {
  explanationText,
  JOB_DEFAULTS,
  type JobDescription,
  type Policy,
  refusalText,
  type SiteSpec,
} from "../../../model/index.ts";
import { answer, apply, createProjection, explain, restore } from "../../index.ts";
import { storeLimitAt } from "./store-limits.ts";

const K = 1024;
const OTHER = "vo2/group/user";
const SITE: SiteSpec = {
  ...{ type: "managed", procs: 10, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
  ...{ reservations: RULES, stores: { scratch: { sizeBytes: 100 * K, unitBytes: 10 * K } } },
};

function storage(consumer: string, percent: number): Policy {
  return {
    ...{ resource: "storage", provider: "here", consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: 60_000, sharePpm: percent * 10_000 },
    ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
  };
}

/** A site with a store of 100 KiB. */
function stage(...policies: readonly Policy[]): Scene {
  const play = scene({});
  play.now = START;
  play.ask({ kind: "addSite", site: "here", spec: SITE });
  const more = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  if (policies.length > 0) play.ask({ kind: "applyPolicies", policies, ...more });
  play.settle();
  return play;
}

/** Two processors and so much of the store, from `startMs` for two hours. */
function reserve(play: Scene, kib: number, startMs = START): void {
  const slot = { startMs, durationMs: 2 * HOUR };
  const resource = { kind: "store", name: "scratch", amount: kib * K } as const;
  const parts = [
    request("cpu", { ...slot, procs: 2 }),
    request("disk", { ...slot, procs: 0, memoryBytes: 0, resource }),
  ];
  expect(play.ask({ kind: "offerTogether", together: "t", parts })).toBe("ok");
  expect(play.ask(accept("cpu"))).toBe("ok");
  play.settle();
}

interface Whose {
  readonly reservation?: string;
  readonly consumer?: string;
}

/** Where it goes; why not, where it is refused. */
function submit(play: Scene, job: string, kib: number, { reservation, consumer = USER }: Whose = {}): string {
  const more: Partial<JobDescription> = reservation === undefined ? {} : { reservation };
  const description = { ...JOB_DEFAULTS, executable: "true", ...more };
  const about = { job, description, consumer, owner: "u1", inputBytes: kib * K } as const;
  const answered = answer(play.projection, { kind: "submit", ...about }, play.now);
  if (!answered.ok) return refusalText(answered.refusal).why;
  play.ask({ kind: "submit", ...about });
  play.settle();
  return play.projection.jobs.get(job)?.site ?? "waits";
}

const IN_IT = { reservation: "cpu" };

function whyWaits(play: Scene, job: string): string {
  const record = play.projection.jobs.get(job);
  return record === undefined
    ? "over"
    : explanationText(explain(play.projection, record, play.now), String)[1];
}

describe("files of jobs in a reservation with a part of a store", () => {
  it("EN-116 use the reserved part, whatever their quota has left", () => {
    const play = stage(storage("vo", 30));
    expect(submit(play, "free", 25)).toBe("here");
    reserve(play, 5, START);
    expect(submit(play, "more", 6)).toBe("waits");
    expect(submit(play, "1", 5, IN_IT)).toBe("here");
  });

  it("EN-116 wait for room in it with the reason; files that could never fit are refused", () => {
    const play = stage(storage("vo", 90));
    reserve(play, 40);
    expect(submit(play, "1", 30, IN_IT)).toBe("here");
    expect(submit(play, "2", 20, IN_IT)).toBe("waits");
    expect(whyWaits(play, "2")).toContain(
      "its reservation has 40K of the stores of here, of which 30K are used, and 20K more are needed",
    );
    expect(submit(play, "3", 41, IN_IT)).toContain(
      "its reservation has 40K of the stores of here, of which 30K are used, and 41K more are needed",
    );
    play.running("1");
    play.ended("1");
    play.ask({ kind: "countFiles", files: "1/1", bytes: 10 * K });
    play.settle();
    expect(play.projection.jobs.get("2")?.site).toBe("here");
  });

  it("EN-116 files of jobs that arrive together are counted together", () => {
    const play = stage();
    reserve(play, 40);
    const description = { ...JOB_DEFAULTS, executable: "true", ...IN_IT };
    for (const job of ["1", "2", "3"]) {
      play.ask({ kind: "submit", job, description, consumer: USER, owner: "u1", inputBytes: 20 * K });
    }
    play.settle();
    expect(["1", "2", "3"].map((job) => play.projection.jobs.get(job)?.site)).toEqual(["here", "here", null]);
  });

  it("EN-116 count as any others once the reservation is over", () => {
    const play = stage(storage("vo", 50));
    reserve(play, 40);
    submit(play, "1", 40, IN_IT);
    play.running("1");
    play.ended("1");
    play.ask({ kind: "countFiles", files: "1/1", bytes: 40 * K });
    at(play, START + 2 * HOUR);
    expect(play.projection.reserved.records.size).toBe(0);
    expect(submit(play, "2", 11)).toBe("waits");
    expect(submit(play, "3", 10)).toBe("here");
  });

  it("EN-116 in a reservation of processors alone count as any others", () => {
    const play = stage(storage("vo", 30));
    play.ask(request("cpu", { startMs: START, durationMs: HOUR, procs: 2 }));
    play.ask(accept("cpu"));
    play.settle();
    expect(submit(play, "1", 31, IN_IT)).toContain("a storage policy of here");
    expect(submit(play, "2", 30, IN_IT)).toBe("here");
  });
});

describe("what is reserved of a store", () => {
  it.each([
    ["where policies count files", [storage("vo", 100), storage("vo2", 100)]],
    ["where none does", []],
  ] as const)("EN-116 is available to nobody else from acceptance on, %s", (_, policies) => {
    const play = stage(...policies);
    reserve(play, 50, START + HOUR);
    expect(submit(play, "1", 51, { consumer: OTHER })).toBe("waits");
    expect(whyWaits(play, "1")).toContain("the stores of here hold 100K, of which 50K are used, and 51K");
    expect(submit(play, "2", 50, { consumer: OTHER })).toBe("here");
    expect(submit(play, "3", 50, IN_IT)).toBe("here");
    play.ask(cancel("cpu"));
    play.settle();
  });

  it("EN-116 is free again when it is released early", () => {
    const play = stage();
    reserve(play, 50, START + HOUR);
    expect(submit(play, "1", 51, { consumer: OTHER })).toBe("waits");
    expect(play.ask(cancel("cpu"))).toBe("ok");
    play.settle();
    expect(play.projection.jobs.get("1")?.site).toBe("here");
  });

  it("EN-116 counts once in its owner's quota, filled or not", () => {
    const play = stage(storage("vo", 60), storage("vo2", 60));
    reserve(play, 50);
    expect(submit(play, "1", 11)).toBe("waits");
    expect(submit(play, "2", 10)).toBe("here");
    expect(submit(play, "3", 50, IN_IT)).toBe("here");
    expect(submit(play, "4", 40, { consumer: OTHER })).toBe("here");
  });

  it("EN-116 is the same after a restart, and computed again from the log", () => {
    const play = stage(storage("vo", 60));
    reserve(play, 40);
    submit(play, "1", 30, IN_IT);
    const { projection } = play;
    const stored = {
      ...NOTHING_STORED,
      sites: [{ name: "here", spec: SITE, order: 1, isDraining: false }],
      jobs: [...projection.jobs.values()],
      policies: projection.policies.versions,
      files: [...projection.files.files.values()],
      reservations: [...projection.reserved.records.values()],
      offered: 2,
    };
    const again = restore(JSON.parse(JSON.stringify(stored)), play.now);
    const replayed = createProjection();
    for (const event of play.log) apply(replayed, event);
    const asked = [
      { consumer: USER, askedBytes: 11 * K, reservation: "cpu" },
      { consumer: USER, askedBytes: 21 * K },
      { consumer: OTHER, askedBytes: 61 * K },
    ];
    const limits = [projection, again, replayed].map((state) => {
      const site = state.sites.get("here");
      return asked.map((it) => site && storeLimitAt(state, site, it, play.now));
    });
    expect(limits[0].map((it) => it?.limit)).toEqual(["reservation", "burst", "capacity"]);
    expect(limits[1]).toEqual(limits[0]);
    expect(limits[2]).toEqual(limits[0]);
  });
});
