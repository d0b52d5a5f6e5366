/** The guide for administrators, at a real cluster with a job that runs and one that waits. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandsOf, matchedPart, STINT_ON_PATH } from "./guide-commands.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand, type TestCluster } from "./slurm-clusters.ts";
import { temporaryFolder } from "./stint.ts";

const page = "docs/guides/administrators.md";

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
    const environment = { ...broker.environment, ...cluster.environment, ...STINT_ON_PATH, NO_COLOR: "1" };
    const { code, out, err } = await runCommand(["sh", "-c", command], environment);
    expect(code, err).toBe(0);
    expect(matchedPart(output, out)).toBe(output);
  });
});
