import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOUR } from "../../test/engine-scene.ts";
import {
  clock,
  logbook,
  openScripted,
  pass,
  start,
  warnings,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { exited, running, scriptedSite } from "../../test/scripted-site.ts";
import { JOB_DEFAULTS, type Policy, type SharedResource, type SiteSpec } from "../model/index.ts";
import { projectLog, VIEWS } from "../runtime/index.ts";
import { compareViews } from "../store/index.ts";
import type { Broker, OpenSite } from "./index.ts";

worldForEach();

const K = 1024;
const RATE = 64 * K;

/** This machine with a store of 100 K and a link of 64 K a second; each job leaves 30 K there. */
const HERE: SiteSpec = {
  ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "fcfs", defaultWallTimeMs: HOUR },
  stores: { scratch: { sizeBytes: 100 * K } },
  links: { uplink: { rateBytesPerSec: RATE } },
};

function policy(resource: SharedResource, consumer: string, percent: number, burst = 100): Policy {
  return {
    ...{ resource, provider: "here", consumer },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: 60_000, sharePpm: burst * 10_000 },
    ...{ rule: "entitlement", mode: "shared", carry: "forgive" },
  };
}

/** What jobs have left by token; a site that answers once it is there. */
let left: Map<string, number>;
let answers = true;

async function openHere(name: string, spec: SiteSpec): Promise<OpenSite> {
  if (name !== "here") return openScripted(name, spec);
  const site = scriptedSite(({ token }) => {
    clock.wakeAt(clock.nowMs() + 100, () => site.tell(running(token, clock.nowMs())));
    clock.wakeAt(clock.nowMs() + 500, () => {
      left.set(token, 30 * K);
      site.tell(exited(token, clock.nowMs()));
    });
  });
  site.sizeOfFiles = async (token) => {
    if (!answers) throw new Error("no answer");
    return left.get(token) ?? 0;
  };
  site.readFile = async (_, __, fromByte, maxBytes) => ({
    bytes: new Uint8Array(maxBytes),
    sizeBytes: fromByte + maxBytes + 1,
  });
  site.purge = async (token) => void left.delete(token);
  return { kind: "managed", site };
}

async function begin(...policies: readonly Policy[]): Promise<Broker> {
  left = new Map();
  answers = true;
  const broker = await start({ openSite: openHere });
  await broker.brokerApi.ask({ kind: "addSite", site: "here", spec: HERE });
  const more = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  await broker.brokerApi.ask({ kind: "applyPolicies", policies, ...more });
  return broker;
}

const submit = (broker: Broker, job: string, consumer: string, inputSandbox: readonly string[] = []) =>
  broker.brokerApi.ask({
    kind: "submit",
    ...{ job, consumer, owner: consumer },
    description: { ...JOB_DEFAULTS, executable: "true", inputSandbox },
  });
const siteOf = async (broker: Broker, job: string) => (await broker.brokerApi.job(job))?.site;
const storedBy = (broker: Broker, consumer: string) =>
  broker.brokerApi.usage("here")?.levels.find((it) => it.resource === "storage" && it.consumer === consumer)
    ?.inUse;

describe("EN-102 output of jobs is counted", () => {
  it("at their end; who is over waits until it was cleared, and the log says all of it", async () => {
    const broker = await begin(policy("storage", "a", 50, 50));
    for (const job of ["1", "2"]) await submit(broker, job, "a");
    await pass(1000);
    expect(storedBy(broker, "a")).toBe(60 * K);
    await submit(broker, "3", "a");
    await submit(broker, "4", "b");
    await pass(1000);
    expect(await siteOf(broker, "3")).toBe(null);
    expect(await siteOf(broker, "4")).toBe("here");
    const why = await broker.brokerApi.explain("3");
    expect(why?.causes).toMatchObject([
      { kind: "storeFull", limits: [{ limit: "burst", level: "a", usedBytes: 60 * K, limitBytes: 50 * K }] },
    ]);
    expect(await broker.brokerApi.clearFiles("1", "ada")).toMatchObject({ ok: true });
    await pass(1000);
    expect(await siteOf(broker, "3")).toBe("here");
    expect([...left.keys()]).not.toContain("1/1");
    await broker.stop();
    expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
  });

  it("of a job that is not over nothing is removed", async () => {
    const broker = await begin(policy("storage", "a", 50, 50));
    await submit(broker, "1", "a");
    await pass(200);
    expect(await broker.brokerApi.clearFiles("1", "ada")).toMatchObject({ refusal: { kind: "jobNotOver" } });
    await broker.stop();
  });

  it("after a restart, and again where a site did not answer", async () => {
    const broker = await begin(policy("storage", "a", 50, 50));
    answers = false;
    await submit(broker, "1", "a");
    await pass(1000);
    expect(storedBy(broker, "a")).toBe(0);
    expect(warnings.join("\n")).toContain("files of 1/1: not counted yet: no answer");
    await broker.stop();
    answers = true;
    const again = await start({ openSite: openHere });
    await pass(100);
    expect(storedBy(again, "a")).toBe(30 * K);
    await again.stop();
    const third = await start({ openSite: openHere });
    expect(storedBy(third, "a")).toBe(30 * K);
    await third.stop();
  });

  it("EN-102 input files are measured when they are copied in", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-kept-"));
    const file = join(folder, "data");
    writeFileSync(file, new Uint8Array(60 * K));
    const broker = await begin(policy("storage", "a", 50, 50));
    expect(await submit(broker, "1", "a", [file])).toMatchObject({
      refusal: { kind: "filesOverQuota", limits: [{ askedBytes: 60 * K, limitBytes: 50 * K }] },
    });
    expect(await submit(broker, "2", "b", [file])).toMatchObject({ ok: true });
    await broker.stop();
    rmSync(folder, { recursive: true });
  });
});

describe("BR-54 reads of jobs' files", () => {
  it("EN-83 consumers with 20 and 80 % of a link read in that proportion, as published", async () => {
    const broker = await begin(policy("network", "a", 20), policy("network", "b", 80));
    await submit(broker, "1", "a");
    await submit(broker, "2", "b");
    await pass(1000);
    const gone = new AbortController();
    const counted = { a: 0, b: 0 };
    const read = async (job: string, who: "a" | "b"): Promise<void> => {
      for (let fromByte = 0; ; ) {
        const request = { name: "out", fromByte, maxBytes: 256 * K, signal: gone.signal };
        const part = await broker.brokerApi.readFile(job, request);
        counted[who] += part?.bytes.length ?? 0;
        fromByte += part?.bytes.length ?? 0;
      }
    };
    const reading = Promise.allSettled([read("1", "a"), read("2", "b")]);
    await pass(5000);
    const before = { ...counted };
    await pass(60_000);
    const percent = (who: "a" | "b") => Math.round(((counted[who] - before[who]) * 100) / (60 * RATE));
    expect([percent("a"), percent("b")]).toEqual([20, 80]);
    const levels =
      broker.brokerApi.usage("here")?.levels.filter(({ resource }) => resource === "network") ?? [];
    expect(levels.map(({ consumer }) => consumer)).toEqual(["a", "b"]);
    expect(Math.round((levels[1].inUse * 10) / RATE)).toBe(8);
    gone.abort();
    expect((await reading).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await broker.stop();
  });

  it("BR-54 a submission is not delayed; its bytes count once, when they go to the site", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-kept-"));
    const file = join(folder, "data");
    writeFileSync(file, new Uint8Array(10 * RATE));
    const broker = await begin(policy("network", "a", 50, 50), policy("network", "b", 50));
    const began = clock.nowMs();
    // Both are answered though no time goes by, and the link carries nothing meanwhile.
    expect(await submit(broker, "1", "a/u", [file])).toMatchObject({ ok: true });
    expect(await submit(broker, "2", "b/u")).toMatchObject({ ok: true });
    expect(clock.nowMs()).toBe(began);
    await pass(25_000);
    expect((await broker.brokerApi.job("1"))?.state).toBe("DONE");
    const used = broker.brokerApi.usage("here")?.levels.find(({ consumer }) => consumer === "a");
    expect(used?.usedPpm).toBe(Math.floor((10 * 1_000_000) / 3600));
    await broker.stop();
    const passed: unknown[] = [];
    for await (const { kind, body } of logbook.events(1)) {
      if (kind === "transfersMeasured" && Array.isArray(body.passed)) passed.push(...body.passed);
    }
    expect(passed).toEqual([{ consumer: "a/u", bytes: 10 * RATE }]);
    rmSync(folder, { recursive: true });
  });

  it("input files wait for their turn before they are sent", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stint-kept-"));
    const file = join(folder, "data");
    writeFileSync(file, new Uint8Array(10 * RATE));
    const broker = await begin(policy("network", "a", 100));
    await submit(broker, "1", "a", [file]);
    await pass(8000);
    expect((await broker.brokerApi.job("1"))?.startedAtMs).toBe(null);
    await pass(4000);
    expect((await broker.brokerApi.job("1"))?.state).toBe("DONE");
    await broker.stop();
    rmSync(folder, { recursive: true });
  });
});
