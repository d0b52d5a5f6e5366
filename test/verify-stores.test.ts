/**
 * Storage and network policies verified from the log of a broker, and from its bundle without it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyTools } from "../src/main/verify-policies.ts";
import { EVENT_VERSIONS, JOB_DEFAULTS, type Policy, type SiteSpec } from "../src/model/index.ts";
import type { JsonObject } from "../src/runtime/index.ts";
import { VIEWS, VIEWS_VERSION } from "../src/runtime/index.ts";
import { openSqliteLogbook } from "../src/store/index.ts";
import { type Called, capturedProgram } from "./captured-program.ts";
import { HOUR, type Scene, scene } from "./engine-scene.ts";

const folder = mkdtempSync(join(tmpdir(), "stint-verify-stores-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = capturedProgram({}, { verify: async () => verifyTools });
const verify = (...words: readonly string[]): Promise<Called> => program.call("policy", "verify", ...words);

const K = 1024;
const SITE: SiteSpec = {
  ...{ type: "managed", procs: 10, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
  stores: { scratch: { sizeBytes: 100 * K } },
  links: { uplink: { rateBytesPerSec: 100 } },
};

function policy(resource: "storage" | "network", consumer: string, percent: number): Policy {
  return {
    ...{ resource, provider: "here", consumer, rule: "entitlement", mode: "preempting", carry: "repay" },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: 60_000, sharePpm: 1_000_000 },
  };
}

/**
 * An hour: a's files fill all but a tenth of the store; from half past, b waits for a half. Over the link
 * a has 40 bytes a second for half an hour; then the broker dies, and is back at three quarters.
 */
function story(): Scene {
  const play = scene({});
  play.now = 0;
  play.ask({ kind: "addSite", site: "here", spec: SITE });
  const policies = [policy("storage", "a", 40), policy("storage", "b", 60), policy("network", "a", 50)];
  const more = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  play.ask({ kind: "applyPolicies", policies, ...more });
  const submit = (job: string, consumer: string, inputBytes: number): void => {
    const description = { ...JOB_DEFAULTS, executable: "true" };
    play.ask({ kind: "submit", job, description, consumer, owner: "u1", inputBytes });
    play.settle();
  };
  submit("a1", "a/u", 90 * K);
  play.running("a1");
  play.now = HOUR / 2;
  const passed = [{ consumer: "a/u", bytes: 40 * (HOUR / 2000) }];
  play.ask({ kind: "noteTransfers", site: "here", fromMs: 0, toMs: HOUR / 2, passed });
  submit("b1", "b/u", 50 * K);
  play.now = HOUR;
  play.ask({ kind: "noteTransfers", site: "here", fromMs: (HOUR / 4) * 3, toMs: HOUR, passed: [] });
  return play;
}

describe("storage and network policies are verified from the log", () => {
  const state = join(folder, "state");
  const bundle = join(folder, "stores.bundle");

  beforeAll(async () => {
    const views = { views: VIEWS, projection: VIEWS_VERSION };
    const logbook = await openSqliteLogbook({ directory: join(state, "log"), ...views });
    const events = story().log.map(({ kind, atMs, ...body }) => ({
      ...{ kind, version: EVENT_VERSIONS[kind], atMs, body: body as unknown as JsonObject },
    }));
    await logbook.commit({ events, changes: [] });
    await logbook.close();
  });

  it("reports stored amounts, and consumers without room that were entitled to it", async () => {
    const { out } = await verify("--state-dir", state, "--bundle", bundle, "-o", "json");
    const { consumers, totals, jobs } = JSON.parse(out);
    expect(consumers).toMatchObject([
      { consumer: "a", resource: "storage", used: 0.9, aboveEpochContended: 0.45, violated: ["epoch"] },
      { consumer: "b", resource: "storage", used: 0, notGiven: 0.25, violated: ["given"] },
      { consumer: "a", resource: "network", used: 0.266666667, violated: [] },
    ]);
    expect(totals.map(({ resource }: { readonly resource: string }) => resource)).toContain("storage");
    expect(jobs).toMatchObject({ submitted: 1, completed: 0 });
  });

  it("a time without recorded transfers is a gap of the network alone", async () => {
    const { out } = await verify("--state-dir", state);
    const gaps = out.split("\n").filter((line) => line.startsWith("gap:"));
    expect(gaps).toEqual([
      "gap: nothing is known of network from 1970-01-01T00:30:00Z to 1970-01-01T00:45:00Z",
    ]);
    expect(out.split("\n").find((line) => /^a +network/.test(line))).toContain("kept where recorded");
  });

  it("is computed again from the bundle alone, to the same bytes", async () => {
    expect(await verify(bundle, "-o", "json")).toEqual(await verify("--state-dir", state, "-o", "json"));
    expect((await verify("--state-dir", state, "-o", "html")).out).toContain("network from");
  });

  it("an altered amount of files or transfers is detected", async () => {
    const text = readFileSync(bundle, "utf8");
    const altered = (name: string, one: string, other: string): string => {
      expect(text).toContain(one);
      const path = join(folder, name);
      writeFileSync(path, text.replace(one, other));
      return path;
    };
    const files = altered("files.json", `"storage":${90 * K}`, `"storage":${9 * K}`);
    expect((await verify(files)).err).toContain("the records, which the events say otherwise");
    const transfers = altered("transfers.json", '"network":40', '"network":4');
    expect((await verify(transfers)).err).toContain("the records, which the events say otherwise");
    const gap = altered(
      "gap.json",
      '"resource":"network","toMs":1800000',
      '"resource":"network","toMs":2700000',
    );
    expect((await verify(gap)).err).toContain("the recorded, which the events say otherwise");
  });
});
