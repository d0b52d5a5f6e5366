import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import { type ArrayRecord, isFinal, JOB_DEFAULTS, type JobVerb } from "../../../model/index.ts";
import { apply, arrayRecord, createProjection, explain, restore } from "../../index.ts";

function submitArray(play: Scene, array: string, text: string, after: readonly string[] = []): string {
  const description = { ...JOB_DEFAULTS, executable: "true", array: text, after };
  return play.ask({ kind: "submitArray", array, description, consumer: "vo/group/user", owner: "u1" });
}

const act = (play: Scene, array: string, verb: JobVerb) =>
  play.ask({ kind: "actOnArray", array, verb, by: "u1" });

function finish(play: Scene, job: string, exitCode = 0): void {
  play.running(job);
  play.ended(job, { exitCode });
}

/** Jobs of all arrays by state. */
function inState(play: Scene, state: string): string[] {
  return [...play.records.values()].filter((job) => job.state === state).map(({ id }) => id);
}

/** The last record of an array that the log gives. */
function lastRecord(play: Scene, array: string): ArrayRecord | undefined {
  const again = createProjection();
  let last: ArrayRecord | undefined;
  for (const event of play.log) {
    for (const change of apply(again, event)) {
      if (change.kind === "array" && change.record.id === array) last = change.record;
    }
  }
  return last;
}

describe("job arrays", () => {
  it("its jobs are ordinary jobs that know their index", () => {
    const play = scene({ here: 8 });
    expect(submitArray(play, "a", "1,4-8:2")).toBe("ok");
    expect(play.settle()).toEqual(["a-1", "a-4", "a-6", "a-8"]);
    expect(play.records.get("a-6")?.description).toMatchObject({
      environment: { STINT_ARRAY_ID: "a", STINT_ARRAY_INDEX: "6", SLURM_ARRAY_TASK_ID: "6" },
    });
  });

  it("no more of its jobs are at sites than it says, and why says so", () => {
    const play = scene({ here: 8 });
    submitArray(play, "a", "0-9%2");
    expect(play.settle()).toEqual(["a-0", "a-1"]);
    const waiting = play.records.get("a-3");
    expect(waiting && explain(play.projection, waiting, play.now).causes).toEqual([
      { kind: "arrayFull", array: "a", atMost: 2, before: 1 },
    ]);
    finish(play, "a-1");
    expect(play.settle()).toEqual(["a-2"]);
  });

  it("a held job gives its turn to the next one, and takes another when it is released", () => {
    const play = scene({ here: 8 });
    submitArray(play, "a", "0-3%1");
    play.act("hold", "a-0");
    expect(play.settle()).toEqual(["a-1"]);
    play.act("release", "a-0");
    expect(play.settle()).toEqual([]);
    finish(play, "a-1");
    expect(play.settle()).toEqual(["a-2"]);
  });

  it.each([
    [0, "SCHEDULED"],
    [1, "CANCELLED"],
  ])("ok:ARRAY waits for all its jobs; where one ends with %i the job is %s", (exitCode, state) => {
    const play = scene({ here: 8 });
    submitArray(play, "a", "0-2");
    play.submit("b", 1, { after: ["ok:a"] });
    play.settle();
    finish(play, "a-0", exitCode);
    finish(play, "a-1");
    play.settle();
    expect(play.state("b")).toBe("WAITING");
    finish(play, "a-2");
    play.settle();
    expect(play.state("b")).toBe(state);
  });

  it("a verb acts on those of its jobs to which it applies", () => {
    const play = scene({ here: 1 });
    submitArray(play, "a", "0-4");
    play.settle();
    play.running("a-0");
    expect(act(play, "a", "resume")).toBe("noneInState");
    expect(act(play, "a", "hold")).toBe("ok");
    expect([inState(play, "HELD").length, inState(play, "RUNNING")]).toEqual([4, ["a-0"]]);
    expect(act(play, "a", "release")).toBe("ok");
    expect(act(play, "a", "cancel")).toBe("ok");
    expect(inState(play, "CANCELLED")).toEqual(["a-1", "a-2", "a-3", "a-4"]);
    play.ended("a-0", { cause: "cancelled" });
    expect(lastRecord(play, "a")).toMatchObject({ endedAtMs: play.now, counts: { CANCELLED: 5 } });
    expect(act(play, "a", "cancel")).toBe("unknownArray");
  });

  it.each(["5-1", "0-4:0", "0-4%0", "0-100000", "a", "", "0-999999999:2"])("%j is refused", (text) => {
    expect(submitArray(scene({ here: 1 }), "a", text)).toBe("badArray");
  });

  it("an array and a job cannot have the same id", () => {
    const play = scene({ here: 1 });
    submitArray(play, "a", "0-1");
    expect(play.submit("a", 1)).toBe("idInUse");
    expect(submitArray(play, "a", "0-1")).toBe("idInUse");
  });
});

const verbs = fc.constantFrom<JobVerb>("cancel", "hold", "release", "suspend", "resume");
const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("array" as const),
      size: fc.integer({ min: 1, max: 6 }),
      atMost: fc.nat(3),
    }),
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("finish" as const), pick: fc.nat() }) },
    fc.record({ kind: fc.constant("act" as const), verb: verbs, pick: fc.nat() }),
    fc.record({ kind: fc.constant("actOnAll" as const), verb: verbs, pick: fc.nat() }),
    fc.record({ kind: fc.constant("restart" as const) }),
  ),
  { maxLength: 40 },
);

describe("job arrays, whatever happens", () => {
  it("never more at sites than it says, counts as its jobs are, and the same after a restart", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const play = scene({ one: 2, two: 1 }, "fcfs");
        let arrays = 0;
        for (const step of list) {
          const open = [...play.projection.jobs.values()];
          if (step.kind === "array") {
            const throttle = step.atMost === 0 ? "" : `%${step.atMost}`;
            submitArray(play, `a${arrays++}`, `0-${step.size - 1}${throttle}`);
          } else if (step.kind === "finish") {
            const begun = open.filter((job) => job.startDecidedAtMs !== null);
            const job = begun[step.pick % Math.max(1, begun.length)];
            if (job !== undefined) finish(play, job.id, step.pick % 2);
          } else if (step.kind === "act" && open.length > 0) {
            play.act(step.verb, open[step.pick % open.length].id);
          } else if (step.kind === "actOnAll" && arrays > 0) {
            act(play, `a${step.pick % arrays}`, step.verb);
          } else if (step.kind === "restart") expectSameAfterRestart(play);
          play.settle();
          expectLimitsKept(play);
        }
      }),
      draws(300),
    );
  });
});

function expectLimitsKept(play: Scene): void {
  for (const [id, state] of play.projection.arrays) {
    const its = [...play.records.values()].filter(({ array }) => array?.id === id);
    const placed = its.filter((job) => job.site !== null && !isFinal(job.state));
    expect(placed.length).toBeLessThanOrEqual(state.atMost);
    for (const one of ["WAITING", "HELD", "DONE", "CANCELLED"] as const) {
      expect(state.counts[one]).toBe(its.filter((job) => job.state === one).length);
    }
    // Nobody waits for a turn that is free.
    if (state.going.size < state.atMost) expect(state.waiting.size).toBe(0);
  }
}

function expectSameAfterRestart({ projection, now }: Scene): void {
  const sites = [...projection.sites.values()].map(({ name, spec }, at) => ({
    ...{ name, spec, order: at + 1, isDraining: false },
  }));
  const jobs = [...projection.jobs.values()];
  const arrays = [...projection.arrays.values()].map((state) => arrayRecord(state, now));
  const stored = { ...NOTHING_STORED, sites, jobs, arrays, accepted: projection.accepted };
  const again = restore(stored, now);
  const asStored = [...again.arrays.values()].map((state) => arrayRecord(state, now));
  expect(asStored).toEqual(arrays);
  for (const [id, { going, atMost }] of again.arrays) {
    expect(going.size).toBe(projection.arrays.get(id)?.going.size);
    expect(going.size).toBeLessThanOrEqual(atMost);
  }
}
