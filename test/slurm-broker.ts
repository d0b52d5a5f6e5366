/**
 * A broker in this process over a real cluster of Slurm, and what a test asks of it.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Broker, sandboxesIn, startBroker, systemClock } from "../src/broker/index.ts";
import { siteOpener } from "../src/main/open-site.ts";
import { JOB_DEFAULTS, type JobDescription, type JobRecord, type SlurmSiteSpec } from "../src/model/index.ts";
import { VIEWS } from "../src/runtime/index.ts";
import { createMemoryLogbook } from "../src/store/index.ts";
import { slurmSpec } from "./conformance/slurm-harness.ts";
import type { TestCluster } from "./slurm-clusters.ts";

const SITE = "cluster";
const LOOK_EVERY_MS = 100;
/** Often enough for a test, and seldom enough for a machine that also plays the nodes. */
const POLLS_PER_MINUTE = 150;

/** A broker with one site, `cluster`. */
export interface SlurmBroker {
  readonly folder: string;
  /** What its log was told. */
  readonly warnings: readonly string[];
  /** Submits a line of shell; the id is its name. */
  submit(id: string, line: string, more?: Partial<JobDescription>): Promise<void>;
  ask(kind: "cancel" | "suspend" | "resume", job: string): Promise<void>;
  job(id: string): Promise<JobRecord>;
  /** What it wrote to its standard output. */
  output(id: string): Promise<string>;
  /** The job when it is in one of these states. */
  until(id: string, ...states: readonly JobRecord["state"][]): Promise<JobRecord>;
  /** What keeps the site from being reached, once that is so, or null, once nothing does. */
  troubled(isTroubled: boolean): Promise<string | null>;
  stop(): Promise<void>;
}

/** Starts it, its files in a folder of its own, and waits until the cluster was seen. */
export async function slurmBroker(
  cluster: TestCluster,
  more: Partial<SlurmSiteSpec> = {},
): Promise<SlurmBroker> {
  const folder = mkdtempSync("/tmp/stint-slurm-broker-");
  const jobs = join(folder, "jobs");
  mkdirSync(jobs);
  const warnings: string[] = [];
  const broker = await startBroker({
    logbook: createMemoryLogbook(VIEWS),
    openSite: siteOpener(folder),
    clock: systemClock,
    sandboxes: sandboxesIn(join(folder, "sandboxes")),
    warn: (message) => warnings.push(message),
    onBroken: (error) => warnings.push(`broken: ${String(error)}`),
  });
  const spec = { ...slurmSpec(cluster, jobs), pollsPerMinute: POLLS_PER_MINUTE, ...more };
  must(await broker.door.ask({ kind: "addSite", site: SITE, spec }));
  return { ...questionsTo(broker), folder, warnings, stop: () => stopped(broker, folder) };
}

function questionsTo({ door }: Broker): Omit<SlurmBroker, "folder" | "warnings" | "stop"> {
  const job = async (id: string): Promise<JobRecord> => {
    const found = await door.job(id);
    if (found === undefined) throw new Error(`there is no job ${id}`);
    return found;
  };
  return {
    job,
    async submit(id, line, more = {}) {
      const description = { ...JOB_DEFAULTS, executable: "sh", arguments: ["-c", line], ...more };
      must(await door.ask({ kind: "submit", job: id, description, consumer: "vo/user", owner: "u" }));
    },
    async ask(kind, id) {
      must(await door.ask({ kind, job: id }));
    },
    async until(id, ...states) {
      for (;;) {
        const record = await job(id);
        if (states.includes(record.state)) return record;
        await delay(LOOK_EVERY_MS);
      }
    },
    async output(id) {
      const { stdOutput: name } = (await job(id)).description;
      const part = await door.readFile(id, { name, fromByte: 0, maxBytes: 1 << 20 });
      return Buffer.from(part?.bytes ?? []).toString("utf8");
    },
    async troubled(isTroubled) {
      for (;;) {
        const [{ trouble, seenAtMs }] = door.sites();
        if ((trouble !== null) === isTroubled && seenAtMs !== null) return trouble;
        await delay(LOOK_EVERY_MS);
      }
    },
  };
}

async function stopped(broker: Broker, folder: string): Promise<void> {
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
}

function must(answer: { readonly ok: boolean }): void {
  if (!answer.ok) throw new Error(JSON.stringify(answer));
}
