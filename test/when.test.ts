/** `stint when` as people run it: before there is a record, and after. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ProspectView } from "../src/api/client/index.ts";
import { startLiveBroker } from "./live-broker.ts";
import { type LiveSetting, liveSetting } from "./live-setting.ts";
import {
  asUser,
  clusterUp,
  hasSlurm,
  howToInstallSlurm,
  runCommand,
  type TestCluster,
} from "./slurm-clusters.ts";
import { stint, temporaryFolder } from "./stint.ts";

const LOOK_EVERY_MS = 400;

/** So many jobs of a fifth of a second, submitted at once; resolves when all are over. */
async function runJobs({ folder, ask, untilIdle }: LiveSetting, count: number): Promise<void> {
  const job = [
    "executable: x",
    "wallTime: 10m",
    "site: far",
    "environment: { STINT_IMITATED_RUNTIME: 200ms }",
  ].join("\n");
  const file = join(folder, "many.yaml");
  writeFileSync(file, Array.from({ length: count }, () => `${job}\n`).join("---\n"));
  const { code, err } = ask("submit", "-o", "name", file);
  expect(err).toBe("");
  expect(code).toBe(0);
  await untilIdle();
}

describe("at a simulated site", () => {
  const setting = liveSetting(["  - { name: far, type: simulated, procs: 8, jobs: imitate }"]);
  const { ask } = setting;
  const items = (...words: readonly string[]): readonly ProspectView[] =>
    JSON.parse(ask("when", ...words, "-o", "json").out).items;

  it("tells the schedule without a record; of a job that would never start it tells why", async () => {
    while (items()[0]?.fits !== true) await setTimeout(LOOK_EVERY_MS);
    const { out, code } = ask("when", "-n", "2", "-t", "1h");
    expect(code).toBe(0);
    expect(out).toMatch(/^far +0s +- +- .*schedule +no record yet$/m);
    expect(out).toMatch(
      /at far it starts at once if every job .* \(no record yet: 20 such forecasts are needed/,
    );
    expect(ask("when", "-n", "9").out).toContain("far would never start it: it has 8 processors");
    expect(ask("when", "--site", "nowhere").code).toBe(5);
  });

  it("BR-16 predicts with probabilities once its past gives a record, also after a restart", async () => {
    for (let batch = 0; batch < 4; batch++) await runJobs(setting, 15);
    await setting.end("SIGTERM");
    await setting.up();
    while (items("-t", "10m")[0]?.forecast === null) await setTimeout(LOOK_EVERY_MS);
    const [far] = items("-t", "10m", "--deadline", "1h");
    expect(far).toMatchObject({ site: "far", fits: true, noRecord: null, takesJobs: true });
    expect(far?.forecast?.promises.length).toBeGreaterThan(0);
    for (const { promises } of far?.forecast?.score.kept ?? []) expect(promises).toBeGreaterThanOrEqual(20);
    expect(far?.learnt?.past).toBe(60);
    expect(far?.probabilityByDeadline).toBeGreaterThan(0);
    const { out } = ask("when", "-t", "10m");
    expect(out).toMatch(
      /^at far it starts within .*; of the last \d+ such promises here \d+(\.\d)? % were kept/m,
    );
  });
});

describe("at a managed site", () => {
  const setting = liveSetting(["  - { name: local, type: managed, procs: 4 }"]);
  const { ask, submit, until } = setting;
  const sleeper = (procs: number, limit: string, site = "local") =>
    submit("executable: sleep", "arguments: 600", `procs: ${procs}`, `wallTime: ${limit}`, `site: ${site}`);

  it("says from the first minute what the queue then plans, to the second", async () => {
    const ids = [sleeper(2, "10m")];
    await until(ids[0], "RUNNING");
    ids.push(sleeper(4, "5m"));
    await until(ids[1], "SCHEDULED");
    // Two processors are free; ten minutes would end before the wide job's start but for its last moments.
    for (const limit of ["10m", "5m"]) {
      const [local] = JSON.parse(ask("when", "-n", "2", "-t", limit, "-o", "json").out)
        .items as ProspectView[];
      expect(local.forecast).toBeNull();
      const id = sleeper(2, limit);
      ids.push(id);
      const saidMs = Date.parse(local.noRecord?.scheduled?.startAt ?? "");
      const { predictedStartAt } = JSON.parse(ask("why", id, "-o", "json").out);
      if (limit === "10m") expect(Math.abs(saidMs - Date.parse(predictedStartAt))).toBeLessThan(5000);
      const isNow = saidMs < Date.now() + 1000;
      expect(isNow).toBe(limit === "5m");
    }
    ask("cancel", ...ids);
    for (const id of ids) await until(id, "CANCELLED");
  });
});

describe.skipIf(!hasSlurm)(`at a cluster under Slurm${howToInstallSlurm}`, () => {
  /** Jobs of a second of one processor, on 32 of them; resolves when they are over. */
  async function crowd(cluster: TestCluster, count: number): Promise<void> {
    const words = ["-n", "1", "-t", "1", "-J", "when", "-o", "/dev/null", "--wrap", "sleep 1"];
    const sent = await asUser("stint-alice", ["sbatch", `--array=1-${count}`, ...words], cluster);
    expect(sent.err).toBe("");
    const left = () => runCommand(["squeue", "-h", "-r", "-n", "when"], cluster.environment);
    while ((await left()).out !== "") await setTimeout(500);
  }

  /** The accounting hears of ends later than the queue. */
  async function remembered(cluster: TestCluster, count: number): Promise<void> {
    const said = ["sacct", "-naXP", "-S", "now-1hours", "--name=when", "-o", "State"];
    const heard = async () => (await runCommand(said, cluster.environment)).out.split("COMPLETED").length - 1;
    while ((await heard()) < count) await setTimeout(500);
  }

  it("BR-16 has a score in the first minute, from the cluster's accounting", async () => {
    const cluster = await clusterUp("W");
    for (let batch = 0; batch < 3; batch++) await crowd(cluster, 40);
    await remembered(cluster, 120);
    const folder = temporaryFolder();
    const broker = await startLiveBroker(join(folder, "state"), []);
    const ask = (...words: readonly string[]) => stint(words, folder, broker.environment);
    const items = (...words: readonly string[]): readonly ProspectView[] =>
      JSON.parse(ask("when", ...words, "-o", "json").out).items;
    const conf = cluster.environment.SLURM_CONF;
    const added = ask("site", "add", "alpha", "--type", "slurm", "--slurm-conf", conf);
    expect(added.err).toBe("");
    const alpha = (): ProspectView | undefined => items("-t", "1m").find(({ site }) => site === "alpha");
    while ((alpha()?.forecast ?? null) === null) await setTimeout(500);
    expect(alpha()).toMatchObject({ site: "alpha", fits: true, takesJobs: false, noRecord: null });
    // The accounting is read in parts.
    await expect.poll(() => alpha()?.learnt?.past, { timeout: 200_000 }).toBeGreaterThanOrEqual(120);
    // Others use the cluster too: by schedule nothing is said while it shows a queue that cannot be played.
    const methods = () => {
      const now = alpha();
      return [now?.forecast?.method, ...(now?.otherMethods ?? []).map(({ method }) => method)];
    };
    const both = expect.arrayContaining(["schedule", "history"]);
    await expect.poll(methods, { timeout: 200_000, interval: 1000 }).toEqual(both);
    expect(ask("when", "-n", "1000").out).toMatch(/^alpha would never start it: partition /m);
    await broker.end("SIGTERM");
  }, 900_000);
});
