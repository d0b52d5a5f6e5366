/** The guide for administrators, at a real cluster with a job that runs and one that waits. */
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandsOf } from "./guide-commands.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand, type TestCluster } from "./slurm-clusters.ts";
import { temporaryFolder } from "./stint.ts";

const page = "docs/guides/administrators.md";
const bin = resolve(import.meta.dirname, "../bin/stint.js");

describe.skipIf(!hasSlurm)(`what ${page} shows is what happens${howToInstallSlurm}`, () => {
  const folder = temporaryFolder();
  const waiting: string[] = [];
  let cluster: TestCluster;
  let broker: LiveBroker;

  beforeAll(async () => {
    cluster = await clusterUp("A");
    const submit = ["sbatch", "--parsable", "-o", "/dev/null", "-t", "10", "--exclusive", "-N4"];
    for (const line of ["sleep 300", "true"]) {
      waiting.push((await runCommand([...submit, "--wrap", line], cluster.environment)).out.trim());
    }
    broker = await startLiveBroker(folder, [], cluster.environment);
  });
  afterAll(async () => {
    if (!hasSlurm) return;
    await broker?.end("SIGTERM");
    await runCommand(["scancel", ...waiting], cluster.environment);
  });

  it.each(commandsOf(page))("$command", async ({ command, output }) => {
    const words = command.replace(/\bnpx stint\b/g, `"${process.execPath}" "${bin}"`);
    const environment = { ...broker.environment, ...cluster.environment, NO_COLOR: "1" };
    const { code, out, err } = await runCommand(["sh", "-c", words], environment);
    expect(code, err).toBe(0);
    expect(out.slice(0, output.length)).toBe(output);
  });
});
