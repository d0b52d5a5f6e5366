import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOUR, type Scene, scene } from "../../../test/engine-scene.ts";
import { answer } from "../../engine/index.ts";
import {
  type Command,
  isFinal,
  JOB_DEFAULTS,
  type LiveStream,
  type StreamPoolSpec,
} from "../../model/index.ts";
import { runTrial, type TrialSite } from "./run-trials.ts";
import { readReport } from "./stream-files.ts";

const MB = 1_000_000;
const STREAM: LiveStream = {
  ...{ name: "s", weight: 1, weightStep: 1, weightPeriodMs: 600_000, procs: 1, minBytesPerSec: MB },
  ...{ minBytes: 10 * MB, sources: [], blockBytes: MB, connections: 1, ahead: 1, delivery: "lines" },
  ...{ command: ["true"], environment: {}, restarts: 0, programHash: "p" },
};
const CLASSES = [
  { name: "old", procs: 4 },
  { name: "new", procs: 4, benchmark: 2 },
];
const RATES: Readonly<Record<string, number>> = { old: 3 * MB, new: 7 * MB };

/** A site with two classes and an admitted stream, which is to be tried on both. */
function admitted(): { readonly play: Scene; readonly pool: StreamPoolSpec } {
  const play = scene({ here: 8 });
  const { spec } = play.projection.sites.get("here") ?? {};
  if (spec === undefined) throw new Error("the scene has its site");
  const directory = mkdtempSync(join(tmpdir(), "stint-trials-"));
  const pool = { inboundBytesPerSec: 10 * MB, storageBytes: 1000 * MB, directory, classes: CLASSES };
  play.ask({ kind: "changeSite", site: "here", spec: { ...spec, streams: pool } });
  const description = { ...JOB_DEFAULTS, executable: "stint", site: "here", wallTimeMs: HOUR };
  play.ask({ kind: "submit", job: "s", description, consumer: "vo/g/u1", owner: "u1" });
  play.act("hold", "s");
  play.ask({ kind: "recordStream", job: "s", site: "here", stream: STREAM });
  play.ask({ kind: "selectStreams", site: "here" });
  return { play, pool };
}

class Killed extends Error {}

/** The broker of a scene. @param killedAt step before which it is killed; steps are commands and copies */
function brokerOf(play: Scene, pool: StreamPoolSpec, killedAt = Number.POSITIVE_INFINITY): TrialSite {
  let step = 0;
  const live = (): void => {
    if (step++ === killedAt) throw new Killed();
  };
  const ask = async (command: Command) => {
    live();
    const answered = answer(play.projection, command, play.now);
    if (answered.ok) play.ask(command);
    live();
    return answered;
  };
  return {
    round: { ask, nowMs: () => play.now, projection: play.projection } as unknown as TrialSite["round"],
    ...{ name: "here", pool, program: ["stint"] },
    find: async (id) => {
      live();
      return play.records.get(id);
    },
    sandboxes: {
      filesOf: () => [],
      keep: async () => {
        live();
        return 0;
      },
    },
  };
}

const trialsOf = ({ records }: Scene) => [...records.values()].filter(({ id }) => id !== "s");

/** The machine starts and ends trials, whether there is a broker or not. */
function advance(play: Scene, pool: StreamPoolSpec): void {
  play.now += 1000;
  play.settle();
  for (const { id, state, description } of trialsOf(play)) {
    if (isFinal(state)) continue;
    if (state !== "RUNNING") {
      play.running(id);
      continue;
    }
    const className = description.name?.endsWith("old") ? "old" : "new";
    report(pool, { trial: { className, bytesPerSec: RATES[className] } });
    play.ended(id);
  }
}

function report(pool: StreamPoolSpec, more: object): void {
  const rates = { allocatedBytesPerSec: 1, receivedBytesPerSec: 0, processedBytesPerSec: 0 };
  const figures = {
    ...{ state: "stopped", at: "2026-11-27T10:00:00Z", ...rates, ackedBytes: 0, totalBytes: null },
    ...{ occupiedBytes: 0, quotaBytes: 1, halts: 0, haltedSec: 0, position: { seq: 0 }, trouble: null },
  };
  mkdirSync(join(pool.directory, "s"), { recursive: true });
  writeFileSync(join(pool.directory, "s", "report.json"), JSON.stringify({ ...figures, ...more }));
}

const recordIn = (play: Scene) => {
  const record = play.projection.books.streams.get("s");
  if (record === undefined) throw new Error("the stream is recorded");
  return record;
};

/** Runs the trials to their end; true if the broker was killed on the way. */
async function tryAll(play: Scene, pool: StreamPoolSpec, killedAt: number): Promise<boolean> {
  let site = brokerOf(play, pool, killedAt);
  let isKilled = false;
  for (let turn = 0; turn < 20 && recordIn(play).trials !== undefined; turn++) {
    try {
      await runTrial(site, recordIn(play));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      isKilled = true;
      play.restart();
      site = brokerOf(play, pool);
    }
    advance(play, pool);
  }
  return isKilled;
}

describe("trials of a stream", () => {
  it("BR-122 a broker killed at any step of a trial tries each class once, and knows its rate", async () => {
    let isKilled = true;
    let killedAt = 0;
    for (; isKilled && killedAt < 100; killedAt++) {
      const { play, pool } = admitted();
      isKilled = await tryAll(play, pool, killedAt);
      const names = trialsOf(play).map(({ description }) => description.name);
      expect([killedAt, ...names]).toEqual([killedAt, "s: trial on old", "s: trial on new"]);
      const tried = play.log.flatMap((it) => (it.kind === "streamTried" ? [it] : []));
      expect(tried.map(({ className, measured }) => [className, measured?.bytesPerSec])).toEqual([
        ["old", RATES.old],
        ["new", RATES.new],
      ]);
      expect(recordIn(play)).toMatchObject({ className: "new" });
      expect(play.log.filter(({ kind }) => kind === "streamAssigned")).toHaveLength(1);
    }
    expect(killedAt).toBeGreaterThan(12);
  });

  it("BR-122 a trial that measured nothing says why, and the stream goes on", async () => {
    const { play, pool } = admitted();
    const site = brokerOf(play, pool);
    await runTrial(site, recordIn(play));
    play.settle();
    const [trial] = trialsOf(play);
    play.running(trial.id);
    const failure = "detect could not be started";
    report(pool, { state: "failed", failure: { why: failure }, trial: { className: "old" } });
    play.ended(trial.id, { exitCode: 1 });
    expect((await readReport(pool, "s"))?.failure).toBe(failure);
    await runTrial(site, recordIn(play));
    expect(recordIn(play)).toMatchObject({
      ...{ trials: ["new"], failedTrials: [{ className: "old", why: failure }] },
    });
    // The report of the trial before counts for its own class alone.
    await runTrial(site, recordIn(play));
    play.settle();
    const [, second] = trialsOf(play);
    play.running(second.id);
    play.ended(second.id, { exitCode: 1 });
    await runTrial(site, recordIn(play));
    expect(recordIn(play).failedTrials?.map(({ why }) => why)).toEqual([
      failure,
      "its job ended before a block was processed",
    ]);
    expect(recordIn(play)).not.toHaveProperty("trials");
  });
});
