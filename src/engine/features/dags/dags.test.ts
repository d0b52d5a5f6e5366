import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  type DagNode,
  type DagNodeRecord,
  type DagPlan,
  type DagRecord,
  isNodeOver,
  JOB_DEFAULTS,
  type JobVerb,
  stateOfDag,
} from "../../../model/index.ts";
import { apply, createProjection, dagRecord, decide, type Projection, restore } from "../../index.ts";

type Drawn = Partial<DagNode> & { readonly after?: readonly string[] };

/** A DAG of nodes by name, each with the names of those before it. */
function planOf(nodes: Readonly<Record<string, Drawn>>, more: Partial<DagPlan> = {}): DagPlan {
  const names = Object.keys(nodes);
  return {
    userTags: {},
    nodes: Object.entries(nodes).map(([name, { after = [], ...rest }]) => ({
      ...{ name, description: { ...JOB_DEFAULTS, executable: "true" } },
      ...{ parents: after.map((one) => names.indexOf(one)), ...rest },
    })),
    ...more,
  };
}

function submit(play: Scene, dag: string, plan: DagPlan): string {
  return play.ask({ kind: "submitDag", dag, plan, consumer: "vo/group/user", owner: "u1" });
}

const act = (play: Scene, dag: string, verb: JobVerb, nodes?: readonly string[]) =>
  play.ask({ kind: "actOnDag", dag, verb, by: "u1", ...(nodes === undefined ? {} : { nodes }) });

function finish(play: Scene, job: string, exitCode = 0): string[] {
  play.running(job);
  play.ended(job, { exitCode });
  return play.settle();
}

interface Seen {
  readonly dags: Map<string, DagRecord>;
  readonly nodes: Map<string, DagNodeRecord>;
}

/** The last records of all DAGs and nodes that the log gives. */
function lastRecords({ log }: Scene): Seen {
  const again = createProjection();
  const seen: Seen = { dags: new Map(), nodes: new Map() };
  for (const event of log) {
    for (const change of apply(again, event)) {
      if (change.kind === "dag") seen.dags.set(change.record.id, change.record);
      if (change.kind === "dagNode")
        seen.nodes.set(`${change.record.dag}-${change.record.index}`, change.record);
    }
  }
  return seen;
}

function statesOf(play: Scene, dag: string): Record<string, string> {
  const { nodes } = lastRecords(play);
  const its = [...nodes.values()].filter((node) => node.dag === dag);
  return Object.fromEntries(its.map(({ node, state }) => [node.name, state]));
}

const DIAMOND = { a: {}, b: { after: ["a"] }, c: { after: ["a"] }, d: { after: ["b", "c"] } };

describe("DAGs", () => {
  it("EN-230 a node becomes a job when those before it are done", () => {
    const play = scene({ here: 8 });
    expect(submit(play, "d1", planOf(DIAMOND))).toBe("ok");
    expect(play.settle()).toEqual(["d1-0"]);
    expect(play.records.get("d1-0")?.description.environment).toEqual({
      ...{ STINT_DAG_ID: "d1", STINT_DAG_NODE: "a", STINT_DAG_TRY: "1" },
    });
    expect(finish(play, "d1-0")).toEqual(["d1-1", "d1-2"]);
    expect(finish(play, "d1-2")).toEqual([]);
    expect(finish(play, "d1-1")).toEqual(["d1-3"]);
    finish(play, "d1-3");
    const dag = lastRecords(play).dags.get("d1");
    expect(dag).toMatchObject({ result: "ok", endedAtMs: play.now, counts: { DONE: 4 } });
    expect(play.projection.dags.open.size).toBe(0);
  });

  it("no more of its nodes have jobs at once than it says, and none of a category", () => {
    const play = scene({ here: 8 });
    const nodes = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, {}]));
    submit(play, "d1", planOf(nodes, { maxRunning: 2 }));
    expect(play.settle()).toEqual(["d1-0", "d1-1"]);
    expect(finish(play, "d1-0")).toEqual(["d1-2"]);
    const heavy = { a: { category: "io" }, b: { category: "io", priority: 5 }, c: {} };
    submit(play, "d2", planOf(heavy, { maxRunningOf: { io: 1 } }));
    expect(play.settle()).toEqual(["d2-1", "d2-2"]);
  });

  it("a failed node runs again as often as it may, and not after the exit code that says so", () => {
    const play = scene({ here: 8 });
    submit(play, "d1", planOf({ a: { retries: 1 }, b: { after: ["a"] }, c: { retries: 3, unlessExit: 7 } }));
    play.settle();
    expect(finish(play, "d1-0", 1)).toEqual(["d1-0-2"]);
    expect(play.records.get("d1-0-2")?.description.environment.STINT_DAG_TRY).toBe("2");
    finish(play, "d1-0-2", 1);
    finish(play, "d1-2", 7);
    expect(statesOf(play, "d1")).toEqual({ a: "FAILED", b: "FUTILE", c: "FAILED" });
    expect(lastRecords(play).dags.get("d1")).toMatchObject({ result: "failed", endedAtMs: play.now });
  });

  it("retry runs what did not succeed, with all its retries, while it runs and when it has ended", () => {
    const play = scene({ here: 8 });
    submit(play, "d1", planOf({ a: { retries: 1 }, b: { after: ["a"] }, c: {} }));
    play.settle();
    finish(play, "d1-0", 1);
    finish(play, "d1-0-2", 1);
    expect(play.ask({ kind: "retryDag", dag: "d1", by: "u1" })).toBe("ok");
    expect(play.settle()).toEqual(["d1-0-3"]);
    expect(finish(play, "d1-0-3", 1)).toEqual(["d1-0-4"]);
    finish(play, "d1-0-4", 1);
    finish(play, "d1-2");
    expect(play.ask({ kind: "retryDag", dag: "d1", by: "u1" })).toBe("unknownDag");
    const { dags, nodes } = lastRecords(play);
    const dag = dags.get("d1");
    if (dag === undefined) throw new Error("it is there");
    const over = { dag, nodes: [...nodes.values()].sort((a, b) => a.index - b.index) };
    expect(play.ask({ kind: "retryDag", dag: "d1", by: "u1", nodes: ["c"], over })).toBe("noNodeInState");
    expect(play.ask({ kind: "retryDag", dag: "d1", by: "u1", over })).toBe("ok");
    expect(play.settle()).toEqual(["d1-0-5"]);
    expect(finish(play, "d1-0-5")).toEqual(["d1-1"]);
    finish(play, "d1-1");
    expect(lastRecords(play).dags.get("d1")).toMatchObject({ result: "ok", counts: { DONE: 3 } });
  });

  it("an exit code may end the whole: its jobs are cancelled, and the last node still runs", () => {
    const play = scene({ here: 8 });
    const abortOn = { exitCode: 3, result: 0 };
    submit(
      play,
      "d1",
      planOf({ a: { abortOn, retries: 5 }, b: {}, c: { after: ["b"] }, z: { isFinal: true } }),
    );
    expect(play.settle()).toEqual(["d1-0", "d1-1"]);
    play.running("d1-1");
    finish(play, "d1-0", 3);
    expect(play.records.get("d1-1")).toMatchObject({ isCancelRequested: true, cancelCause: "dagAborted" });
    play.ended("d1-1", { cause: "cancelled", exitCode: null });
    expect(play.settle()).toEqual(["d1-3"]);
    finish(play, "d1-3");
    expect(statesOf(play, "d1")).toEqual({ a: "FAILED", b: "CANCELLED", c: "FUTILE", z: "DONE" });
    expect(lastRecords(play).dags.get("d1")).toMatchObject({
      result: "ok",
      aborted: { node: "a", result: 0 },
    });
  });

  it("nodes without a job are done at once, however many follow each other", () => {
    const play = scene({ here: 8 });
    const names = Array.from({ length: 10_000 }, (_, at) => `n${at}`);
    const chain = names.map((name, at) => {
      const skip = at === 0 ? {} : { skip: "noop" as const };
      return [name, { ...(at === 0 ? {} : { after: [] }), ...skip }] as const;
    });
    const plan = planOf(Object.fromEntries(chain));
    const nodes = plan.nodes.map((node, at) => (at === 0 ? node : { ...node, parents: [at - 1] }));
    expect(submit(play, "d1", { ...plan, nodes })).toBe("ok");
    expect(play.settle()).toEqual(["d1-0"]);
    finish(play, "d1-0");
    expect(lastRecords(play).dags.get("d1")).toMatchObject({ result: "ok", counts: { DONE: 10_000 } });
  });

  it("a verb acts on the whole, or on a node by its name", () => {
    const play = scene({ here: 1 });
    submit(play, "d1", planOf({ a: {}, b: { after: ["a"] }, c: {}, e: { after: ["c"] } }));
    play.settle();
    play.running("d1-0");
    expect(act(play, "d1", "hold", ["b"])).toBe("ok");
    expect(act(play, "d1", "hold", ["x"])).toBe("unknownNode");
    expect(act(play, "d1", "resume")).toBe("noNodeInState");
    expect(finish(play, "d1-0")).toEqual(["d1-2"]);
    expect(statesOf(play, "d1")).toMatchObject({ b: "HELD" });
    expect(act(play, "d1", "cancel", ["e"])).toBe("ok");
    expect(act(play, "d1", "hold")).toBe("ok");
    finish(play, "d1-2");
    expect(stateOfDag(dagRecord(play.projection.dags.open.get("d1") ?? never()))).toBe("HELD");
    expect(act(play, "d1", "release")).toBe("ok");
    expect(play.settle()).toEqual(["d1-1"]);
    expect(act(play, "d1", "cancel")).toBe("ok");
    play.settle();
    play.ended("d1-1", { cause: "cancelled", exitCode: null });
    expect(statesOf(play, "d1")).toEqual({ a: "DONE", b: "CANCELLED", c: "DONE", e: "CANCELLED" });
    expect(act(play, "d1", "cancel")).toBe("unknownDag");
  });

  it.each<[string, DagPlan]>([
    ["badDag", planOf({})],
    ["badDag", planOf({ a: { after: ["b"] }, b: { after: ["a"] }, c: {} })],
    ["badDag", planOf({ a: { parents: [5] } })],
    ["badDag", planOf({ a: { isFinal: true }, b: { isFinal: true } })],
    ["nodeNotTaken", planOf({ a: { description: { ...JOB_DEFAULTS, executable: "x", procs: 99 } } })],
    ["nodeNotTaken", planOf({ a: { description: { ...JOB_DEFAULTS, executable: "x", array: "0-9" } } })],
  ])("is refused as %s", (kind, plan) => {
    expect(submit(scene({ here: 1 }), "d1", plan)).toBe(kind);
  });
});

function never(): never {
  throw new Error("it is there");
}

const verbs = fc.constantFrom<JobVerb>("cancel", "hold", "release", "suspend", "resume");
const drawnNodes = fc.array(
  fc.record({
    parents: fc.array(fc.nat(20), { maxLength: 3 }),
    retries: fc.nat(2),
    abort: fc.nat(9),
    skip: fc.nat(5),
    category: fc.constantFrom("", "io"),
    priority: fc.nat(2),
  }),
  { minLength: 1, maxLength: 8 },
);
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant("finish" as const), pick: fc.nat(), exit: fc.nat(2) }),
    },
    fc.record({ kind: fc.constant("act" as const), verb: verbs, pick: fc.nat() }),
    fc.record({ kind: fc.constant("actOnNode" as const), verb: verbs, pick: fc.nat() }),
    fc.record({ kind: fc.constant("actOnJob" as const), verb: verbs, pick: fc.nat() }),
    fc.record({ kind: fc.constant("retry" as const), pick: fc.nat() }),
  ),
  { maxLength: 40 },
);

function drawnPlan(
  list: readonly (typeof drawnNodes extends fc.Arbitrary<(infer One)[]> ? One : never)[],
): DagPlan {
  const last = list.length - 1;
  const isFinal = list.length > 3 && list[last].abort > 5;
  const nodes = list.map(({ parents, retries, abort, skip, category, priority }, index): DagNode => {
    const own = index === last && isFinal ? [] : parents.map((parent) => parent % Math.max(1, index));
    return {
      ...{ name: `n${index}`, description: { ...JOB_DEFAULTS, executable: "true" } },
      ...{ parents: index === 0 ? [] : [...new Set(own)], retries, category, priority },
      ...(abort === 0 ? { abortOn: { exitCode: 2, result: 1 } } : {}),
      ...(skip === 0 ? { skip: "noop" as const } : {}),
      ...(index === last && isFinal ? { isFinal: true as const } : {}),
    };
  });
  return { userTags: {}, nodes, maxRunning: 3, maxRunningOf: { io: 1 } };
}

describe("DAGs, whatever happens", () => {
  it("EN-230 every node ends once, after those before it, and never too many at once", () => {
    fc.assert(
      fc.property(drawnNodes, steps, (list, moves) => {
        const play = scene({ one: 2, two: 1 }, "fcfs");
        submit(play, "d", drawnPlan(list));
        play.settle();
        for (const move of moves) {
          step(play, move);
          play.settle();
          expectLimitsKept(play.projection);
          expectSameAgain(play);
        }
        finishAll(play);
        expectEachEndedOnce(play);
      }),
      draws(150),
    );
  });
});

function step(play: Scene, move: typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never): void {
  const open = [...play.projection.jobs.values()];
  const begun = open.filter((job) => job.startDecidedAtMs !== null);
  const job = (move.kind === "finish" ? begun : open)[
    move.pick % Math.max(1, (move.kind === "finish" ? begun : open).length)
  ];
  if (move.kind === "finish") {
    if (job !== undefined) finish(play, job.id, move.exit);
  } else if (move.kind === "act") act(play, "d", move.verb);
  else if (move.kind === "actOnNode") act(play, "d", move.verb, [`n${move.pick % 8}`]);
  else if (move.kind === "retry") play.ask({ kind: "retryDag", dag: "d", by: "u1" });
  else if (job !== undefined) play.act(move.verb, job.id);
}

/** Lets all go and ends what runs, until nothing is left. */
function finishAll(play: Scene): void {
  act(play, "d", "release");
  for (let round = 0; round < 200; round++) {
    const open = [...play.projection.jobs.values()];
    for (const { id, state } of open) {
      if (state === "HELD") play.act("release", id);
      if (state === "SUSPENDED") play.act("resume", id);
    }
    play.settle();
    const job = [...play.projection.jobs.values()].find(({ startDecidedAtMs }) => startDecidedAtMs !== null);
    if (job === undefined) return;
    finish(play, job.id);
  }
}

function expectLimitsKept({ dags }: Projection): void {
  for (const { counts, nodes, runningOf } of dags.open.values()) {
    expect(counts.RUNNING).toBeLessThanOrEqual(3);
    expect(runningOf.get("io") ?? 0).toBeLessThanOrEqual(1);
    for (const { node, state } of nodes) {
      const isBegun = state === "RUNNING" || state === "DONE";
      if (isBegun) for (const parent of node.parents) expect(nodes[parent].state).toBe("DONE");
    }
  }
}

/** The log, and the records, give the state that goes on as this one would. */
function expectSameAgain(play: Scene): void {
  const { projection, log, now } = play;
  const again = createProjection();
  for (const event of log) apply(again, event);
  expect(plain(again)).toEqual(plain(projection));
  const sites = [...projection.sites.values()].map(({ name, spec }, at) => ({
    ...{ name, spec, order: at + 1, isDraining: false },
  }));
  const dags = [...projection.dags.open.values()].map((state) => ({
    dag: dagRecord(state),
    nodes: state.nodes,
  }));
  const jobs = [...projection.jobs.values()];
  const stored = { ...NOTHING_STORED, sites, jobs, dags, accepted: projection.accepted };
  const restored = restore(structuredClone(stored), now);
  expect(plain(restored)).toEqual(plain(projection));
  expect(decide(again, now).events).toEqual([]);
}

function plain({ dags }: Projection) {
  return {
    due: [...dags.due],
    open: [...dags.open.values()].map((state) => ({
      ...{ record: dagRecord(state), nodes: state.nodes, unmet: state.unmet, ready: [...state.ready].sort() },
      running: [...state.runningOf].filter(([, count]) => count > 0).sort(),
    })),
  };
}

function expectEachEndedOnce(play: Scene): void {
  const { dags, nodes } = lastRecords(play);
  const dag = dags.get("d");
  expect(dag?.endedAtMs).not.toBeNull();
  for (const { state, node, tries, job } of nodes.values()) {
    expect(isNodeOver(state)).toBe(true);
    if (state === "FUTILE" || node.skip !== undefined) continue;
    if (tries > 0) expect(play.records.get(job ?? "")?.endedAtMs).not.toBeNull();
  }
  const counted = Object.values(dag?.counts ?? {}).reduce((sum, count) => sum + count, 0);
  expect(counted).toBe(nodes.size);
}
