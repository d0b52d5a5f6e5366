import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draws } from "../../test/draws.ts";
import { type Scene, scene } from "../../test/engine-scene.ts";
import type { Discipline, JobRecord, JobVerb } from "../model/index.ts";
import { copyQueue, createMachine, createReplay, nextInstant, settle } from "../queue/index.ts";
import { apply, createProjection, decide } from "./index.ts";
import { LAST_MOMENTS_MS } from "./state/site-state.ts";

const disciplines = fc.constantFrom<Discipline>("fcfs", "easy", "conservative", "repack");

type Step =
  | { readonly kind: "submit"; readonly procs: number; readonly limitMs: number }
  | { readonly kind: JobVerb | "running" | "ended"; readonly job: number }
  | { readonly kind: "wait"; readonly ms: number };

const aJob = fc.integer({ min: 0, max: 9 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("submit" as const),
      procs: fc.integer({ min: 1, max: 4 }),
      limitMs: fc.integer({ min: 1, max: 20_000 }),
    }),
    fc.record({
      kind: fc.constantFrom("cancel", "hold", "release", "suspend", "resume", "running", "ended", "ended"),
      job: aJob,
    }) as fc.Arbitrary<Step>,
    fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 9000 }) }),
  ),
  { maxLength: 40 },
);

/** Plays steps, settling after some of them; `each` looks at the scene after every settling. */
function play(list: readonly Step[], discipline: Discipline, each: (play: Scene) => void): Scene {
  const stage = scene({ one: 4, two: 3 }, discipline);
  let submitted = 0;
  for (const [i, step] of list.entries()) {
    if (step.kind === "submit") stage.submit(`${submitted++}`, step.procs, { wallTimeMs: step.limitMs });
    else if (step.kind === "wait") stage.now += step.ms;
    else if (step.kind === "running") report(stage, `${step.job}`, () => stage.running(`${step.job}`));
    else if (step.kind === "ended") report(stage, `${step.job}`, () => stage.ended(`${step.job}`));
    else stage.act(step.kind, `${step.job}`);
    if (i % 3 !== 0) continue;
    stage.settle();
    each(stage);
  }
  stage.settle();
  each(stage);
  return stage;
}

/** A site reports only of what it was told to start. */
function report(stage: Scene, job: string, tell: () => unknown): void {
  if ((stage.records.get(job)?.startDecidedAtMs ?? null) !== null) tell();
}

function procsInUse(records: Iterable<JobRecord>, site: string, running: ReadonlySet<string>): number {
  let used = 0;
  for (const job of records) if (job.site === site && running.has(job.id)) used += job.description.procs;
  return used;
}

describe("the engine, whatever happens", () => {
  it("EN-3 deciding on changed parts gives the same as deciding on everything", () => {
    fc.assert(
      fc.property(steps, disciplines, (list, discipline) => {
        play(list, discipline, ({ projection, now }) => {
          for (const { name, queue } of projection.sites.values()) {
            if (projection.unsettled.has(name) || nextInstant(queue) <= now) continue;
            expect(settle(copyQueue(queue), now)).toEqual([]);
          }
          expect(decide(projection, now).events).toEqual([]);
        });
      }),
      draws(400),
    );
  });

  it("EN-8 running jobs never need more than the site has", () => {
    fc.assert(
      fc.property(steps, disciplines, (list, discipline) => {
        play(list, discipline, ({ projection, records }) => {
          for (const { name, spec, queue } of projection.sites.values()) {
            expect(procsInUse(records.values(), name, queue.running)).toBeLessThanOrEqual(spec.procs);
          }
        });
      }),
      draws(400),
    );
  });

  it("EN-4 the log alone gives the same state", () => {
    fc.assert(
      fc.property(steps, disciplines, (list, discipline) => {
        const first = play(list, discipline, () => undefined);
        const again = createProjection();
        for (const event of first.log) apply(again, event);
        expect([...again.jobs]).toEqual([...first.projection.jobs]);
        expect(decide(again, first.now + 500)).toEqual(decide(first.projection, first.now + 500));
      }),
      draws(200),
    );
  });
});

describe("one site machine", () => {
  it("EN-3 a workload through the replay and through a managed site gives equal starts", () => {
    const jobs = fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 20_000 }),
        procs: fc.integer({ min: 1, max: 4 }),
        runtimeMs: fc.integer({ min: 1, max: 60_000 }),
        slackMs: fc.integer({ min: 0, max: 60_000 }),
      }),
      { minLength: 1, maxLength: 25 },
    );
    fc.assert(
      fc.property(jobs, disciplines, (drawn, discipline) => {
        let submitMs = 1000;
        const workload = drawn.map(({ gap, procs, runtimeMs, slackMs }, id) => {
          submitMs += gap;
          return { id, submitMs, procs, runtimeMs, limitMs: runtimeMs + slackMs };
        });
        expect(throughSite(workload, discipline)).toEqual(throughReplay(workload, discipline));
      }),
      draws(300),
    );
  });
});

interface WorkloadJob {
  readonly id: number;
  readonly submitMs: number;
  readonly procs: number;
  readonly runtimeMs: number;
  readonly limitMs: number;
}

function throughReplay(workload: readonly WorkloadJob[], discipline: Discipline): string[] {
  const starts: string[] = [];
  const replay = createReplay(createMachine([[4, 2 ** 30]], { discipline }), {
    finished: () => undefined,
    started: ({ id }, _, atMs) => starts.push(`${id}@${atMs}`),
  });
  for (const { id, submitMs, procs, runtimeMs, limitMs } of workload) {
    replay.offer({ id, submitMs, need: [procs, 0], runtimeMs, estimateMs: limitMs + LAST_MOMENTS_MS });
  }
  replay.finish();
  return starts.sort();
}

function throughSite(workload: readonly WorkloadJob[], discipline: Discipline): string[] {
  const stage = scene({ here: 4 }, discipline);
  const starts: string[] = [];
  const ends = new Map<string, number>();
  const coming = [...workload];
  for (;;) {
    const { wakeAtMs } = decide(stage.projection, stage.now);
    const nextMs = Math.min(coming[0]?.submitMs ?? Number.POSITIVE_INFINITY, wakeAtMs, ...ends.values());
    if (nextMs === Number.POSITIVE_INFINITY) return starts.sort();
    stage.now = nextMs;
    for (const [job, endMs] of ends) {
      if (endMs !== nextMs) continue;
      ends.delete(job);
      stage.ended(job);
    }
    while (coming[0]?.submitMs === nextMs) {
      const job = coming.shift();
      if (job !== undefined) stage.submit(`${job.id}`, job.procs, { wallTimeMs: job.limitMs });
    }
    for (const job of stage.settle()) {
      starts.push(`${job}@${nextMs}`);
      ends.set(job, nextMs + (workload[Number(job)]?.runtimeMs ?? 0));
    }
  }
}
