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
import type { StreamView } from "../src/contract/index.ts";
import { type LiveBroker, startLiveBroker } from "./live-broker.ts";
import { clusterUp, hasSlurm, howToInstallSlurm, runCommand } from "./slurm-clusters.ts";
import { stintFile } from "./stint.ts";

const SECOND = 1000;
const BYTES = 8_000_000;
const BLOCK = 500_000;
const application = join(import.meta.dirname, "stream-application.mjs");

/** An application that takes 20 ms for a block in the partition gpu, and 300 ms in any other. */
const PARTITION_APPLICATION = `import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const partition = process.env.SLURM_JOB_PARTITION;
for await (const line of createInterface({ input: process.stdin })) {
  const { seq } = JSON.parse(line);
  await new Promise((resolve) => setTimeout(resolve, partition === "gpu" ? 20 : 300));
  appendFileSync(process.argv[2], JSON.stringify({ seq, partition }) + "\\n");
  console.log(JSON.stringify({ kind: "ack", seq }));
}
`;

/** A cluster with a pool for streams, and a broker that uses it. */
function settingOf(cluster: "A" | "B", streams: object) {
  let folder = "";
  let broker: LiveBroker | undefined;
  const stint = async (...words: readonly string[]): Promise<string> => {
    const { out } = await runCommand([process.execPath, stintFile, ...words], broker?.environment ?? {});
    return out.trim();
  };
  const look = async (id: string): Promise<StreamView> =>
    JSON.parse(await stint("stream", "status", id, "-o", "json"));
  return {
    folder: () => folder,
    up: async (): Promise<void> => {
      const { environment } = await clusterUp(cluster);
      folder = mkdtempSync("/tmp/stint-n-");
      chmodSync(folder, 0o755);
      for (const name of ["jobs", "pool"]) mkdirSync(join(folder, name));
      mkdirSync(join(folder, "state"), { mode: 0o700 });
      const pool = { inbound: "2MB/s", storage: "100MB", directory: join(folder, "pool") };
      const site = {
        ...{ name: "cluster", type: "slurm", readOnly: false, slurmConf: environment.SLURM_CONF },
        ...{ submitDirectory: join(folder, "jobs"), pollsPerMinute: 120 },
        streams: { ...pool, ...streams },
      };
      const here = { name: "local", type: "managed", procs: 2, streams: pool };
      writeFileSync(join(folder, "stint.yaml"), JSON.stringify({ sites: [here, site] }));
      broker = await startLiveBroker(join(folder, "state"), [
        ...["--no-tcp", "--config", join(folder, "stint.yaml")],
      ]);
    },
    down: async (): Promise<void> => {
      if (broker?.isUp()) await broker.end("SIGKILL");
      if (folder !== "") rmSync(folder, { recursive: true, force: true });
    },
    stint,
    /** Submits a stream of zeros; returns its id. */
    submit: (site: string, { bytes, block, more }: Submitted): Promise<string> => {
      const data = join(folder, `${site}.data`);
      writeFileSync(data, "");
      truncateSync(data, bytes);
      const file = join(folder, `${site}.yaml`);
      writeFileSync(
        file,
        `stream:
  name: everywhere
  bandwidth: { min: 200kB/s }
  storage: { min: 10MB }
  blocks: { size: ${block}B, connections: 2, ahead: 20 }
  sources: { source: [{ href: "${pathToFileURL(data).href}" }] }
${more}`,
      );
      return stint("stream", "submit", file, "--site", site);
    },
    look,
    /** The stream when it has ended. */
    ended: async (id: string): Promise<StreamView> => {
      for (;;) {
        const stream = await look(id);
        if (stream.endedAt !== null) return stream;
        await sleep(SECOND);
      }
    },
  };
}

interface Submitted {
  readonly bytes: number;
  readonly block: number;
  /** Further lines of the description. */
  readonly more: string;
}

const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line): { readonly seq: number; readonly partition?: string } => JSON.parse(line));

describe.skipIf(!hasSlurm)(`streams at a real cluster${howToInstallSlurm}`, { timeout: 180 * SECOND }, () => {
  const setting = settingOf("A", {});
  beforeAll(setting.up, 120 * SECOND);
  afterAll(setting.down);

  it.each(["cluster", "local"])("EN-260, EN-261 the same description runs at %s", async (site) => {
    const ledger = join(setting.folder(), `${site}.ledger`);
    const id = await setting.submit(site, {
      ...{ bytes: BYTES, block: BLOCK },
      more: `  executable: { path: ${process.execPath}, arguments: ${application} lines }
  environment: { STINT_TEST_LEDGER: ${ledger} }
`,
    });
    const { figures } = await setting.ended(id);
    expect(figures).toMatchObject({ ackedBytes: BYTES, occupiedBytes: 0, position: BYTES / BLOCK });
    expect(linesOf(ledger).map(({ seq }) => seq)).toEqual([...Array(BYTES / BLOCK).keys()]);
    expect(JSON.parse(await setting.stint("status", id, "-o", "json"))).toMatchObject({
      ...{ state: "DONE", site },
    });
  });
});

describe.skipIf(!hasSlurm)("trials of streams at a real cluster", { timeout: 180 * SECOND }, () => {
  const classes = [
    { name: "slow", procs: 2, queue: "batch" },
    { name: "fast", procs: 2, queue: "gpu" },
  ];
  const setting = settingOf("B", { classes });
  beforeAll(setting.up, 120 * SECOND);
  afterAll(setting.down);

  it("BR-122 a stream is tried in the partition of each class, and runs in the faster one", async () => {
    const ledger = join(setting.folder(), "ledger");
    const program = join(setting.folder(), "application.mjs");
    writeFileSync(program, PARTITION_APPLICATION);
    const id = await setting.submit("cluster", {
      ...{ bytes: 2_000_000, block: 100_000 },
      more: `  executable: { path: ${process.execPath}, arguments: ${program} ${ledger} }\n`,
    });
    const { processorClass, classRates = [], state, failedTrials } = await setting.ended(id);
    expect({ processorClass, state, failedTrials }).toEqual({ processorClass: "fast", state: "DONE" });
    expect(classRates.map(({ className, origin }) => `${className} ${origin}`)).toEqual([
      ...["fast measured", "slow measured"],
    ]);
    const taken = linesOf(ledger);
    expect(taken.map(({ seq }) => seq)).toEqual([...Array(20).keys()]);
    const partitions = taken.map(({ partition }) => partition);
    // Three blocks are a trial; a busy machine takes some more before it ends.
    const turn = partitions.indexOf("gpu");
    expect(turn, partitions.join(" ")).toBeGreaterThanOrEqual(3);
    expect(new Set(partitions.slice(0, turn))).toEqual(new Set(["batch"]));
    expect(new Set(partitions.slice(turn)), partitions.join(" ")).toEqual(new Set(["gpu"]));
  });
});
