/** Organisations whose jobs are placed, and let go in turn, over two simulated clusters and this machine. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { foreignSpec, HOUR } from "../../test/engine-scene.ts";
import {
  add,
  clock,
  dying,
  logbook,
  pass,
  type StartOptions,
  start,
  warnings,
  worldForEach,
} from "../../test/foreign-broker.ts";
import { exited, running, scriptedSite } from "../../test/scripted-site.ts";
import { JOB_DEFAULTS, type Policy, type SiteSpec } from "../model/index.ts";
import { projectLog, VIEWS } from "../runtime/index.ts";
import { openSimulatedSite } from "../sites/simulated/index.ts";
import { compareViews } from "../store/index.ts";
import type { Broker, OpenSite } from "./index.ts";

worldForEach();

const MINUTE = 60_000;
const RUN_MS = 20_000;
const HERE: SiteSpec = {
  ...{ type: "managed", procs: 4, memoryBytes: 2 ** 30, discipline: "easy", defaultWallTimeMs: MINUTE },
};

function policy(provider: string, consumer: string, percent: number): Policy {
  return {
    ...{ resource: "cpu", provider, consumer, rule: "entitlement", mode: "shared", carry: "forgive" },
    epoch: { window: { kind: "sliding", lengthMs: HOUR }, sharePpm: percent * 10_000 },
    burst: { bucketMs: MINUTE, sharePpm: 1_000_000 },
  };
}

/** `west` and `east` are played; whatever runs `here` takes as long as elsewhere. */
function world(): StartOptions {
  const folder = mkdtempSync(join(tmpdir(), "stint-vos-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    openSite: async (name, spec): Promise<OpenSite> => {
      if (spec.type === "simulated") {
        const directory = join(folder, name);
        // The programs themselves are not what is tested: they take their time, as if they ran.
        const played = { ...spec, jobs: "imitate" } as const;
        const site = await openSimulatedSite({ name, spec: played, directory, clock, surveyEveryMs: 1000 });
        return { kind: "foreign", site };
      }
      const site = scriptedSite(({ token }) => {
        clock.wakeAt(clock.nowMs() + 50, () => site.tell(running(token, clock.nowMs())));
        clock.wakeAt(clock.nowMs() + RUN_MS, () => site.tell(exited(token, clock.nowMs())));
      });
      return { kind: "managed", site };
    },
  };
}

async function submit(broker: Broker, group: string, count: number, from = 0): Promise<void> {
  for (let at = from; at < from + count; at++) {
    const environment = { STINT_IMITATED_RUNTIME: String(RUN_MS / 1000) };
    const description = { ...JOB_DEFAULTS, executable: "true", wallTimeMs: MINUTE, environment };
    const who = { consumer: `vo/${group}/u`, owner: "u" };
    await broker.brokerApi.ask({ kind: "submit", job: `${group}${at}`, description, ...who });
  }
}

/** Three sites of twenty processors in all, of which the organisation may have all. */
async function organisation(
  options: StartOptions,
  enforcement: { extraPpm: number } | null,
): Promise<Broker> {
  const broker = await start(options);
  await add(broker, "here", HERE);
  for (const site of ["west", "east"]) await add(broker, site, foreignSpec(8));
  const policies = [
    ...["here", "west", "east"].map((site) => policy(site, "vo", 100)),
    ...[policy("vo", "vo/few", 20), policy("vo", "vo/many", 80)],
  ];
  const applying = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
  await broker.brokerApi.ask({ kind: "applyPolicies", policies, ...applying });
  await broker.brokerApi.ask({ kind: "changeVo", vo: "vo", selector: null, enforcement, by: "boss" });
  await pass(2000);
  return broker;
}

interface Sample {
  readonly few: number;
  readonly many: number;
  readonly waitingThere: number;
}

/** How many of each group run, and how many wait at sites. */
async function sampled(broker: Broker): Promise<Sample> {
  const { items } = await broker.brokerApi.jobs({ limit: 1000 });
  const count = (group: string, states: readonly string[]): number =>
    items.filter((job) => job.id.startsWith(group) && job.site !== null && states.includes(job.state)).length;
  const queued = ["READY", "SCHEDULED"];
  return {
    few: count("few", ["RUNNING"]),
    many: count("many", ["RUNNING"]),
    waitingThere: count("few", queued) + count("many", queued),
  };
}

async function samplesOver(broker: Broker, rounds: number): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++) {
    await pass(5000);
    samples.push(await sampled(broker));
  }
  return samples;
}

const meanOf = (samples: readonly Sample[], of: "few" | "many"): number =>
  samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length;

describe("the enforcer of an organisation over three sites", () => {
  it("EN-77 keeps shares of a fifth and four fifths over time with full queues; no job starves", async () => {
    const broker = await organisation(world(), { extraPpm: 200_000 });
    await submit(broker, "few", 120);
    await submit(broker, "many", 120);
    const samples = (await samplesOver(broker, 22)).slice(6);
    const [few, many] = [meanOf(samples, "few"), meanOf(samples, "many")];
    expect(few + many).toBeGreaterThan(16);
    expect(few / (few + many)).toBeGreaterThan(0.12);
    expect(few / (few + many)).toBeLessThan(0.3);
    expect(samples.some(({ waitingThere }) => waitingThere > 0)).toBe(true);
    const { items } = await broker.brokerApi.jobs({ limit: 1000 });
    expect(new Set(items.flatMap(({ site }) => site ?? []))).toEqual(new Set(["here", "west", "east"]));
    // One group empty: the other has all of it.
    for (const { id, state } of items) {
      if (id.startsWith("many") && state === "WAITING")
        await broker.brokerApi.ask({ kind: "cancel", job: id });
    }
    const after = (await samplesOver(broker, 8)).slice(5);
    expect(meanOf(after, "few")).toBeGreaterThan(15);
    expect(warnings).toEqual([]);
    await broker.stop();
  });

  it.each([7, 31, 64])(
    "BR-1 EN-4 dies at step %i of placing jobs, restarts: none is lost, none sent twice",
    async (atStep) => {
      const there = world();
      const before = await organisation(there, { extraPpm: 0 });
      await before.stop();
      const death = dying(atStep);
      const mortal = await start({ ...there, over: death.over, at: death.at });
      void submit(mortal, "few", 30)
        .then(() => submit(mortal, "many", 30))
        .catch(() => undefined);
      await pass(8000);
      const broker = await start(there);
      const known = (await broker.brokerApi.jobs({ limit: 1000 })).items.map(({ id }) => id);
      await submit(broker, "few", 30);
      await submit(broker, "many", 30);
      await samplesOver(broker, 26);
      const { items } = await broker.brokerApi.jobs({ limit: 1000 });
      expect(items).toHaveLength(60);
      expect(items.filter(({ state }) => state !== "DONE")).toEqual([]);
      expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining(known));
      const ends: string[] = [];
      for await (const { kind, body } of logbook.events(1)) {
        if (kind === "attemptEnded") ends.push(String(body.job));
      }
      expect(ends.toSorted()).toEqual(items.map(({ id }) => id).toSorted());
      const [vo] = broker.brokerApi.query("vos");
      expect(vo).toMatchObject({ vo: "vo", enforcement: { extraPpm: 0 }, by: "boss" });
      expect(Object.keys(vo.sentAtMs).toSorted()).toEqual(["east", "here", "west"]);
      await broker.stop();
      expect(await compareViews({ logbook, schemas: VIEWS, project: projectLog() })).toEqual([]);
      death.live();
    },
  );

  it("EN-4 scores and selections survive a restart; BR-18 a question counts as neither", async () => {
    const there = world();
    const before = await organisation(there, null);
    await before.brokerApi.ask({
      kind: "changeVo",
      vo: "vo",
      selector: "roundRobin",
      enforcement: null,
      by: "b",
    });
    await submit(before, "few", 9);
    await pass(40_000);
    const asked = async (broker: Broker) => {
      const job = { procs: 2, memoryBytes: 0, gpus: 0, limitMs: MINUTE, queue: null };
      const whose = { owner: "u", consumer: "vo/few/u", deadlineMs: null };
      const { seq } = await logbook.head();
      const found = await broker.brokerApi.assess({ job, ...whose });
      expect((await logbook.head()).seq).toBe(seq);
      return found.map(({ site, choice }) => ({ site, score: choice?.row.score, taken: choice?.isChosen }));
    };
    const rows = await asked(before);
    expect(rows.map(({ score }) => score)).toEqual([
      { kept: 3, missed: 0 },
      { kept: 3, missed: 0 },
      { kept: 3, missed: 0 },
    ]);
    expect(rows.filter(({ taken }) => taken)).toHaveLength(1);
    expect(await asked(before)).toEqual(rows);
    await before.stop();
    const broker = await start(there);
    await pass(3000);
    expect(await asked(broker)).toEqual(rows);
    await broker.stop();
  });
});
