import { describe, expect, it } from "vitest";
import { ALL_STEPS, carriedOut, policy, type Scene, siteOf, told } from "../../../test/enforced-scene.ts";
import { enforce } from "./enforce.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What is asked for at an instant, in words. */
const look = (scene: Scene, nowMs = HOUR) => told(enforce(siteOf(scene, nowMs), nowMs));

/** Two organisations of the source: a fifth and four fifths. */
const two = [policy("a", 20, { burst: 60 }), policy("b", 80, { burst: 90 })];
const preempting = [
  policy("a", 20, { burst: 60, mode: "preempting" }),
  policy("b", 80, { mode: "preempting" }),
];

describe("who is let go", () => {
  it("PO-8 the least served consumer first, and what was let go counts", () => {
    const jobs = [..."aaaaab"].map((consumer) => ({ consumer }));
    expect(look({ policies: two, jobs, available: { cpu: 3 } })).toEqual([
      "release a",
      "release f",
      "release b",
    ]);
  });

  it("PO-8 who used more of his share over the epoch comes later", () => {
    const past = [{ consumer: "a", cpu: 1, ms: [0, HOUR] }] as const;
    const jobs = [{ consumer: "a" }, { consumer: "b" }];
    expect(look({ policies: two, jobs, cpu: 2, past })).toEqual(["release b", "release a"]);
  });

  it("PO-5 PO-8 of several resources the one of which it has most of its share counts", () => {
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
    expect(look({ policies: both, jobs, memory: 100 }, 1_000)).toEqual(["release d", "release c"]);
  });

  it("PO-8 from the top down: a group is not kept back by what its organisation gave another", () => {
    const policies = [...two, policy("b/x", 50), policy("b/y", 50)];
    const jobs = [
      { consumer: "b/x", state: "running" as const, begunAtMs: 0 },
      { consumer: "b/x" },
      { consumer: "b/y" },
    ];
    expect(look({ policies, jobs, available: { cpu: 2 } })).toEqual(["release c"]);
  });

  it("PO-8 the jobs of a level itself before those below it, suspended ones before those that wait", () => {
    const policies = [policy("a", 100), policy("a/x", 50)];
    const jobs = [{ consumer: "a/x" }, { consumer: "a" }, { consumer: "a", state: "suspended" as const }];
    expect(look({ policies, jobs })).toEqual(["resume c", "release b", "release a"]);
  });

  it("PO-8 while a suspended job cannot go on, none of its consumer's waiting does", () => {
    const jobs = [
      { consumer: "a", need: 2 },
      { consumer: "b", need: 4, state: "running" as const },
      { consumer: "a", need: 6, state: "suspended" as const },
    ];
    expect(look({ policies: [policy("a", 50), policy("b", 50)], jobs, cpu: 8 })).toEqual([]);
  });

  it("PO-9 nothing passes the burst of any level, and a wide job is not passed by behind it", () => {
    const jobs = [
      { consumer: "a", need: 4 },
      { consumer: "a", need: 3 },
      { consumer: "a", need: 2 },
    ];
    const decision = enforce(siteOf({ policies: two, jobs }, HOUR), HOUR);
    expect(told(decision)).toEqual(["release a"]);
    expect(decision.kept.get("c")).toEqual({ kind: "burst", consumer: "a" });
  });

  it("PO-9 tells an idle site from free capacity", () => {
    const jobs = [{ consumer: "a" }, { consumer: "b" }];
    const { actions } = enforce(siteOf({ policies: two, jobs }, HOUR), HOUR);
    expect(actions.map(({ cause }) => cause.kind)).toEqual(["idleSite", "freeCapacity"]);
  });

  it("PO-9 whom no policy names, and what is wider than a burst, is not let go", () => {
    const jobs = [{ consumer: "stranger" }, { consumer: "a", need: 7 }, { consumer: "a", need: 6 }];
    expect(look({ policies: two, jobs })).toEqual(["release c"]);
  });

  it("PO-9 queued jobs that no longer fit are held again", () => {
    const jobs = [
      { consumer: "b", need: 4, state: "queued" as const },
      { consumer: "b", need: 4, state: "queued" as const },
    ];
    expect(look({ policies: two, jobs, available: { cpu: 5 } })).toEqual(["hold b"]);
  });

  it("PO-12 keeps room for the first that does not fit; who ends before, or leaves it its room, goes", () => {
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
    expect(look({ policies: [policy("a", 60), policy("b", 40)], jobs, cpu: 8 })).toEqual([
      "release c",
      "release e",
    ]);
  });

  it("PO-13 what a dedicated consumer leaves idle is free to it alone", () => {
    const policies = [policy("a", 20, { mode: "dedicated" }), policy("b", 80)];
    const jobs = [
      { consumer: "b", need: 9 },
      { consumer: "b", need: 8 },
      { consumer: "a", need: 2 },
    ];
    expect(look({ policies, jobs })).toEqual(["release b", "release c"]);
    expect(look({ policies, jobs: [{ consumer: "b", need: 9 }] })).toEqual([]);
  });
});

describe("whose place is taken back", () => {
  const full = (more: object = {}) => [
    { consumer: "a", state: "running" as const, begunAtMs: 0, need: 3 },
    { consumer: "a", state: "running" as const, begunAtMs: MINUTE, need: 3, ...more },
    { consumer: "b", state: "running" as const, begunAtMs: 0, need: 4 },
  ];
  const claim = { consumer: "b", need: 2 };

  it("PO-10 of who is over his share, the last begun first, for one who is within his", () => {
    expect(look({ policies: preempting, jobs: [...full(), claim] })).toEqual(["suspend b", "release d"]);
  });

  it("PO-10 under a shared policy nobody is stopped", () => {
    expect(look({ policies: two, jobs: [...full(), claim] })).toEqual([]);
  });

  it("PO-10 not for one who would be over his share himself", () => {
    expect(look({ policies: preempting, jobs: [...full(), { consumer: "b", need: 5 }] })).toEqual([]);
  });

  it("PO-10 within an organisation its groups take back from each other, full as its share may be", () => {
    const groups = ["x", "y"].map((group) => policy(`b/${group}`, 50, { mode: "preempting" }));
    const y = { consumer: "b/y", need: 2, state: "running" as const };
    const jobs = [
      { consumer: "a", need: 2, state: "running" as const },
      ...[1, 2, 3, 4].map((begunAtMs) => ({ ...y, begunAtMs })),
      { consumer: "b/x", need: 2 },
    ];
    expect(look({ policies: [...preempting, ...groups], jobs })).toEqual(["suspend e", "release f"]);
  });

  it("PO-10 a wide job of who is over goes, even if less than its consumer's share is left", () => {
    const jobs = [
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: 6 },
      { consumer: "b", state: "running" as const, begunAtMs: 0, need: 4 },
      claim,
    ];
    const rules = { suspendedPpm: 1_000_000 };
    expect(look({ policies: preempting, jobs, rules })).toEqual(["suspend a", "release c"]);
    const within = [{ ...jobs[0], need: 2 }, { ...jobs[1], need: 8 }, claim];
    expect(look({ policies: preempting, jobs: within, rules })).toEqual([]);
  });

  it("PO-10 no more than needed: who need not have been chosen is given back", () => {
    const jobs = [
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: 4 },
      { consumer: "a", state: "running" as const, begunAtMs: MINUTE, need: 1 },
      { consumer: "a", state: "running" as const, begunAtMs: MINUTE, need: 1 },
      { consumer: "b", state: "running" as const, begunAtMs: 0, need: 4 },
      { consumer: "b", need: 4 },
    ];
    const policies = [policy("a", 0), policy("b", 80, { mode: "preempting" })];
    const rules = { suspendedPpm: 1_000_000 };
    expect(look({ policies, jobs, rules })).toEqual(["suspend a", "release e"]);
  });

  it("PO-11 none before its minimum run time, and it is looked again when that ends", () => {
    const young = { state: "running" as const, begunAtMs: HOUR - 10_000, need: 3 };
    const jobs = [...full().slice(1), { consumer: "a", ...young }, claim];
    const policies = [policy("a", 30), policy("b", 70, { mode: "preempting" })];
    const scene = { policies, jobs: [{ ...jobs[0], ...young }, ...jobs.slice(1)] };
    const { actions, wakeAtMs } = enforce(siteOf(scene, HOUR), HOUR);
    expect(actions).toEqual([]);
    expect(wakeAtMs).toBe(HOUR - 10_000 + MINUTE);
  });

  it("PO-11 none oftener than allowed, and none for a job that was once stopped for it", () => {
    const often = [...full({ stops: 3 }), claim];
    expect(look({ policies: preempting, jobs: often })).toEqual(["suspend a", "release d"]);
    const turned = [...full(), { ...claim, stoppedFor: ["b"] }];
    expect(look({ policies: preempting, jobs: turned })).toEqual(["suspend a", "release d"]);
  });

  it("PO-11 requeued where the suspended one's memory would be in the way", () => {
    const jobs = [
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: { cpu: 6, memory: 70 } },
      { consumer: "a", state: "running" as const, begunAtMs: MINUTE, need: { cpu: 2, memory: 20 } },
      { consumer: "b", need: { cpu: 4, memory: 50 } },
    ];
    const policies = [policy("a", 0), policy("b", 80, { mode: "preempting" })];
    const withMemory = [...policies, policy("b", 80, { resource: "memory", mode: "preempting" })];
    const scene = { policies: withMemory, jobs, memory: 100 };
    expect(look(scene)).toEqual(["requeue a", "release c"]);
    expect(look({ ...scene, rules: { granted: ["hold", "suspend"] } })).toEqual([]);
  });
});

describe("jobs that the site does not stop", () => {
  const running = (more: object) => ({ consumer: "a", state: "running" as const, need: 4, ...more });
  const scene = (first: object, granted = ALL_STEPS): Scene => ({
    policies: preempting,
    jobs: [running({ begunAtMs: 0 }), running({ begunAtMs: MINUTE, ...first }), { consumer: "b", need: 4 }],
    rules: { granted },
  });

  it("PO-63 what cannot be suspended is requeued where that is granted, else the next one goes", () => {
    expect(look(scene({}))).toEqual(["suspend b", "release c"]);
    expect(look(scene({ spared: ["suspend"] }))).toEqual(["requeue b", "release c"]);
    expect(look(scene({ spared: ["suspend"] }, ["hold", "suspend"]))).toEqual(["suspend a", "release c"]);
    expect(look(scene({ spared: ["suspend", "requeue"] }))).toEqual(["suspend a", "release c"]);
  });

  it("PO-63 under a cap, and in the literal form", () => {
    const capped = [policy("a", 20, { rule: "cap", windowMs: HOUR }), policy("b", 80)];
    const jobs = [running({ begunAtMs: 0, spared: ["suspend"] }), running({ begunAtMs: 1 })];
    expect(look({ policies: capped, jobs })).toEqual(["suspend b", "requeue a"]);
    const rules = { granted: ["hold", "suspend"], form: "literal" } as const;
    expect(look({ policies: capped, jobs, rules })).toEqual(["suspend b"]);
  });
});

describe("under a cap", () => {
  const capped = [policy("a", 20, { rule: "cap", windowMs: HOUR }), policy("b", 80)];
  const running = { consumer: "a", need: 4, state: "running" as const, begunAtMs: 0 };

  it("PO-14 who has used his share stops, idle as the site may be", () => {
    expect(look({ policies: capped, jobs: [running] }, HOUR / 2)).toEqual(["suspend a"]);
    expect(look({ policies: capped, jobs: [running] }, HOUR / 2 - 1)).toEqual([]);
  });

  it("PO-14 it is looked again when the share will have been used", () => {
    const { wakeAtMs } = enforce(siteOf({ policies: capped, jobs: [running] }, MINUTE), MINUTE);
    expect(wakeAtMs).toBe(HOUR / 2);
  });

  it("PO-16 nothing is looked at again for who is over and may not be stopped any more", () => {
    const jobs = [{ ...running, stops: 3 }];
    const rules = { granted: ["hold", "requeue"] } as const;
    const { actions, wakeAtMs } = enforce(siteOf({ policies: capped, jobs, rules }, HOUR), HOUR);
    expect([actions, wakeAtMs]).toEqual([[], null]);
  });

  it("PO-14 a limit holds however often it has suspended a job", () => {
    const jobs = [{ ...running, stops: 3 }];
    expect(look({ policies: capped, jobs })).toEqual(["suspend a"]);
    const narrow = [policy("a", 20, { burst: 50 }), policy("b", 80)];
    expect(look({ policies: narrow, jobs: [...jobs, { ...jobs[0], begunAtMs: 1 }] })).toEqual(["suspend b"]);
  });

  it("PO-9 what is let go can run its minimum time", () => {
    const past = [{ consumer: "a", cpu: 4, ms: [0, HOUR / 2 - MINUTE] }] as const;
    const jobs = [{ consumer: "a", need: 4 }];
    expect(look({ policies: capped, jobs, past }, HOUR / 2)).toEqual(["release a"]);
    expect(look({ policies: capped, jobs: [{ consumer: "a", need: 5 }], past }, HOUR / 2)).toEqual([]);
  });

  it("PO-9 PO-14 it comes back at the instant that is told", () => {
    const past = [{ consumer: "a", cpu: 4, ms: [0, HOUR / 2] }] as const;
    const scene: Scene = { policies: capped, past, jobs: [{ ...running, state: "suspended", begunAtMs: 0 }] };
    const { wakeAtMs } = enforce(siteOf(scene, HOUR / 2), HOUR / 2);
    expect(wakeAtMs).toBe(HOUR + 1);
    expect(look(scene, HOUR)).toEqual([]);
    expect(look(scene, HOUR + 1)).toEqual(["resume a"]);
  });
});

describe("what is granted", () => {
  const jobs = [
    { consumer: "a", need: 5 },
    { consumer: "a", need: 5 },
    { consumer: "b", need: 5 },
  ];

  it("PO-15 to watch is to say and not to do", () => {
    const decision = enforce(siteOf({ policies: two, jobs, rules: { granted: ["watch"] } }, HOUR), HOUR);
    expect(decision.isWatchOnly).toBe(true);
    expect(told(decision)).toEqual(["release a", "release c"]);
  });

  it("PO-15 where nobody may be held, those who would go are raised, and those over a limit lowered", () => {
    const queued = jobs.map((job) => ({ ...job, state: "queued" as const }));
    const site = siteOf({ policies: two, jobs: queued, rules: { granted: ["priority", "suspend"] } }, HOUR);
    const first = enforce(site, HOUR);
    expect(told(first)).toEqual(["raise a", "raise c", "lower b"]);
    expect(told(enforce(carriedOut(site, first, HOUR), HOUR))).toEqual([]);
  });

  it("PO-15 no more than the budget, and what is left out is said", () => {
    const crowd = [
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: 4 },
      { consumer: "a", state: "running" as const, begunAtMs: 0, need: 4 },
      { consumer: "b", need: 8 },
    ];
    const policies = [policy("a", 0), policy("b", 80, { mode: "preempting" })];
    const scene = { policies, jobs: crowd, cpu: 10 };
    expect(look({ ...scene, rules: { suspendedPpm: 1_000_000 } })).toEqual([
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

  it("PO-15 without hold nobody is stopped to make room", () => {
    const crowd = [
      { consumer: "a", state: "running" as const, need: 9 },
      { consumer: "b", need: 4, state: "queued" as const },
    ];
    expect(look({ policies: preempting, jobs: crowd, rules: { granted: ["suspend", "requeue"] } })).toEqual(
      [],
    );
  });
});

describe("at rest", () => {
  it("PO-16 a second look at the same instant asks for nothing", () => {
    const jobs = [..."ababab"].map((consumer, i) => ({ consumer, need: 1 + (i % 3) }));
    const site = siteOf({ policies: preempting, jobs, rules: { granted: ALL_STEPS } }, HOUR);
    const first = enforce(site, HOUR);
    expect(first.actions.length).toBeGreaterThan(0);
    expect(enforce(carriedOut(site, first, HOUR), HOUR).actions).toEqual([]);
  });

  it("PO-16 where nothing could be different it asks for no other look", () => {
    expect(enforce(siteOf({ policies: two, jobs: [{ consumer: "a" }] }, HOUR), HOUR).wakeAtMs).toBe(null);
  });
});
