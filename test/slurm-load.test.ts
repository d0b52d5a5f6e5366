/** A batch system and a broker that are killed under load: every job ends once, and none runs twice. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../src/api/client/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { endsIn } from "./logged-ends.ts";
import { hasSlurm, howToInstallSlurm } from "./slurm-clusters.ts";
import { type OwnCluster, ownCluster } from "./slurm-daemons.ts";
import { temporaryFolder } from "./stint.ts";

const JOBS = 60;
/**
 * What an operator does: a controller that was killed does not know of the last jobs that it started, starts
 * them again, and drains their nodes ("Duplicate jobid").
 */
const RESUME = ["scontrol", "update", "NodeName=ln1,ln2", "State=RESUME"] as const;
/** Those whose start was on the way when their controller was killed take its patience, half a minute. */
const END_LIMIT_MS = 200_000;
const TIME_LIMIT_MS = 400_000;
const SAVED_AFTER_MS = 7000;

describe.skipIf(!hasSlurm)(`killed under load${howToInstallSlurm}`, { timeout: TIME_LIMIT_MS }, () => {
  const folder = temporaryFolder();
  const tally = join(folder, "tally");
  const state = join(folder, "state");
  const configuration = join(folder, "stint.yaml");
  let cluster: OwnCluster;
  let operator: NodeJS.Timeout;
  const brokers: LiveBroker[] = [];
  afterAll(async () => {
    clearInterval(operator);
    for (const broker of brokers) if (broker.isUp()) await broker.end("SIGKILL");
  });

  beforeAll(async () => {
    cluster = await ownCluster("L", 2, { SlurmdTimeout: "20", KillWait: "2" });
    mkdirSync(join(folder, "jobs"));
    const site = [
      "  - name: cluster",
      "    type: slurm",
      "    readOnly: false",
      `    slurmConf: ${cluster.environment.SLURM_CONF}`,
      `    submitDirectory: ${join(folder, "jobs")}`,
      "    pollsPerMinute: 120",
    ];
    writeFileSync(configuration, `${["sites:", ...site].join("\n")}\n`);
  });

  const up = () => startLiveBroker(state, ["--config", configuration]);
  const clientOf = () => createClient({ socketPath: join(state, "stint.sock") });
  const lines = (): string[] => (existsSync(tally) ? readFileSync(tally, "utf8").trim().split("\n") : []);
  const program = 'echo "begin $STINT_JOB $$" >> "$0"; sleep 2; echo "end $STINT_JOB $$" >> "$0"';

  it("SU-9 BR-1 BR-8 BR-9 BR-11 controller, node, broker: each job ends once, none twice", async () => {
    operator = setInterval(() => void cluster.slurm(...RESUME), 1000);
    let broker = await up();
    brokers.push(broker);
    const job = { executable: "sh", arguments: ["-c", program, tally], wallTimeSec: 60 };
    const ids = await clientOf().submit(Array.from({ length: JOBS }, () => job));
    const areOver = async (): Promise<boolean> => {
      const jobs = await Promise.all(ids.map((id) => clientOf().job(id)));
      return jobs.every(({ endedAt }) => endedAt !== null);
    };
    const begun = async (count: number): Promise<void> => {
      while (lines().length < count && !(await areOver())) await delay(200);
    };
    await begun(4);
    // A controller saves its queue every few seconds: killed before, it forgets all that it was given.
    await delay(SAVED_AFTER_MS);
    await cluster.signal("slurmctld", "SIGKILL");
    await delay(1000);
    await cluster.start("slurmctld");
    await begun(20);
    await cluster.signal("slurmd:ln1", "SIGKILL");
    await broker.end("SIGKILL");
    await delay(1000);
    await cluster.start("slurmd:ln1");
    broker = await up();
    brokers.push(broker);
    await begun(50);
    await cluster.signal("slurmctld", "SIGKILL");
    await delay(1000);
    await cluster.start("slurmctld");
    const client = clientOf();
    const notEnded = async (): Promise<readonly string[]> => {
      const jobs = await Promise.all(ids.map((id) => client.job(id)));
      return jobs.filter(({ endedAt }) => endedAt === null).map((job) => JSON.stringify(job));
    };
    await expect.poll(notEnded, { timeout: END_LIMIT_MS, interval: 1000 }).toEqual([]);
    await broker.end("SIGTERM");

    const ends = await endsIn(state);
    expect(ids.filter((id) => ends.get(id) !== 1)).toEqual([]);
    const count = (what: string, id: string): number =>
      lines().filter((line) => line.startsWith(`${what} ${id} `)).length;
    expect(ids.filter((id) => count("begin", id) > 1 || count("end", id) > 1)).toEqual([]);
    // What a controller forgot within seconds of its submission is lost, and says so; it is never most.
    expect(ids.filter((id) => count("end", id) === 1).length).toBeGreaterThan(JOBS / 2);
  });
});
