import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../../../test/draws.ts";
import { NOTHING_STORED, type Scene, scene } from "../../../../test/engine-scene.ts";
import {
  dependencyOf,
  endOfJob,
  isMet,
  JOB_DEFAULTS,
  type JobEnd,
  type JobVerb,
} from "../../../model/index.ts";
import { apply, createProjection, explain, restore } from "../../index.ts";

/** Submits a job as a broker does, which knows the ends of jobs that are over. */
function submit(play: Scene, job: string, after: readonly string[]): string {
  const ends: Record<string, JobEnd> = {};
  for (const text of after) {
    const record = play.records.get(dependencyOf(text).job);
    const end = record && endOfJob(record);
    if (end !== undefined) ends[dependencyOf(text).job] = end;
  }
  const description = { ...JOB_DEFAULTS, executable: "true", after };
  return play.ask({ kind: "submit", job, description, consumer: "vo/group/user", owner: "u1", ends });
}

/** Lets what has started run and end. */
function finish(play: Scene, job: string, exitCode = 0): void {
  play.running(job);
  play.ended(job, { exitCode });
}

const states = (play: Scene, ...jobs: string[]) => jobs.map((job) => play.state(job));
const failing = { ok: 0, failed: 1 } as const;

describe("dependencies", () => {
  it.each<[string, JobEnd, string | undefined]>([
    ["ok", "ok", "SCHEDULED"],
    ["ok", "failed", "CANCELLED"],
    ["failed", "ok", "CANCELLED"],
    ["failed", "failed", "SCHEDULED"],
    ["any", "ok", "SCHEDULED"],
    ["any", "failed", "SCHEDULED"],
  ])("EN-172 %s: after a job that ends %s, while it waits and afterwards: %s", (on, end, state) => {
    const play = scene({ here: 2 });
    submit(play, "a", []);
    submit(play, "b", [`${on}:a`]);
    play.settle();
    expect(states(play, "a", "b")).toEqual(["SCHEDULED", "WAITING"]);
    finish(play, "a", failing[end]);
    play.settle();
    submit(play, "c", [`${on}:a`]);
    play.settle();
    expect(states(play, "b", "c")).toEqual([state, state]);
  });

  it("EN-172 says what it waits for, and why it was cancelled; what depends on that follows", () => {
    const play = scene({ here: 2 });
    submit(play, "a", []);
    submit(play, "b", ["any:a", "ok:a"]);
    submit(play, "c", ["ok:b"]);
    submit(play, "d", ["failed:c"]);
    play.settle();
    const b = play.records.get("b");
    expect(b && explain(play.projection, b, play.now).causes).toEqual([
      { kind: "waitsForJobs", after: ["any:a", "ok:a"] },
    ]);
    finish(play, "a", 1);
    play.settle();
    expect(states(play, "b", "c", "d")).toEqual(["CANCELLED", "CANCELLED", "SCHEDULED"]);
    expect(play.records.get("b")).toMatchObject({ cancelCause: "dependencyFailed", neverAfter: "ok:a" });
  });

  it("EN-172 held meanwhile it stays held, released it starts", () => {
    const play = scene({ here: 2 });
    submit(play, "a", []);
    submit(play, "b", ["ok:a"]);
    play.act("hold", "b");
    play.settle();
    finish(play, "a");
    play.settle();
    expect(play.state("b")).toBe("HELD");
    play.act("release", "b");
    play.settle();
    expect(play.state("b")).toBe("SCHEDULED");
  });

  it("EN-172 released while it still waits, it starts no sooner", () => {
    const play = scene({ here: 2 });
    submit(play, "a", []);
    submit(play, "b", ["ok:a"]);
    play.act("hold", "b");
    play.act("release", "b");
    play.settle();
    expect(play.state("b")).toBe("WAITING");
  });

  it("a job that never was is refused", () => {
    expect(submit(scene({ here: 2 }), "b", ["ok:nobody"])).toBe("unknownJob");
  });
});

type Step =
  | { readonly kind: "submit"; readonly after: readonly (readonly [JobEnd | "any", number])[] }
  | { readonly kind: JobVerb | "begin" | "ok" | "fail"; readonly job: number }
  | { readonly kind: "restart" };

const aJob = fc.integer({ min: 0, max: 11 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("submit" as const),
        after: fc.array(fc.tuple(fc.constantFrom<JobEnd | "any">("ok", "failed", "any"), aJob), {
          maxLength: 3,
        }),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constantFrom("begin", "ok", "ok", "fail", "cancel", "hold", "release", "suspend", "resume"),
        job: aJob,
      }) as fc.Arbitrary<Step>,
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const) }) },
  ),
  { maxLength: 60 },
);

/** True once a start was decided of the job that no report has ended. */
const hasBegun = (play: Scene, job: string): boolean => {
  const record = play.records.get(job);
  return record !== undefined && endOfJob(record) === undefined && record.startDecidedAtMs !== null;
};

/** Plays the steps, then lets everything come to its end. */
function play(list: readonly Step[]): Scene {
  const stage = scene({ one: 2, two: 1 }, "fcfs");
  let submitted = 0;
  for (const [index, step] of list.entries()) {
    if (step.kind === "restart") expectSameAfterRestart(stage);
    else if (step.kind === "submit") {
      const after = step.after.flatMap(([on, job]) => (job < submitted ? [`${on}:${job}`] : []));
      submit(stage, `${submitted++}`, after);
    } else {
      const job = `${step.job}`;
      if (step.kind === "begin") hasBegun(stage, job) && stage.running(job);
      else if (step.kind === "ok" || step.kind === "fail") {
        if (hasBegun(stage, job)) finish(stage, job, step.kind === "ok" ? 0 : 1);
      } else stage.act(step.kind, job);
    }
    if (index % 2 === 0) stage.settle();
  }
  for (let round = 0; round < 4 * submitted + 4; round++) {
    stage.settle();
    for (const [job, { state }] of stage.records) {
      if (state === "HELD") stage.act("release", job);
      else if (state === "SUSPENDED") stage.act("resume", job);
      else if (hasBegun(stage, job)) finish(stage, job, round % 2);
    }
  }
  return stage;
}

/** A broker that starts again from its views waits for the same jobs, and would cancel the same ones. */
function expectSameAfterRestart({ projection, now }: Scene): void {
  const sites = [...projection.sites.values()].map(({ name, spec }, at) => ({
    ...{ name, spec, order: at + 1, isDraining: false },
  }));
  const jobs = [...projection.jobs.values()];
  const again = restore({ ...NOTHING_STORED, sites, jobs, accepted: projection.accepted }, now);
  const sets = (of: ReadonlyMap<string, ReadonlySet<string>>) =>
    [...of].map(([job, them]) => [
      job,
      [...them].filter((id) => projection.jobs.get(id)?.waitsFor).toSorted(),
    ]);
  const inUse = ([, them]: readonly unknown[]) => Array.isArray(them) && them.length > 0;
  expect(sets(again.dependents.of).filter(inUse).toSorted()).toEqual(
    sets(projection.dependents.of).filter(inUse).toSorted(),
  );
  expect(again.dependents.doomed).toEqual(projection.dependents.doomed);
  expect([...again.unplaced].toSorted()).toEqual([...projection.unplaced, ...projection.parked].toSorted());
}

describe("dependencies, whatever happens", () => {
  it("EN-172 every job ends once, and none starts before what it depends on has ended so", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const stage = play(list);
        expect([...stage.projection.jobs.keys()]).toEqual([]);
        const ends = new Map<string, JobEnd>();
        const again = createProjection();
        for (const event of stage.log) {
          const changes = apply(again, event);
          if (event.kind === "queueSettled") {
            for (const job of event.starts) {
              const texts = stage.records.get(job)?.description.after ?? [];
              for (const text of texts) {
                const end = ends.get(dependencyOf(text).job);
                expect(end !== undefined && isMet(dependencyOf(text), end)).toBe(true);
              }
            }
          }
          for (const change of changes) {
            if (change.kind !== "job") continue;
            const end = endOfJob(change.record);
            if (end === undefined) continue;
            expect(ends.has(change.record.id)).toBe(false);
            ends.set(change.record.id, end);
          }
        }
        expect(ends.size).toBe(stage.records.size);
      }),
      draws(400),
    );
  });
});
