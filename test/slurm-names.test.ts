/**
 * Jobs at a real cluster under the names that their users gave, and how the broker knows them again.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type StintClient } from "../src/api/client/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { endsIn } from "./logged-ends.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand, type TestCluster } from "./slurm-clusters.ts";
import { stintFile } from "./stint.ts";

const SECOND = 1000;
const POLL = { timeout: 300 * SECOND, interval: 300 };

describe.skipIf(!hasSlurm)(`names at a real cluster${howToInstallSlurm}`, { timeout: 180 * SECOND }, () => {
  let cluster: TestCluster;
  let folder: string;
  let broker: LiveBroker | undefined;
  let client: StintClient;
  const state = () => join(folder, "state");

  beforeAll(async () => {
    cluster = await clusterUp("A");
    folder = mkdtempSync("/tmp/stint-n-");
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "jobs"));
    mkdirSync(state(), { mode: 0o700 });
    const { SLURM_CONF } = cluster.environment;
    const site = ["name: cluster", "type: slurm", "readOnly: false", `slurmConf: ${SLURM_CONF}`];
    const more = [`submitDirectory: ${join(folder, "jobs")}`, "pollsPerMinute: 120"];
    const lines = [...site, ...more].map((line, at) => `${at === 0 ? "  - " : "    "}${line}`);
    writeFileSync(join(folder, "stint.yaml"), `sites:\n${lines.join("\n")}\n`);
    await begin();
  }, 120 * SECOND);
  afterAll(async () => {
    client?.close();
    if (broker?.isUp()) await broker.end("SIGKILL");
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const begin = async (): Promise<void> => {
    broker = await startLiveBroker(state(), ["--no-tcp", "--config", join(folder, "stint.yaml")]);
    client?.close();
    client = createClient({ socketPath: join(state(), "stint.sock") });
  };
  const stint = async (...words: readonly string[]): Promise<string> => {
    const { out } = await runCommand([process.execPath, stintFile, ...words], broker?.environment ?? {});
    return out.trim();
  };
  const slurm = async (...words: readonly string[]): Promise<string> =>
    (await runCommand(words, cluster.environment)).out.trim();
  const shown = (id: string) => client.job(id);
  const stateOf = async (id: string): Promise<string> => (await shown(id)).state;
  const running = async (...words: readonly string[]) => {
    const id = await stint("submit", ...words);
    await expect.poll(() => stateOf(id), POLL).toBe("RUNNING");
    return { id, siteJob: `${(await shown(id)).siteJob}` };
  };

  it("SU-7 squeue shows the name that was given, or the program's, and finds the job by it", async () => {
    const named = await running("--name", "night run, 3", "--", "sleep", "300");
    const plain = await running("--", "/bin/sleep", "300");
    const names = (...words: readonly string[]) => slurm("squeue", "-h", "-o", "%i %j", ...words);
    expect(await names(`--jobs=${named.siteJob}`)).toBe(`${named.siteJob} night_run__3`);
    expect(await names("--name=night_run__3")).toBe(`${named.siteJob} night_run__3`);
    expect(await names(`--jobs=${plain.siteJob}`)).toBe(`${plain.siteJob} sleep`);
    await stint("cancel", named.id, plain.id);
    await expect.poll(() => stateOf(named.id), POLL).toBe("CANCELLED");
    await expect.poll(() => stateOf(plain.id), POLL).toBe("CANCELLED");
  });

  it.each([
    ["the mark in its name, as of an older version", true],
    ["another comment, as a plugin of the cluster may write", false],
  ])("SU-7 a running job with %s is known after a restart, and has one end", async (_, isOlder) => {
    const { id, siteJob } = await running("--name", "mine", "--", "sleep", "300");
    const ending = await running("--name", "short", "--", "sh", "-c", "sleep 8; exit 3");
    await broker?.end("SIGKILL");
    const mark = readFileSync(join(state(), "sites", "cluster", "mark"), "utf8");
    for (const job of [{ id, siteJob }, ending]) {
      const change = isOlder ? [`JobName=stint:${mark}:${job.id}/1`, "Comment="] : ["Comment=of the site"];
      await slurm("scontrol", "update", `JobId=${job.siteJob}`, ...change);
    }
    await begin();
    await expect.poll(() => stateOf(ending.id), POLL).toBe("DONE");
    expect(await shown(ending.id)).toMatchObject({ exitCode: 3 });
    expect(await stateOf(id)).toBe("RUNNING");
    await stint("cancel", id);
    await expect.poll(() => stateOf(id), POLL).toBe("CANCELLED");
    expect(await slurm("squeue", "-h", "-t", "running,pending", `--jobs=${siteJob}`)).toBe("");
    await broker?.end("SIGTERM");
    const ends = await endsIn(state());
    expect([ends.get(id), ends.get(ending.id)]).toEqual([1, 1]);
    await begin();
  });
});
