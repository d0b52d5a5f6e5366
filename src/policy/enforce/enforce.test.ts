import { describe, expect, it } from "vitest";
import { ALL_STEPS, carriedOut, policy, type Scene, siteOf, told } from "../../../test/enforced-scene.ts";
import { enforce } from "./enforce.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Actions of a pass at an instant, in words. */
const pass = (scene: Scene, nowMs = HOUR) => told(enforce(siteOf(scene, nowMs), nowMs));

/** Two organisations of the source: a fifth and four fifths. */
const two = [policy("a", 20, { burst: 60 }), policy("b", 80, { burst: 90 })];
const preempting = [
  policy("a", 20, { burst: 60, mode: "preempting" }),
  policy("b", 80, { mode: "preempting" }),
];

describe("release", () => {
  it("PO-8 the least served consumer is first, and released jobs count", () => {
    const jobs = [..."aaaaab"].map((consumer) => ({ consumer }));
    expect(pass({ policies: two, jobs, available: { cpu: 3 } })).toEqual([
      "release a",
      "release f",
      "release b",
    ]);
  });

  it("PO-8 a consumer that used more of its share over the epoch comes later", () => {
    const past = [{ consumer: "a", cpu: 1, ms: [0, HOUR] }] as const;
    const jobs = [{ consumer: "a" }, { consumer: "b" }];
    expect(pass({ policies: two, jobs, cpu: 2, past })).toEqual(["release b", "release a"]);
  });

  it("PO-8 of several resources the one with the greatest use of its share counts", () => {
    const both = ["a", "b"].flatMap((consumer) => [
      policy(consumer, 50),
      policy(consumer, 50, { resource: "memory" }),
    ]);
    const jobs = [
      { consumer: "a", state: "running" as const, need: { cpu: 1, memory: 40 } },
      { consumer: "b", state: "running" as const, need: { cpu: 3, memory: 0 } },
      { consumer: "a", need: 1 },
      { consumer: "b", need: 1 },
    ];
    expect(pass({ policies: both, jobs, memory: 100 }, 1_000)).toEqual(["release d", "release c"]);
  });

  it("PO-8 from the top down: a group does not wait because its organisation served another", () => {
    const policies = [...two, policy("b/x", 50), policy("b/y", 50)];
    const jobs = [
      { consumer: "b/x", state: "running" as const, begunAtMs: 0 },
      { consumer: "b/x" },
      { consumer: "b/y" },
    ];
    expect(pass({ policies, jobs, available: { cpu: 2 } })).toEqual(["release c"]);
  });

  it("PO-8 jobs of a level come before those below it, suspended ones before waiting ones", () => {
    const policies = [policy("a", 100), policy("a/x", 50)];
    const jobs = [{ consumer: "a/x" }, { consumer: "a" }, { consumer: "a", state: "suspended" as const }];
    expect(pass({ policies, jobs })).toEqual(["resume c", "release b", "release a"]);
  });

  it("PO-8 while a suspended job cannot resume, none of its consumer's waiting jobs starts", () => {
    const jobs = [
      { consumer: "a", need: 2 },
      { consumer: "b", need: 4, state: "running" as const },
      { consumer: "a", need: 6, state: "suspended" as const },
    ];
    expect(pass({ policies: [policy("a", 50), policy("b", 50)], jobs, cpu: 8 })).toEqual([]);
  });

  it("PO-9 no job exceeds a burst, and smaller jobs do not overtake one that would", () => {
    const jobs = [
      { consumer: "a", need: 4 },
      { consumer: "a", need: 3 },
      { consumer: "a", need: 2 },
    ];
    const decision = enforce(siteOf({ policies: two, jobs }, HOUR), HOUR);
    expect(told(decision)).toEqual(["release a"]);
    expect(decision.kept.get("c")).toEqual({ kind: "burst", consumer: "a" });
  });

  it("PO-9 the cause is an idle site or free capacity", () => {
    const jobs = [{ consumer: "a" }, { consumer: "b" }];
    const { actions } = enforce(siteOf({ policies: two, jobs }, HOUR), HOUR);
    expect(actions.map(({ cause }) => cause.kind)).toEqual(["idleSite", "freeCapacity"]);
  });

  it("PO-9 jobs without a policy, and jobs wider than a burst, are not released", () => {
    const jobs = [{ consumer: "stranger" }, { consumer: "a", need: 7 }, { consumer: "a", need: 6 }];
    expect(pass({ policies: two, jobs })).toEqual(["release c"]);
  });

  it("PO-9 queued jobs that no longer fit are held again", () => {
    const jobs = [
      { consumer: "b", need: 4, state: "queued" as const },
      { consumer: "b", need: 4, state: "queued" as const },
    ];
    expect(pass({ policies: two, jobs, available: { cpu: 5 } })).toEqual(["hold b"]);
  });

  it("PO-9 the first blocked job has a reservation; jobs that end before it, or fit beside it, start", () => {
    const running = {
      consumer: "b",
      need: 4,
      state: "running" as const,
      begunAtMs: 0,
      plannedEndMs: 2 * HOUR,
    };
    const jobs = [
      running,
      { consumer: "a", need: 5 },
      { consumer: "b", need: 1, estimateMs: 2 * HOUR },
      { consumer: "b", need: 3, estimateMs: 2 * HOUR },
      { consumer: "b", need: 2, estimateMs: HOUR },
    ];
    expect(pass({ policies: [policy("a", 60), policy("b", 40)], jobs, cpu: 8 })).toEqual([
      "release c",
      "release e",
    ]);
  });

  it("PO-9 the unused share of a dedicated consumer is free to it alone", () => {
    const policies = [policy("a", 20, { mode: "dedicated" }), policy("b", 80)];
    const jobs = [
      { consumer: "b", need: 9 },
      { consumer: "b", need: 8 },
      { consumer: "a", need: 2 },
    ];
    expect(pass({ policies, jobs })).toEqual(["release b", "release c"]);
    expect(pass({ policies, jobs: [{ consumer: "b", need: 9 }] })).toEqual([]);
  });
});

describe("victims", () => {
  const full = (more: object = {}) => [
    { consumer: "a", state: "running" as const, begunAtMs: 0, need: 3 },
    { consumer: "a", state: "running" as const, begunAtMs: MINUTE, need: 3, ...more },
    { consumer: "b", state: "running" as const, begunAtMs: 0, need: 4 },
  ];
  const claim = { consumer: "b", need: 2 };

  it("PO-10 are jobs of a consumer over its share, the last begun first, for one within its own", () => {
    expect(pass({ policies: preempting, jobs: [...full(), claim] })).toEqual(["suspend b", "release d"]);
  });

  it("PO-10 do not exist under a shared policy", () => {
    expect(pass({ policies: two, jobs: [...full(), claim] })).toEqual([]);
  });

  it("PO-10 are not stopped for a consumer that would be over its own share", () => {
    expect(pass({ policies: preempting, jobs: [...full(), { consumer: "b", need: 5 }] })).toEqual([]);
  });

  it("PO-10 are found among groups of one organisation, even when its share is used up", () => {
    const groups = ["x", "y"].map((group) => policy(`b/${group}`, 50, { mode: "preempting" }));
    const y = { consumer: "b/y", need: 2, state: "running" as const };
    const jobs = [
      { consumer: "a", need: 2, state: "running" as const },
      ...[1, 2, 3, 4].map((begunAtMs) => ({ ...y, begunAtMs })),
      { consumer: "b/x", need: 2 },
    ];
    expect(pass({ policies: [...preempting, ...groups], jobs })).toEqual(["suspend e", "release f"]);
  });

  it("PO-10 may be wide, even if their consumer is then below its share", () => {
    const jobs = [
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: 6 },
      { consumer: "b", state: "running" as const, begunAtMs: 0, need: 4 },
      claim,
    ];
    const rules = { suspendedPpm: 1_000_000 };
    expect(pass({ policies: preempting, jobs, rules })).toEqual(["suspend a", "release c"]);
    const within = [{ ...jobs[0], need: 2 }, { ...jobs[1], need: 8 }, claim];
    expect(pass({ policies: preempting, jobs: within, rules })).toEqual([]);
  });

  it("PO-10 are no more than needed: an unnecessary one is dropped", () => {
    const jobs = [
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: 4 },
      { consumer: "a", state: "running" as const, begunAtMs: MINUTE, need: 1 },
      { consumer: "a", state: "running" as const, begunAtMs: MINUTE, need: 1 },
      { consumer: "b", state: "running" as const, begunAtMs: 0, need: 4 },
      { consumer: "b", need: 4 },
    ];
    const policies = [policy("a", 0), policy("b", 80, { mode: "preempting" })];
    const rules = { suspendedPpm: 1_000_000 };
    expect(pass({ policies, jobs, rules })).toEqual(["suspend a", "release e"]);
  });

  it("PO-11 have run their minimum time, and the next pass is when that ends", () => {
    const young = { state: "running" as const, begunAtMs: HOUR - 10_000, need: 3 };
    const jobs = [...full().slice(1), { consumer: "a", ...young }, claim];
    const policies = [policy("a", 30), policy("b", 70, { mode: "preempting" })];
    const scene = { policies, jobs: [{ ...jobs[0], ...young }, ...jobs.slice(1)] };
    const { actions, wakeAtMs } = enforce(siteOf(scene, HOUR), HOUR);
    expect(actions).toEqual([]);
    expect(wakeAtMs).toBe(HOUR - 10_000 + MINUTE);
  });

  it("PO-11 are stopped no more often than allowed, and never twice for each other", () => {
    const often = [...full({ stops: 3 }), claim];
    expect(pass({ policies: preempting, jobs: often })).toEqual(["suspend a", "release d"]);
    const turned = [...full(), { ...claim, stoppedFor: ["b"] }];
    expect(pass({ policies: preempting, jobs: turned })).toEqual(["suspend a", "release d"]);
  });

  it("PO-11 are requeued where their memory would block the claimant", () => {
    const jobs = [
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: { cpu: 6, memory: 70 } },
      { consumer: "a", state: "running" as const, begunAtMs: MINUTE, need: { cpu: 2, memory: 20 } },
      { consumer: "b", need: { cpu: 4, memory: 50 } },
    ];
    const policies = [policy("a", 0), policy("b", 80, { mode: "preempting" })];
    const withMemory = [...policies, policy("b", 80, { resource: "memory", mode: "preempting" })];
    const scene = { policies: withMemory, jobs, memory: 100 };
    expect(pass(scene)).toEqual(["requeue a", "release c"]);
    expect(pass({ ...scene, rules: { granted: ["hold", "suspend"] } })).toEqual([]);
  });
});

describe("jobs that the site refuses to stop", () => {
  const running = (more: object) => ({ consumer: "a", state: "running" as const, need: 4, ...more });
  const scene = (first: object, granted = ALL_STEPS): Scene => ({
    policies: preempting,
    jobs: [running({ begunAtMs: 0 }), running({ begunAtMs: MINUTE, ...first }), { consumer: "b", need: 4 }],
    rules: { granted },
  });

  it("PO-11 are requeued instead where that is granted, else the next job is stopped", () => {
    expect(pass(scene({}))).toEqual(["suspend b", "release c"]);
    expect(pass(scene({ spared: ["suspend"] }))).toEqual(["requeue b", "release c"]);
    expect(pass(scene({ spared: ["suspend"] }, ["hold", "suspend"]))).toEqual(["suspend a", "release c"]);
    expect(pass(scene({ spared: ["suspend", "requeue"] }))).toEqual(["suspend a", "release c"]);
  });

  it("PO-11 are left alone under a cap, and in the literal form", () => {
    const capped = [policy("a", 20, { rule: "cap", windowMs: HOUR }), policy("b", 80)];
    const jobs = [running({ begunAtMs: 0, spared: ["suspend"] }), running({ begunAtMs: 1 })];
    expect(pass({ policies: capped, jobs })).toEqual(["suspend b", "requeue a"]);
    const rules = { granted: ["hold", "suspend"], form: "literal" } as const;
    expect(pass({ policies: capped, jobs, rules })).toEqual(["suspend b"]);
  });
});

describe("under a cap", () => {
  const capped = [policy("a", 20, { rule: "cap", windowMs: HOUR }), policy("b", 80)];
  const running = { consumer: "a", need: 4, state: "running" as const, begunAtMs: 0 };

  it("PO-14 a consumer that has used its share stops, even at an idle site", () => {
    expect(pass({ policies: capped, jobs: [running] }, HOUR / 2)).toEqual(["suspend a"]);
    expect(pass({ policies: capped, jobs: [running] }, HOUR / 2 - 1)).toEqual([]);
  });

  it("PO-14 the next pass is when the share will have been used", () => {
    const { wakeAtMs } = enforce(siteOf({ policies: capped, jobs: [running] }, MINUTE), MINUTE);
    expect(wakeAtMs).toBe(HOUR / 2);
  });

  it("PO-16 no pass is scheduled for a job over the limit that may not be stopped again", () => {
    const jobs = [{ ...running, stops: 3 }];
    const rules = { granted: ["hold", "requeue"] } as const;
    const { actions, wakeAtMs } = enforce(siteOf({ policies: capped, jobs, rules }, HOUR), HOUR);
    expect([actions, wakeAtMs]).toEqual([[], null]);
  });

  it("PO-14 a limit suspends a job any number of times", () => {
    const jobs = [{ ...running, stops: 3 }];
    expect(pass({ policies: capped, jobs })).toEqual(["suspend a"]);
    const narrow = [policy("a", 20, { burst: 50 }), policy("b", 80)];
    expect(pass({ policies: narrow, jobs: [...jobs, { ...jobs[0], begunAtMs: 1 }] })).toEqual(["suspend b"]);
  });

  it("PO-9 a released job can run its minimum time", () => {
    const past = [{ consumer: "a", cpu: 4, ms: [0, HOUR / 2 - MINUTE] }] as const;
    const jobs = [{ consumer: "a", need: 4 }];
    expect(pass({ policies: capped, jobs, past }, HOUR / 2)).toEqual(["release a"]);
    expect(pass({ policies: capped, jobs: [{ consumer: "a", need: 5 }], past }, HOUR / 2)).toEqual([]);
  });

  it("PO-9 PO-14 a suspended job resumes at the announced instant", () => {
    const past = [{ consumer: "a", cpu: 4, ms: [0, HOUR / 2] }] as const;
    const scene: Scene = { policies: capped, past, jobs: [{ ...running, state: "suspended", begunAtMs: 0 }] };
    const { wakeAtMs } = enforce(siteOf(scene, HOUR / 2), HOUR / 2);
    expect(wakeAtMs).toBe(HOUR + 1);
    expect(pass(scene, HOUR)).toEqual([]);
    expect(pass(scene, HOUR + 1)).toEqual(["resume a"]);
  });
});

describe("grants", () => {
  const jobs = [
    { consumer: "a", need: 5 },
    { consumer: "a", need: 5 },
    { consumer: "b", need: 5 },
  ];

  it("PO-15 under watch actions are computed and not carried out", () => {
    const decision = enforce(siteOf({ policies: two, jobs, rules: { granted: ["watch"] } }, HOUR), HOUR);
    expect(decision.isWatchOnly).toBe(true);
    expect(told(decision)).toEqual(["release a", "release c"]);
  });

  it("PO-15 without hold, released jobs are raised, and jobs over a limit lowered", () => {
    const queued = jobs.map((job) => ({ ...job, state: "queued" as const }));
    const site = siteOf({ policies: two, jobs: queued, rules: { granted: ["priority", "suspend"] } }, HOUR);
    const first = enforce(site, HOUR);
    expect(told(first)).toEqual(["raise a", "raise c", "lower b"]);
    expect(told(enforce(carriedOut(site, first, HOUR), HOUR))).toEqual([]);
  });

  it("PO-15 actions stay within the budget, and those left out are reported", () => {
    const crowd = [
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: 4 },
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: 4 },
      { consumer: "b", need: 8 },
    ];
    const policies = [policy("a", 0), policy("b", 80, { mode: "preempting" })];
    const scene = { policies, jobs: crowd, cpu: 10 };
    expect(pass({ ...scene, rules: { suspendedPpm: 1_000_000 } })).toEqual([
      "suspend b",
      "suspend a",
      "release c",
    ]);
    const few = enforce(siteOf({ ...scene, actionsLeft: 1, rules: { suspendedPpm: 1_000_000 } }, HOUR), HOUR);
    expect(told(few)).toEqual([]);
    expect(few.leftOut.map(({ budget }) => budget)).toEqual(["actions", "actions"]);
    const much = enforce(siteOf({ ...scene, rules: { granted: ["hold", "suspend"] } }, HOUR), HOUR);
    expect(much.leftOut.map(({ budget }) => budget)).toEqual(["suspended", "suspended"]);
  });

  it("PO-15 without hold no job is stopped for another", () => {
    const crowd = [
      { consumer: "a", state: "running" as const, need: 9 },
      { consumer: "b", need: 4, state: "queued" as const },
    ];
    expect(pass({ policies: preempting, jobs: crowd, rules: { granted: ["suspend", "requeue"] } })).toEqual(
      [],
    );
  });
});

describe("a stable site", () => {
  it("PO-16 needs nothing in a second pass at the same instant", () => {
    const jobs = [..."ababab"].map((consumer, i) => ({ consumer, need: 1 + (i % 3) }));
    const site = siteOf({ policies: preempting, jobs, rules: { granted: ALL_STEPS } }, HOUR);
    const first = enforce(site, HOUR);
    expect(first.actions.length).toBeGreaterThan(0);
    expect(enforce(carriedOut(site, first, HOUR), HOUR).actions).toEqual([]);
  });

  it("PO-16 schedules no pass where nothing could change", () => {
    expect(enforce(siteOf({ policies: two, jobs: [{ consumer: "a" }] }, HOUR), HOUR).wakeAtMs).toBe(null);
  });
});
