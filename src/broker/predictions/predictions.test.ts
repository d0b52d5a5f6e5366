/** What the thread of predictions is told, and what becomes of it when something fails. */
import { beforeEach, describe, expect, it } from "vitest";
import { aCluster, aJob } from "../../../test/cluster-scene.ts";
import { foreignSpec, shown } from "../../../test/engine-scene.ts";
import { steppableClock } from "../../../test/steppable-clock.ts";
import { createProjection, factsOf, type Survey } from "../../engine/index.ts";
import { type ClusterPastJob, JOB_DEFAULTS, type JobRecord, type SiteSpec } from "../../model/index.ts";
import { rowOf, VIEWS } from "../../runtime/index.ts";
import { createPredictions, type PastSource, type Predictions } from "./predictions.ts";
import type { AskedWhen, Tasks } from "./protocol.ts";
import type { PredictionThread } from "./thread.ts";

const managed: SiteSpec = {
  ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "easy", defaultWallTimeMs: 1000 },
};

/** A thread that only writes down what it is told. */
function fakeThread() {
  const told: { readonly kind: keyof Tasks; readonly asks: unknown }[] = [];
  const fake = {
    told,
    lose: (): void => undefined,
    failing: false,
    stopped: false,
    answers: {} as Partial<Record<keyof Tasks, unknown>>,
  };
  const create = (onLost: () => void): PredictionThread => {
    fake.lose = onLost;
    return {
      isThere: () => true,
      ask: async (kind, asks) => {
        if (fake.failing) throw new Error("it fails");
        told.push({ kind, asks });
        return (fake.answers[kind] ?? null) as never;
      },
      stop: async () => {
        fake.stopped = true;
      },
    };
  };
  return { fake, create };
}

let world: ReturnType<typeof beginWorld>;
beforeEach(() => {
  world = beginWorld();
});

function beginWorld() {
  const { fake, create } = fakeThread();
  const clock = steppableClock(1_000_000);
  const projection = createProjection();
  const warnings: string[] = [];
  const records: JobRecord[] = [];
  const predictions: Predictions = createPredictions(
    {
      round: { projection, nowMs: clock.nowMs },
      logbook: {
        rows: async () => ({
          rows: records.map((record) => rowOf({ kind: "job", record })) as never,
          next: undefined,
        }),
      },
      clock,
      warn: (message) => warnings.push(message),
    },
    create,
  );
  const names = () =>
    fake.told.map(({ kind, asks }) => {
      const { events, jobs } = asks as { events?: readonly unknown[]; jobs?: readonly unknown[] };
      return `${kind} ${events?.length ?? jobs?.length ?? ""}`.trim();
    });
  return { fake, clock, projection, warnings, records, predictions, names };
}

const quiet = async (): Promise<void> => {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const survey = (atMs: number, ...ids: readonly string[]): Survey => ({
  ...{ atMs, ended: [], reservations: [] },
  jobs: ids.map((id) => shown(id, null, { state: "waiting", submittedAtMs: atMs - 1 })),
});
const asked: AskedWhen = {
  ...{ site: "s", nowMs: 0, state: undefined, deadlineMs: null, cluster: null, answerMs: 0 },
  facts: factsOf({ id: "?", queue: "", user: "", procs: 1, memoryBytes: 0, limitMs: 1 }),
};
const record = (change: Partial<JobRecord>): JobRecord => ({
  ...{ id: "a", state: "SCHEDULED", description: { ...JOB_DEFAULTS, executable: "true" }, consumer: "vo/u" },
  ...{ owner: "u", submittedAtMs: 5, order: 1, attempt: 1, site: "s", siteJob: null, restMs: null },
  ...{ startDecidedAtMs: null, startedAtMs: null, endedAtMs: null, result: null, exitCode: null },
  ...{ signal: null, isTimeLimit: false, cpuMs: null, isCancelRequested: false, abortReason: null },
  ...change,
});
const pastJob: ClusterPastJob = {
  ...{ siteJob: "1", partition: "main", user: "u", account: null, procs: 1, memoryBytes: null },
  ...{ limitMs: 9, eligibleAtMs: 1, startedAtMs: 2, endedAtMs: null },
};

describe("events that predictions get from a foreign site", () => {
  const attach = (source: Partial<PastSource> = {}) =>
    world.predictions.attached("s", { spec: foreignSpec(4), ...source });

  it("BR-16 are buffered until a question; then the past comes first, the events after it", async () => {
    const { predictions, names } = world;
    attach();
    predictions.surveyed("s", survey(10, "1"));
    await quiet();
    predictions.surveyed("s", survey(20, "1"));
    predictions.surveyed("s", survey(30, "1", "2"));
    predictions.surveyed("unknown", survey(30, "1"));
    expect(names()).toEqual([]);
    await predictions.when(asked);
    expect(names()).toEqual(["past 0", "events 2", "when"]);
    await predictions.when(asked);
    expect(names().slice(3)).toEqual(["when"]);
  });

  it("BR-16 name the jobs that wait there, of whose promises the thread is asked once", async () => {
    const { predictions, fake, names } = world;
    attach();
    await quiet();
    const running = shown("9", null, { state: "running", startedAtMs: 5 });
    predictions.surveyed("s", {
      ...survey(10, "1", "12_4#3"),
      jobs: [...survey(10, "1", "12_4#3").jobs, running],
    });
    expect(await predictions.promised("s", ["9", "unknown"])).toEqual(new Map());
    const starts = [{ probability: 0.5, startAtMs: 7 }];
    fake.answers = { promised: [starts, []] };
    expect(await predictions.promised("s", ["1", "9", "12_5#3"])).toEqual(new Map([["1", starts]]));
    expect(names()).toEqual(["past 0", "events 4", "promised"]);
    expect(fake.told.at(-1)?.asks).toEqual({ site: "s", ids: ["1@9", "12_4#3@9"] });
    expect(await predictions.promised("unknown", ["1"])).toEqual(new Map());
  });

  it("BR-16 are handed over when many are buffered", async () => {
    attach();
    await quiet();
    const ids = Array.from({ length: 600 }, (_, at) => String(at));
    world.predictions.surveyed("s", survey(10, ...ids));
    expect(world.names()).toEqual(["past 0", "events 600"]);
  });

  it("BR-16 an accounting is learned at once, and what it reported is not counted again", async () => {
    const { predictions, names, fake } = world;
    let sinceMs = 0;
    attach({
      history: async (from) => {
        sinceMs = from;
        return [pastJob];
      },
    });
    await quiet();
    expect(sinceMs).toBe(1_000_000 - 30 * 86_400_000);
    expect(names()).toEqual(["past 1"]);
    expect(fake.told[0]?.asks).toMatchObject({ isWhole: true });
    predictions.surveyed("s", {
      atMs: 5,
      ended: [],
      reservations: [],
      jobs: [shown("1", null, { state: "running", startedAtMs: 2 })],
    });
    await predictions.when(asked);
    expect(names()).toEqual(["past 1", "when"]);
  });

  it("BR-16 a past that cannot be read is asked for again, and learning starts over with it", async () => {
    const { predictions, names, clock, warnings } = world;
    let isUp = false;
    attach({
      history: async () => {
        if (!isUp) throw new Error("no accounting today");
        return [pastJob];
      },
    });
    await quiet();
    expect(warnings).toEqual(["site s: its past cannot be learnt: no accounting today"]);
    predictions.surveyed("s", survey(10, "7"));
    isUp = true;
    clock.moveTo(clock.nowMs() + 60_000);
    await quiet();
    expect(names()).toEqual(["past 0", "past 1"]);
  });

  it("BR-16 a cluster's own schedule is scored on new jobs every five minutes", async () => {
    const { predictions, names } = world;
    const snapshot = aCluster({ jobs: [aJob("2")] });
    attach({ look: async () => snapshot });
    await quiet();
    predictions.surveyed("s", survey(10));
    for (const atMs of [20, 30, 400_000]) {
      predictions.surveyed("s", survey(atMs, String(atMs)));
      await quiet();
    }
    expect(names()).toEqual(["past 0", "events 1", "look 1", "events 4", "look 1"]);
  });

  it("BR-17 a failure is reported once and blocks nothing", async () => {
    const { predictions, fake, warnings, clock, names } = world;
    attach();
    await quiet();
    const broken = { atMs: 10, ended: [], jobs: undefined } as unknown as Survey;
    predictions.surveyed("s", broken);
    predictions.surveyed("s", broken);
    expect(warnings).toHaveLength(1);
    clock.moveTo(clock.nowMs() + 60_000);
    await quiet();
    await predictions.when(asked);
    expect(names()).toEqual(["past 0", "when"]);
    fake.failing = true;
    await expect(predictions.when(asked)).rejects.toThrow("it fails");
  });

  it("BR-17 when the thread is lost everything is learned again", async () => {
    const { predictions, fake, names, clock } = world;
    attach({ history: async () => [pastJob] });
    await quiet();
    fake.lose();
    predictions.surveyed("s", survey(10, "8"));
    clock.moveTo(clock.nowMs() + 60_000);
    await quiet();
    expect(names()).toEqual(["past 1", "past 1"]);
    await predictions.stop();
    expect(fake.stopped).toBe(true);
  });

  it("BR-16 a detached site sends no more events", async () => {
    const { predictions, names } = world;
    attach();
    await quiet();
    predictions.detached("s");
    predictions.surveyed("s", survey(10, "1"));
    await predictions.when(asked);
    expect(names()).toEqual(["when"]);
  });
});

describe("events that predictions get from this machine", () => {
  it("BR-16 are those of the logbook, its present jobs, and every changed record", async () => {
    const { predictions, names, projection, records, fake } = world;
    expect(VIEWS.map(({ name }) => name)).toContain("jobs");
    records.push(record({ id: "old", state: "DONE", startedAtMs: 6, endedAtMs: 7 }));
    projection.jobs.set("a", record({}));
    predictions.attached("s", { spec: managed });
    await quiet();
    predictions.changed(record({ id: "b" }));
    predictions.changed(record({ state: "RUNNING", startedAtMs: 9 }));
    predictions.changed(record({ id: "c", site: "elsewhere" }));
    predictions.changed(record({ id: "d", site: null }));
    await predictions.when(asked);
    expect(names()).toEqual(["past 1", "events 3", "when"]);
    const [, second] = fake.told;
    const { events } = (second?.asks ?? { events: [] }) as Tasks["events"]["asks"];
    expect(events.map(({ event, isLate }) => `${event.kind} ${isLate}`)).toEqual([
      "submitted true",
      "submitted false",
      "started false",
    ]);
  });
});
