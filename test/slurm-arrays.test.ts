/**
 * An array of jobs at a real cluster of Slurm: few submissions, each element with an output and an exit code
 * of its own, and nothing twice where the broker is killed in between.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type StintClient } from "../src/api/client/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand, type TestCluster } from "./slurm-clusters.ts";
import { stintFile } from "./stint.ts";

const SECOND = 1000;
const POLL = { timeout: 300 * SECOND, interval: 300 };
const ELEMENTS = Number(process.env.STINT_ARRAY_ELEMENTS ?? 100);

describe.skipIf(!hasSlurm)(`arrays at a real cluster${howToInstallSlurm}`, { timeout: 180 * SECOND }, () => {
  let cluster: TestCluster;
  let folder: string;
  let broker: LiveBroker | undefined;
  let client: StintClient;
  const state = () => join(folder, "state");

  beforeAll(async () => {
    cluster = await clusterUp("A");
    folder = mkdtempSync("/tmp/stint-arrays-");
    chmodSync(folder, 0o755);
    for (const name of ["jobs", "began"]) mkdirSync(join(folder, name));
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
  /** The submissions of this test in the queue, which others have jobs in. */
  const arrays = async (): Promise<readonly string[]> => {
    const words = ["squeue", "-h", "-t", "all", "-o", "%F %Z"];
    const rows = (await runCommand(words, cluster.environment)).out.split("\n").map((row) => row.split(" "));
    return [...new Set(rows.flatMap(([id = "", directory]) => (directory?.startsWith(folder) ? [id] : [])))];
  };

  it("SU-50 few submissions, each element by itself, nothing twice after a killed broker", async () => {
    const input = join(folder, "input.txt");
    writeFileSync(input, "whole\n");
    const check = "grep -q whole input.txt || exit 9";
    const line = `${check}; echo \${i}; echo >> ${folder}/began/\${i}; exit $((\${i} % 7 == 3))`;
    const file = join(folder, "sweep.yaml");
    const sweep = `sweep:\n  parameters:\n    i: { from: 0, to: ${ELEMENTS - 1} }\n`;
    const program = `executable: sh\narguments: [-c, ${JSON.stringify(line)}]\ninputSandbox: [${input}]\n`;
    writeFileSync(file, `${program}wallTime: 5m\n${sweep}`);
    const id = await stint("submit", file);
    await expect.poll(async () => (await arrays()).length, POLL).toBeGreaterThan(0);
    const found = await runCommand(["find", join(folder, "jobs"), "-path", "*_inputs/*", "-type", "f"], {});
    const copies = found.out.trim().split("\n");
    await broker?.end("SIGKILL");
    await begin();
    const ended = async () => (await client.array(id)).states.DONE;
    await expect.poll(ended, POLL).toBe(ELEMENTS);
    // SU-52: the input was sent once, and goes when the last element is over.
    expect(copies).toEqual([join(folder, "jobs", `${id}_inputs`, "work", "input.txt")]);
    await expect.poll(() => existsSync(join(folder, "jobs", `${id}_inputs`)), POLL).toBe(false);
    expect((await arrays()).length).toBeLessThanOrEqual(ELEMENTS <= 1000 ? 2 : 20);
    const began = Array.from({ length: ELEMENTS }, (_, at) =>
      readFileSync(join(folder, "began", `${at}`), "utf8"),
    );
    expect(began.every((text) => text === "\n")).toBe(true);
    expect(JSON.parse(await stint("status", `${id}-3`, "-o", "json"))).toMatchObject({ exitCode: 1 });
    expect(JSON.parse(await stint("status", `${id}-4`, "-o", "json"))).toMatchObject({ exitCode: 0 });
    expect(await stint("logs", `${id}-${ELEMENTS - 1}`)).toBe(`${ELEMENTS - 1}`);
    const { failed } = JSON.parse(await stint("status", id, "-o", "json"));
    expect(failed).toBe(Array.from({ length: ELEMENTS }, (_, at) => at).filter((at) => at % 7 === 3).length);
  });

  it("SU-50 one element is cancelled, the others run on", async () => {
    const file = join(folder, "waiting.yaml");
    const text = "executable: sleep\narguments: ['4']\nwallTime: 5m\narray: 0-3\n";
    writeFileSync(file, text);
    const id = await stint("submit", file);
    const siteJob = async () => (await client.job(`${id}-2`)).siteJob;
    await expect.poll(siteJob, POLL).toMatch(/^\d+_2$/);
    await stint("cancel", `${id}-2`);
    const states = async () => (await client.array(id)).states;
    await expect.poll(states, POLL).toMatchObject({ DONE: 3, CANCELLED: 1 });
  });
});
