import { expect, it } from "vitest";
import { recordOf } from "../../test/api/fake-record.ts";
import { scene } from "../../test/engine-scene.ts";
import { explanationText, type JobRecord, type LiveStream } from "../model/index.ts";
import type { ApiWorld } from "./api-world.ts";
import { jobQuestions } from "./job-questions.ts";

const MB = 1_000_000;
const stream: LiveStream = {
  ...{ name: "s", weight: 1, weightStep: 1, weightPeriodMs: 600_000, procs: 1, minBytesPerSec: MB },
  ...{ minBytes: 10 * MB, sources: [], blockBytes: MB, connections: 1, ahead: 1, delivery: "lines" },
  ...{ command: ["/no/such"], environment: {}, restarts: 0 },
};

it("the explanation of a stream that failed has its reason", async () => {
  const play = scene({ here: 8 });
  const { spec } = play.projection.sites.get("here") ?? {};
  if (spec === undefined) throw new Error("the scene has its site");
  const pool = { inboundBytesPerSec: 10 * MB, storageBytes: 1000 * MB, directory: "/streams" };
  play.ask({ kind: "changeSite", site: "here", spec: { ...spec, streams: pool } });
  expect(play.ask({ kind: "recordStream", job: "a", site: "here", stream })).toBe("ok");
  const why = "/no/such could not be started";
  const last = {
    ...{ state: "failed", atMs: 0, allocatedBytesPerSec: 0, receivedBytesPerSec: 0, processedBytesPerSec: 0 },
    ...{ ackedBytes: 0, totalBytes: null, occupiedBytes: 0, quotaBytes: 0, halts: 0, haltedMs: 0, seq: 0 },
    ...{ setAside: 0, trouble: null, failure: why },
  };
  expect(play.ask({ kind: "endStream", job: "a", last })).toBe("ok");
  const job: JobRecord = { ...recordOf("a", 0), state: "DONE", exitCode: 1, site: "here" };
  const world: Pick<ApiWorld, "round" | "plans" | "find"> = {
    round: { projection: play.projection, nowMs: () => 0 } as ApiWorld["round"],
    plans: { ready: async () => 0 } as unknown as ApiWorld["plans"],
    find: async () => job,
  };
  const explanation = await jobQuestions(world as ApiWorld).explain("a");
  expect(explanation?.causes).toEqual([{ kind: "over" }, { kind: "streamFailed", why }]);
});

it("the explanation of a stream that runs has its trouble, since when, and the next attempt", async () => {
  const play = scene({ here: 8 });
  expect(play.submit("a", 1)).toBe("ok");
  play.settle();
  play.running("a");
  const trouble = "the source does not answer";
  const job = play.projection.jobs.get("a");
  const explained = async (figures: object) => {
    const world = {
      round: { projection: play.projection, nowMs: () => play.now },
      plans: { ready: async () => play.now },
      find: async () => job,
      streams: { figures: () => figures, problem: () => undefined },
    };
    const explanation = await jobQuestions(world as unknown as ApiWorld).explain("a");
    if (explanation === undefined) throw new Error("the job is known");
    const lines = explanationText(explanation, (atMs) => `${(atMs - play.now) / 1000}s`);
    return lines.filter((line) => line.includes("since") || line.includes("stopped"));
  };
  const stall = { with: "source", sinceMs: play.now - 9000, nextAtMs: play.now + 3000 };
  expect(await explained({ trouble: null })).toEqual([]);
  expect(await explained({ trouble, stall })).toEqual([
    `it has received no data since -9s: ${trouble}; next attempt at 3s`,
  ]);
  // The attempt is under way.
  expect(await explained({ trouble, stall: { ...stall, nextAtMs: play.now - 1 } })).toEqual([
    `it has received no data since -9s: ${trouble}`,
  ]);
  expect(await explained({ trouble, stall: { ...stall, with: "sink" } })).toEqual([
    `its sink has accepted no results since -9s: ${trouble}; next attempt at 3s`,
  ]);
  // A wrapper of an earlier version says only what the trouble is.
  expect(await explained({ trouble })).toEqual([
    `its data have stopped, and the stream tries again: ${trouble}`,
  ]);
});

it("the explanation of a stream that cannot be started says why", async () => {
  const play = scene({ here: 8 });
  expect(play.submit("a", 1)).toBe("ok");
  play.act("hold", "a");
  const job = play.projection.jobs.get("a");
  const why = "EACCES: permission denied, mkdir '/streams/a'";
  const world = {
    round: { projection: play.projection, nowMs: () => play.now },
    ...{ plans: { ready: async () => play.now }, find: async () => job },
    streams: { figures: () => undefined, problem: () => ({ why, sinceMs: 4000 }) },
  };
  const explanation = await jobQuestions(world as unknown as ApiWorld).explain("a");
  if (explanation === undefined) throw new Error("the job is known");
  expect(explanationText(explanation, (atMs) => `${atMs / 1000}s`)).toContain(
    `its start or its orders have failed since 4s, and are tried again each second: ${why}`,
  );
});
