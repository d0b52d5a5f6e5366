/**
 * The first part of the demo: a broker with its embedded database and this machine as a site, real work
 * submitted to it, and its output brought back.
 *
 * Four jobs each add up a quarter of ∫ 4 ÷ (1 + x²) over [0, 1], which is π. Each asks for all processors
 * of the machine, so that they must queue and there is something to ask "why" about.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { reachBroker } from "../cli/index.ts";
import { up } from "./serve.ts";
import { brokerSocket } from "./state-directory.ts";

type Client = Awaited<ReturnType<typeof reachBroker>>;
type Job = Awaited<ReturnType<Client["job"]>>;

/** Runs it in a directory of its own, which is removed afterwards. */
export async function demoBroker(write: (text: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "stint-demo-"));
  const stop = new AbortController();
  let ready: () => void = () => undefined;
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const serving = up({ stateDirectory: directory, port: null }, { tell: () => ready(), signal: stop.signal });
  const client = await reachBroker({ socketPath: brokerSocket(directory) });
  try {
    await Promise.race([isReady, serving]);
    await submitAndFollow(client, write);
  } finally {
    client.close();
    stop.abort();
    await serving;
    await rm(directory, { recursive: true, force: true });
  }
}

const QUARTERS = 4;
const SLICES = 40_000_000;

async function submitAndFollow(client: Client, write: (text: string) => void): Promise<void> {
  const [site] = await client.sites();
  const procs = site.spec.procs;
  write(`A broker is up, with this machine as a site of ${procs} processors.\n`);
  const ids = await client.submit(
    Array.from({ length: QUARTERS }, (_, quarter) => ({
      executable: process.execPath,
      arguments: ["-e", programOf(quarter)],
      cpuNumber: procs,
      wallTimeMs: 60_000,
    })),
  );
  write(`Submitted ${ids.length} jobs of ${procs} processors each: ${ids.join(" ")}\n\n`);
  const last = ids[QUARTERS - 1];
  await untilPlaced(client, last);
  const why = await client.why(last);
  write(`Why is ${last} not running yet?\n${why.lines.map((line) => `  ${line}\n`).join("")}\n`);
  let sum = 0;
  for (const id of ids) {
    const job = await client.watch(id, () => undefined);
    const output = await textOf(client, id);
    sum += Number(output);
    write(`  ${id}  ${job.state} (${job.result})  ran ${ranSec(job)} s  output ${output.trim()}\n`);
  }
  write(`\nTheir outputs add up to ${sum.toFixed(10)}; π is ${Math.PI.toFixed(10)}.\n`);
}

/** A broker decides a few milliseconds after a job was accepted. */
async function untilPlaced(client: Client, id: string): Promise<void> {
  while ((await client.job(id)).state === "WAITING") await setTimeout(10);
}

/** Adds up one quarter of the slices and prints the sum. */
function programOf(quarter: number): string {
  return (
    `const n = ${SLICES}; let s = 0;` +
    `for (let i = ${quarter}; i < n; i += ${QUARTERS}) { const x = (i + 0.5) / n; s += 4 / (1 + x * x); }` +
    "console.log(s / n);"
  );
}

async function textOf(client: Client, id: string): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of client.readFile(id, "stdout")) parts.push(part);
  return Buffer.concat(parts).toString();
}

function ranSec({ startedAt, endedAt }: Job): string {
  return ((Date.parse(endedAt ?? "") - Date.parse(startedAt ?? "")) / 1000).toFixed(1);
}
