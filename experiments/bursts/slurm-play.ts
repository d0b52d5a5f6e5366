/**
 * One play on a real cluster: people submit past Stint, a broker of its own process enforces, and the
 * cluster's own commands tell what happened.
 */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TruthCluster } from "../truth/clusters.ts";
import { slurm } from "../truth/clusters.ts";
import { givenOrders, type RecordedAction } from "./given-orders.ts";
import type { QueueSample } from "./owed.ts";
import { PEOPLE, type Play, PROCS, policyFile } from "./scenario.ts";
import { accountedProcSec, watchQueue } from "./watch-queue.ts";

/** What a play left. */
export interface Played {
  readonly play: Play;
  readonly samples: readonly QueueSample[];
  readonly jobs: number;
  /** Orders that took something from a job or gave it back, by the broker's record. */
  readonly orders: number;
  readonly usedProcSec: ReadonlyMap<string, number>;
}

/** Looks a minute that the site allows the enforcer. */
export const LOOKS_PER_MINUTE = 30;
const SITE = "east";
const READY = /ready/;
const MOST_ACTIONS = "10000";
const stintFile = resolve(import.meta.dirname, "../../bin/stint.js");

/** Plays it for so long. @param enforced whether there is a broker; without, it shows what nobody keeps */
export async function playOnSlurm(
  play: Play,
  cluster: TruthCluster,
  { folder, lengthMs, enforced }: { folder: string; lengthMs: number; enforced: boolean },
): Promise<Played> {
  const home = join(folder, `${play.name}-broker`);
  mkdirSync(home);
  const broker = enforced ? await startBroker(play, cluster, home) : undefined;
  try {
    const beginsAtMs = Date.now();
    const [samples, jobs] = await Promise.all([
      watchQueue(cluster.slurmConf, beginsAtMs, lengthMs),
      submitBatches(play, cluster, { beginsAtMs, lengthMs }),
    ]);
    const orders = broker === undefined ? 0 : await broker.ordersGiven();
    return { play, samples, jobs, orders, usedProcSec: await accountedProcSec(cluster.slurmConf) };
  } finally {
    await broker?.stop();
  }
}

async function submitBatches(
  { batches, runSec }: Play,
  { slurmConf }: TruthCluster,
  { beginsAtMs, lengthMs }: { beginsAtMs: number; lengthMs: number },
): Promise<number> {
  let submitted = 0;
  for (const { atSec, ...counts } of batches) {
    if (atSec * 1000 >= lengthMs) break;
    await delay(Math.max(0, beginsAtMs + atSec * 1000 - Date.now()));
    for (const account of ["physics", "biology"] as const) {
      const people = PEOPLE.filter((one) => one.account === account);
      for (let n = 0; n < counts[account]; n++) {
        const { user } = people[n % people.length] ?? people[0];
        const become = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--init-groups"] as const;
        const words = ["sbatch", "--parsable", "-A", account, "-n1", "-t", "2", "-o", "/dev/null", "-D", "/"];
        await slurm(slurmConf, ...become, ...words, "--wrap", `exec sleep ${runSec}`);
        submitted++;
      }
    }
  }
  return submitted;
}

async function startBroker(play: Play, { slurmConf }: TruthCluster, home: string) {
  const config = join(home, "stint.yaml");
  const policies = join(home, "east.policy.yaml");
  writeFileSync(policies, policyFile(play, SITE));
  writeFileSync(
    config,
    `sites:\n  - name: ${SITE}\n    type: slurm\n    slurmConf: ${slurmConf}\n    procs: ${PROCS}\n` +
      `    pollsPerMinute: ${LOOKS_PER_MINUTE}\n` +
      `    enforcement: { grant: [${play.grant.join(", ")}], minRun: ${play.minRunSec}s, ` +
      "suspendedShare: 1 }\n",
  );
  const env = { ...process.env, STINT_STATE_DIR: join(home, "state"), STINT_CONFIG: config, NO_COLOR: "1" };
  const broker = spawn(process.execPath, [stintFile, "up", "--port", "0"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = new Promise<void>((done) => broker.once("exit", () => done()));
  await new Promise<void>((done, fail) => {
    let said = "";
    broker.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (READY.test(said)) done();
    });
    broker.once("exit", () => fail(new Error(`the broker of ${play.name} ended: ${said}`)));
  });
  const stint = (...words: readonly string[]) => runStint(words, env);
  await stint("policy", "apply", policies);
  return {
    async ordersGiven(): Promise<number> {
      const list: { items: RecordedAction[] } = JSON.parse(
        await stint("policy", "actions", "-n", MOST_ACTIONS, "-o", "json"),
      );
      return givenOrders(list.items.reverse());
    },
    async stop(): Promise<void> {
      broker.kill("SIGTERM");
      await gone;
    },
  };
}

function runStint(words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [stintFile, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    child.once("close", (code) =>
      code === 0 ? done(out) : fail(new Error(`stint ${words.join(" ")}: ${err}`)),
    );
  });
}
