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
import { runCommand, type TestCluster } from "./slurm-clusters.ts";

const SITE = "cluster";
const LOOK_EVERY_MS = 100;
/** Longer than any fault of a test lasts, and shorter than its test: so a hang says what hangs. */
const PATIENCE_MS = 300_000;
/** Often enough for a test, and seldom enough for a machine that also plays the nodes. */
const POLLS_PER_MINUTE = 150;

/** A broker with one site, `cluster`. */
export interface SlurmBroker {
  readonly folder: string;
  readonly brokerApi: Broker["brokerApi"];
  /** Warnings of the broker's log. */
  readonly warnings: readonly string[];
  /** Submits a line of shell; a name given again, by a test tried again, is another job from then on. */
  submit(id: string, line: string, more?: Partial<JobDescription>): Promise<void>;
  ask(kind: "cancel" | "hold" | "release" | "suspend" | "resume", job: string): Promise<void>;
  job(id: string): Promise<JobRecord>;
  /** Standard output of the job. */
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
    openSite: siteOpener(folder, systemClock),
    clock: systemClock,
    sandboxes: sandboxesIn(join(folder, "sandboxes")),
    warn: (message) => warnings.push(message),
    onBroken: (error) => warnings.push(`broken: ${String(error)}`),
  });
  const spec = { ...slurmSpec(cluster, jobs), pollsPerMinute: POLLS_PER_MINUTE, ...more };
  must(await broker.brokerApi.ask({ kind: "addSite", site: SITE, spec }));
  const { brokerApi } = broker;
  const patience = patienceWith(cluster, () => ({ site: brokerApi.sites()[0], warnings }));
  return {
    ...questionsTo(broker, patience),
    folder,
    brokerApi,
    warnings,
    stop: () => stopped(broker, folder),
  };
}

/** Asks again and again until there is an answer; told of what was waited for should it never come. */
type Patience = <T>(ask: () => Promise<T | undefined>, awaited: () => Promise<unknown>) => Promise<T>;

function patienceWith(cluster: TestCluster, facts: () => unknown): Patience {
  return async (ask, awaited) => {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      if (performance.now() > endMs) {
        const seen = ["squeue -l", "sinfo -Nl", "scontrol ping"].map(async (command) => {
          const { out, err } = await runCommand(command.split(" "), cluster.environment);
          return `${command}:\n${out}${err}`;
        });
        const told = JSON.stringify({ awaited: await awaited(), facts: facts() }, null, 1);
        throw new Error(`waited too long: ${told}\n${(await Promise.all(seen)).join("\n")}`);
      }
      await delay(LOOK_EVERY_MS);
    }
  };
}

function questionsTo(
  { brokerApi }: Broker,
  patience: Patience,
): Omit<SlurmBroker, "folder" | "brokerApi" | "warnings" | "stop"> {
  const times = new Map<string, number>();
  const idOf = (name: string): string => {
    const time = times.get(name) ?? 1;
    return time === 1 ? name : `${name}-${time}`;
  };
  const job = async (name: string): Promise<JobRecord> => {
    const found = await brokerApi.job(idOf(name));
    if (found === undefined) throw new Error(`there is no job ${idOf(name)}`);
    return found;
  };
  return {
    job,
    async submit(name, line, more = {}) {
      times.set(name, (times.get(name) ?? 0) + 1);
      const description = { ...JOB_DEFAULTS, executable: "sh", arguments: ["-c", line], ...more };
      const consumer = "vo/user";
      must(await brokerApi.ask({ kind: "submit", job: idOf(name), description, consumer, owner: "u" }));
    },
    async ask(kind, name) {
      must(await brokerApi.ask({ kind, job: idOf(name) }));
    },
    until(name, ...states) {
      const awaited = async (): Promise<JobRecord | undefined> => {
        const record = await job(name);
        return states.includes(record.state) ? record : undefined;
      };
      return patience(awaited, async () => ({ states, job: await job(name) }));
    },
    async output(name) {
      const { id, description } = await job(name);
      const part = await brokerApi.readFile(id, {
        name: description.stdOutput,
        fromByte: 0,
        maxBytes: 1 << 20,
      });
      return Buffer.from(part?.bytes ?? []).toString("utf8");
    },
    async troubled(isTroubled) {
      const awaited = async (): Promise<{ readonly trouble: string | null } | undefined> => {
        const [{ trouble, seenAtMs }] = brokerApi.sites();
        return (trouble !== null) === isTroubled && seenAtMs !== null ? { trouble } : undefined;
      };
      return (await patience(awaited, async () => ({ isTroubled }))).trouble;
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
