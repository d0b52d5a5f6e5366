/**
 * A stream at a real cluster, by the same description as at this machine.
 */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand } from "./slurm-clusters.ts";
import { stintFile } from "./stint.ts";

const SECOND = 1000;
const BYTES = 8_000_000;
const BLOCK = 500_000;
const application = join(import.meta.dirname, "stream-application.mjs");

describe.skipIf(!hasSlurm)(`streams at a real cluster${howToInstallSlurm}`, { timeout: 180 * SECOND }, () => {
  let folder: string;
  let broker: LiveBroker | undefined;

  beforeAll(async () => {
    const cluster = await clusterUp("A");
    folder = mkdtempSync("/tmp/stint-n-");
    chmodSync(folder, 0o755);
    for (const name of ["jobs", "pool"]) mkdirSync(join(folder, name));
    mkdirSync(join(folder, "state"), { mode: 0o700 });
    const site = {
      ...{ name: "cluster", type: "slurm", readOnly: false, slurmConf: cluster.environment.SLURM_CONF },
      ...{ submitDirectory: join(folder, "jobs"), pollsPerMinute: 120 },
      streams: { inbound: "2MB/s", storage: "100MB", directory: join(folder, "pool") },
    };
    const here = { name: "local", type: "managed", procs: 2, streams: site.streams };
    writeFileSync(join(folder, "stint.yaml"), JSON.stringify({ sites: [here, site] }));
    broker = await startLiveBroker(join(folder, "state"), [
      ...["--no-tcp", "--config", join(folder, "stint.yaml")],
    ]);
  }, 120 * SECOND);
  afterAll(async () => {
    if (broker?.isUp()) await broker.end("SIGKILL");
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const stint = async (...words: readonly string[]): Promise<string> => {
    const { out } = await runCommand([process.execPath, stintFile, ...words], broker?.environment ?? {});
    return out.trim();
  };

  it.each(["cluster", "local"])("EN-260, EN-261 the same description runs at %s", async (site) => {
    const data = join(folder, `${site}.data`);
    writeFileSync(data, "");
    truncateSync(data, BYTES);
    const ledger = join(folder, `${site}.ledger`);
    const file = join(folder, `${site}.yaml`);
    writeFileSync(
      file,
      `stream:
  name: everywhere
  executable: { path: ${process.execPath}, arguments: ${application} lines }
  environment: { STINT_TEST_LEDGER: ${ledger} }
  bandwidth: { min: 200kB/s }
  storage: { min: 10MB }
  blocks: { size: ${BLOCK}B, connections: 2, ahead: 20 }
  sources: { source: [{ href: "${pathToFileURL(data).href}" }] }
`,
    );
    const id = await stint("stream", "submit", file, "--site", site);
    for (;;) {
      const { endedAt, figures } = JSON.parse(await stint("stream", "status", id, "-o", "json"));
      if (endedAt !== null) {
        expect(figures).toMatchObject({ ackedBytes: BYTES, occupiedBytes: 0, position: BYTES / BLOCK });
        break;
      }
      await sleep(SECOND);
    }
    const seqs = readFileSync(ledger, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).seq);
    expect(seqs).toEqual([...Array(BYTES / BLOCK).keys()]);
    expect(JSON.parse(await stint("status", id, "-o", "json"))).toMatchObject({ state: "DONE", site });
  });
});
