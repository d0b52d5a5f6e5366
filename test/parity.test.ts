/**
 * One site machine: a workload starts alike in a replay, at a simulated site behind a broker, and at the
 * managed site of a broker.
 *
 * All that happens is at whole seconds. A broker decides 10 ms later, and every instant of its queue by
 * the same 10 ms: starts are compared to the second. The managed site plans with the limit and a margin;
 * the others are given limits that are longer by it, so that all three plan with the same estimates.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Broker, type OpenSite, sandboxesIn, startBroker } from "../src/broker/index.ts";
import { type Discipline, isFinal, JOB_DEFAULTS, type SiteSpec } from "../src/model/index.ts";
import { createMachine, createReplay } from "../src/queue/index.ts";
import { type Logbook, VIEWS } from "../src/runtime/index.ts";
import { IMITATED_RUNTIME, openSimulatedSite } from "../src/sites/simulated/index.ts";
import { createMemoryLogbook, openSqliteLogbook } from "../src/store/index.ts";
import { draws } from "./draws.ts";
import { foreignSpec } from "./engine-scene.ts";
import { exited, running, type ScriptedSite, scriptedSite } from "./scripted-site.ts";
import { type SteppableClock, steppableClock } from "./steppable-clock.ts";

const PROCS = 8;
const { numRuns: RUNS } = draws(60);
const SECOND = 1000;
const BEGIN_MS = 1_000_000;
/** What the managed site adds to a limit (rule EN-10). */
const MARGIN_MS = 15_000;

interface ParityJob {
  readonly submitMs: number;
  readonly procs: number;
  readonly limitMs: number;
  readonly runtimeMs: number;
}

interface ParityWorkload {
  readonly discipline: Discipline;
  /** In order of submission. */
  readonly jobs: readonly ParityJob[];
}

const job: fc.Arbitrary<ParityJob> = fc
  .record({
    submit: fc.nat(60),
    procs: fc.integer({ min: 1, max: PROCS }),
    limit: fc.integer({ min: 1, max: 60 }),
    share: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ submit, procs, limit, share }) => ({
    submitMs: submit * SECOND,
    procs,
    limitMs: limit * SECOND,
    runtimeMs: Math.max(1, Math.ceil((limit * share) / 100)) * SECOND,
  }));
const workload: fc.Arbitrary<ParityWorkload> = fc.record({
  discipline: fc.constantFrom<Discipline>("fcfs", "easy", "conservative"),
  jobs: fc
    .array(job, { minLength: 1, maxLength: 14 })
    .map((jobs) => jobs.toSorted((a, b) => a.submitMs - b.submitMs)),
});

/** The starts of the jobs in a plain replay, in ms from the beginning. */
function replayed({ discipline, jobs }: ParityWorkload): number[] {
  const starts: number[] = [];
  const replay = createReplay(createMachine([[PROCS, 2 ** 30]], { discipline }), {
    finished: ({ job: { id }, startMs }) => {
      starts[id] = startMs;
    },
  });
  for (const [id, { submitMs, procs, limitMs, runtimeMs }] of jobs.entries()) {
    replay.offer({ id, submitMs, need: [procs, 0], estimateMs: limitMs + MARGIN_MS, runtimeMs });
  }
  replay.finish();
  return starts;
}

/** A world in which a broker plays a workload. */
interface Stage {
  readonly clock: SteppableClock;
  readonly logbook: Logbook;
  readonly folder: string;
  /** What a job's limit is made longer by. */
  readonly extraMs: number;
  readonly spec: SiteSpec;
  readonly openSite: (name: string, spec: SiteSpec) => Promise<OpenSite>;
}

function imitating(play: ParityWorkload, logbook: Logbook, folder: string): Stage {
  const clock = steppableClock(BEGIN_MS);
  const spec = { ...foreignSpec(PROCS), jobs: "imitate", discipline: play.discipline } as const;
  const openSite = async (name: string): Promise<OpenSite> => {
    const directory = join(folder, name);
    const site = await openSimulatedSite({ name, spec, directory, clock, surveyEveryMs: SECOND });
    return { kind: "foreign", site };
  };
  return { clock, logbook, folder, extraMs: MARGIN_MS, spec, openSite };
}

function scripted(play: ParityWorkload, logbook: Logbook, folder: string): Stage {
  const clock = steppableClock(BEGIN_MS);
  const site: ScriptedSite = scriptedSite(({ token }) => {
    const nowMs = clock.nowMs();
    const { runtimeMs } = play.jobs[Number(token.slice(1, token.indexOf("/")))];
    const endMs = inSeconds(nowMs) + runtimeMs;
    site.tell(running(token, nowMs));
    clock.wakeAt(endMs, () => site.tell(exited(token, endMs)));
  });
  const { discipline } = play;
  const spec = {
    type: "managed",
    procs: PROCS,
    memoryBytes: 2 ** 30,
    discipline,
    defaultWallTimeMs: 1,
  } as const;
  return { clock, logbook, folder, extraMs: 0, spec, openSite: async () => ({ kind: "managed", site }) };
}

/** Plays a workload through a broker; gives the starts in ms from the beginning, to the second. */
async function played(stage: Stage, { jobs }: ParityWorkload): Promise<number[]> {
  const { clock, logbook, openSite } = stage;
  const complaints: unknown[] = [];
  const broker = await startBroker({
    logbook,
    openSite,
    clock,
    sandboxes: sandboxesIn(join(stage.folder, "sandboxes")),
    warn: (message) => complaints.push(message),
    onBroken: (error) => complaints.push(error),
  });
  await broker.brokerApi.ask({ kind: "addSite", site: "site", spec: stage.spec });
  await pass(stage, BEGIN_MS + SECOND);
  const firstMs = clock.nowMs();
  for (const [n, it] of jobs.entries()) {
    await pass(stage, firstMs + it.submitMs - 1);
    clock.moveTo(firstMs + it.submitMs);
    await submit(broker, `j${n}`, it, stage.extraMs);
  }
  while (!(await areOver(broker, jobs.length))) await pass(stage, clock.nowMs() + 10 * SECOND);
  const records = await Promise.all(jobs.map((_, n) => broker.brokerApi.job(`j${n}`)));
  await broker.stop();
  expect(complaints).toEqual([]);
  return records.map((record) => inSeconds(record?.startedAtMs ?? Number.NaN) - firstMs);
}

function submit(broker: Broker, id: string, { procs, limitMs, runtimeMs }: ParityJob, extraMs: number) {
  const description = {
    ...JOB_DEFAULTS,
    executable: "true",
    site: "site",
    procs,
    wallTimeMs: limitMs + extraMs,
    environment: { [IMITATED_RUNTIME]: `${runtimeMs}ms` },
  };
  return broker.brokerApi.ask({ kind: "submit", job: id, description, consumer: "vo/user", owner: "u" });
}

async function areOver({ brokerApi }: Broker, count: number): Promise<boolean> {
  const { items } = await brokerApi.jobs({ limit: count });
  return items.every(({ state }) => isFinal(state));
}

/** Lets everything happen until an instant, each alarm at its time, all that follows before the next. */
async function pass(stage: Stage, untilMs: number): Promise<void> {
  const { clock } = stage;
  while (clock.nowMs() < untilMs) {
    await quiet(stage);
    clock.moveTo(Math.min(untilMs, Math.max(clock.nowMs(), clock.nextAlarmMs())));
  }
  await quiet(stage);
}

async function quiet({ logbook }: Stage): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    await logbook.rows("sites", { limit: 1 });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function inSeconds(ms: number): number {
  return Math.floor(ms / SECOND) * SECOND;
}

async function inFolder<Value>(deed: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), "stint-parity-"));
  try {
    return await deed(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("one site machine", () => {
  it("SS-10 EN-10 a workload starts alike in a replay, at a simulated and at the managed site", async () => {
    const property = fc.asyncProperty(workload, async (play) => {
      const wanted = replayed(play);
      const onStage = (stageOf: typeof imitating) =>
        inFolder((folder) => played(stageOf(play, createMemoryLogbook(VIEWS), folder), play));
      expect(await onStage(scripted)).toEqual(wanted);
      expect(await onStage(imitating)).toEqual(wanted);
    });
    await fc.assert(property, { numRuns: RUNS });
  });
});

describe("one broker, any store", () => {
  const crowd: ParityWorkload = {
    discipline: "easy",
    jobs: [5, 4, 8, 2, 3, 1].map((procs, n) => ({
      submitMs: 5 * n * SECOND,
      procs,
      limitMs: 40 * SECOND,
      runtimeMs: 20 * SECOND,
    })),
  };

  it("BR-8 BR-11 at a foreign site each job has the same events in memory and in SQLite", async () => {
    const inMemory = await inFolder((folder) => kindsByJob(createMemoryLogbook(VIEWS), folder));
    const inSqlite = await inFolder(async (folder) =>
      kindsByJob(await openSqliteLogbook({ directory: join(folder, "log"), views: VIEWS }), folder),
    );
    expect(inSqlite).toEqual(inMemory);
    expect(inMemory.get("j0")).toEqual([
      "jobAccepted",
      "jobPlaced",
      "attemptQueued",
      "attemptRunning",
      "attemptEnded",
    ]);
    expect(inMemory.size).toBe(crowd.jobs.length);
  });

  async function kindsByJob(logbook: Logbook, folder: string): Promise<Map<string, string[]>> {
    await played(imitating(crowd, logbook, folder), crowd);
    const kinds = new Map<string, string[]>();
    for await (const { kind, body } of logbook.events(1)) {
      if (typeof body.job !== "string") continue;
      kinds.set(body.job, [...(kinds.get(body.job) ?? []), kind]);
    }
    await logbook.close();
    return kinds;
  }
});
