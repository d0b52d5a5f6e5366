/**
 * `npm run demo:streams`: three streams share a link, then a fourth arrives; ends in under a minute.
 *
 * A broker of its own with this machine as its site, and a source on loopback; no other network. The
 * table shows what each stream may take and what arrives. In the end the shares are compared with the exact
 * allocation, before and after the fourth came. Ends with 1 where they differ.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type StintClient, type StreamView } from "../src/api/client/index.ts";
import { allocateBandwidth } from "../src/stream/index.ts";

const INBOUND = 8_000_000;
/** What streams get of the link: it keeps a margin of 5 %. */
const SHARED = 7_600_000;
const MINIMUM = 200_000;
const UNIT = 1_000_000;
const SOURCE_BYTES = 10_000_000_000;
const EVERY_MS = 1500;
/** Rows with the exact shares that are shown, before and after the fourth stream. */
const ROWS_EACH = 3;
/** Each half ends by then, so that the whole takes less than a minute. */
const HALF_MS = 20_000;
const WEIGHTS = { atlas: 1, ligo: 2, sky: 4, late: 3 } as const;
type Name = keyof typeof WEIGHTS;
const NAMES = Object.keys(WEIGHTS) as readonly Name[];
const megabytes = (bytesPerSec: number): string => (bytesPerSec / 1e6).toFixed(2);

/** An application that acknowledges what it gets. */
const APPLICATION = `
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify({ kind: "ack", seq: JSON.parse(line).seq }) + "\\n");
});`;

const folder = mkdtempSync(join(tmpdir(), "stint-demo-streams-"));
const source = await startSource();
const broker = await startBroker();
const client = createClient({ socketPath: join(folder, "state/stint.sock") });
let isRight = false;
try {
  isRight = await demonstrate(client);
} finally {
  client.close();
  broker.kill("SIGTERM");
  await once(broker, "exit");
  source.closeAllConnections();
  source.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = isRight ? 0 : 1;

async function demonstrate(here: StintClient): Promise<boolean> {
  const ids = new Map<Name, string>();
  const submit = async (name: Name): Promise<void> => {
    const { id } = await here.call("submitStream", { body: { site: "local", stream: streamOf(name) } });
    ids.set(name, id);
  };
  for (const name of ["atlas", "ligo", "sky"] as const) await submit(name);
  process.stdout.write(`${heads()}\n`);
  const before = await watch(here, ids);
  process.stdout.write("late arrives with weight 3\n");
  await submit("late");
  const after = await watch(here, ids);
  for (const id of ids.values()) await here.call("cancelJob", { params: { id } });
  await untilEnded(here);
  return compare(before, ["atlas", "ligo", "sky"]) && compare(after, ["atlas", "ligo", "sky", "late"]);
}

/** Prints rows until the shares were exact in some of them; returns the streams of the last row. */
async function watch(here: StintClient, ids: ReadonlyMap<Name, string>): Promise<readonly StreamView[]> {
  let streams: readonly StreamView[] = [];
  const endsAt = performance.now() + HALF_MS;
  for (let exact = 0; exact < ROWS_EACH && performance.now() < endsAt; ) {
    await sleep(EVERY_MS);
    streams = (await here.call("listStreams")).items.filter(({ endedAt }) => endedAt === null);
    process.stdout.write(`${rowOf(streams)}\n`);
    if (isExact(streams, [...ids.keys()])) exact++;
  }
  return streams;
}

/** Rates by the exact allocation of these streams. */
function exactRates(names: readonly Name[]): readonly number[] {
  const sessions = names.map((name) => ({
    ...{ minBytesPerSec: MINIMUM, maxBytesPerSec: SHARED },
    utility: { kind: "log" as const, weight: WEIGHTS[name], unitBytesPerSec: UNIT },
  }));
  return allocateBandwidth(sessions, { inboundBytesPerSec: SHARED }).bytesPerSec;
}

function isExact(streams: readonly StreamView[], names: readonly Name[]): boolean {
  const rates = exactRates(names);
  return names.every((name, at) => {
    const given = streams.find((it) => it.name === name)?.figures?.allocatedBytesPerSec ?? 0;
    return Math.abs(given - rates[at]) <= 1;
  });
}

function compare(streams: readonly StreamView[], names: readonly Name[]): boolean {
  const isSame = isExact(streams, names);
  const rates = exactRates(names).map((rate, at) => `${names[at]} ${megabytes(rate)}`);
  const verdict = isSame ? "as the exact allocation says" : "NOT as the exact allocation says";
  process.stdout.write(`${names.length} streams: ${verdict}: ${rates.join(", ")} MB/s\n`);
  return isSame;
}

function heads(): string {
  const names = NAMES.map((name) => `${name} (${WEIGHTS[name]})`.padEnd(16)).join("");
  return `MB/s given and received, weight in brackets\n${names}`;
}

function rowOf(streams: readonly StreamView[]): string {
  return NAMES.map((name) => {
    const figures = streams.find((it) => it.name === name)?.figures;
    if (figures == null) return "-".padEnd(16);
    return `${megabytes(figures.allocatedBytesPerSec)}  ${megabytes(figures.receivedBytesPerSec)}`.padEnd(16);
  }).join("");
}

async function untilEnded(here: StintClient): Promise<void> {
  while ((await here.call("listStreams")).items.some(({ endedAt }) => endedAt === null)) await sleep(500);
}

function streamOf(name: Name) {
  return {
    ...{ name, weight: WEIGHTS[name], weightStep: 1, weightPeriodSec: 600, procs: 1 },
    ...{ minBytesPerSec: MINIMUM, minBytes: 8_000_000, blockBytes: 1_000_000, connections: 2, ahead: 100 },
    sources: [{ href: [`http://127.0.0.1:${portOf()}/${name}`] }],
    ...{ delivery: "lines" as const, command: [process.execPath, "-e", APPLICATION] },
    ...{ environment: {}, restarts: 3 },
  };
}

function portOf(): number {
  const address = source.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A source with ranges of zeros, as large as they are asked for. */
async function startSource() {
  const server = createServer((request, response) => {
    const [, from = "0", to = "0"] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const length = Number(to) - Number(from) + 1;
    const range = `bytes ${from}-${to}/${SOURCE_BYTES}`;
    response.writeHead(206, { "Content-Length": length, "Content-Range": range, ETag: '"demo"' });
    response.end(Buffer.alloc(length));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

async function startBroker(): Promise<ChildProcess> {
  const pool = join(folder, "pool");
  mkdirSync(pool, { mode: 0o700 });
  const streams = { inbound: `${INBOUND}B/s`, storage: "200MB", directory: pool };
  const sites = [{ name: "local", type: "managed", procs: 4, streams }];
  writeFileSync(join(folder, "stint.yaml"), JSON.stringify({ sites }));
  const stint = resolve(import.meta.dirname, "../bin/stint.js");
  const words = ["up", "--no-tcp", "--config", join(folder, "stint.yaml"), "--log-format", "json"];
  const child = spawn(process.execPath, [stint, ...words, "--state-dir", join(folder, "state")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise<void>((done, fail) => {
    let said = "";
    child.once("exit", () => fail(new Error(`the broker did not start: ${said}`)));
    child.stderr.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes("ready;")) done();
    });
  });
  return child;
}
