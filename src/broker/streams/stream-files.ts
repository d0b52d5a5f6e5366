/**
 * The files that broker and wrapper share in the directory of a stream: order, orders while it runs, reports.
 *
 * Everything is replaced whole. What a wrapper reports is written by a user's job: it is checked and bounded.
 */
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LiveStream, StreamFigures, StreamPoolSpec, StreamProcsClass } from "../../model/index.ts";
import { STREAM_RULES } from "../../stream/index.ts";

/** Most bytes of a report that are read. */
const MOST_REPORT_BYTES = 65_536;
const LEASE = "15s";
/** The first stage of a pipeline and those after it. */
const MOST_STAGES = 17;

/** Orders for a wrapper that runs. */
interface WrapperOrders {
  readonly serial: number;
  readonly bytesPerSec: number;
  readonly quotaBytes: number;
  readonly isPaused: boolean;
  readonly end?: "drain";
}

/** Directory of a stream in its site's pool. */
function streamDirectory({ directory }: StreamPoolSpec, job: string): string {
  return join(directory, job);
}

/** Path of the order that the wrapper starts with. */
export function orderFile(pool: StreamPoolSpec, job: string): string {
  return join(streamDirectory(pool, job), "order.json");
}

/** Path of the order that the wrapper of a trial starts with. */
export function trialOrderFile(pool: StreamPoolSpec, job: string): string {
  return join(streamDirectory(pool, job), "trial.json");
}

/** Writes the order of a wrapper on a class of processors. */
export async function writeOrder(
  pool: StreamPoolSpec,
  job: string,
  { stream, one }: StreamOnClass,
): Promise<void> {
  await replace(orderFile(pool, job), await orderOf(pool, job, { stream, one }));
}

/** Writes the order of a trial, with few blocks at once, so that little is fetched before it is processed. */
export async function writeTrialOrder(
  pool: StreamPoolSpec,
  job: string,
  { mostMs, one, stream }: StreamOnClass & { readonly mostMs: number; readonly one: StreamProcsClass },
): Promise<void> {
  const { mostBlocks } = STREAM_RULES.trial;
  const order = await orderOf(pool, job, { stream, one });
  await replace(trialOrderFile(pool, job), {
    ...{ ...order, ahead: Math.min(stream.ahead, mostBlocks) },
    trial: { className: one.name, mostMs, mostBlocks },
  });
}

/** A stream, and the class of its processors if its site has several classes. */
interface StreamOnClass {
  readonly stream: LiveStream;
  readonly one: StreamProcsClass | undefined;
}

/** The order of a wrapper: it begins with its minima, which need no lease. */
async function orderOf(pool: StreamPoolSpec, job: string, { stream, one }: StreamOnClass) {
  const directory = streamDirectory(pool, job);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { command, delivery, environment, restarts, sources, blockBytes, connections, ahead } = stream;
  const { first: name, next = [] } = stream.pipeline ?? {};
  const stages = next.map(({ storageBytes, ...stage }) => ({ ...stage, storage: storageBytes }));
  return {
    ...{ stream: job, directory, sources, blockSize: blockBytes, connections, ahead, lease: LEASE },
    quota: stream.minBytes,
    ...(stream.sink === undefined ? {} : { sink: sinkOf(stream.sink) }),
    rate: { least: stream.minBytesPerSec, first: stream.minBytesPerSec },
    application: {
      ...{ command, delivery, environment, restarts },
      ...(name === undefined ? {} : { name, next: stages }),
      ...(one?.cpus === undefined ? {} : { cpus: one.cpus }),
    },
  };
}

function sinkOf({ href, storageBytes, mode }: NonNullable<LiveStream["sink"]>) {
  return { href, storage: storageBytes, ...(mode === undefined ? {} : { mode }) };
}

/** Orders a running wrapper. */
export function writeOrders(pool: StreamPoolSpec, job: string, orders: WrapperOrders): Promise<void> {
  return replace(join(streamDirectory(pool, job), "control.json"), orders);
}

/** The last report of a wrapper; undefined before the first, and for one that is none. */
export async function readReport(pool: StreamPoolSpec, job: string): Promise<StreamFigures | undefined> {
  try {
    const file = await open(join(streamDirectory(pool, job), "report.json"), "r");
    try {
      const buffer = Buffer.alloc(MOST_REPORT_BYTES);
      const { bytesRead } = await file.read(buffer, 0, MOST_REPORT_BYTES, 0);
      return figuresOf(JSON.parse(buffer.toString("utf8", 0, bytesRead)));
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** Removes what an ended stream has stored; what was set aside stays where there is any. */
export async function removeStream(pool: StreamPoolSpec, job: string, hasSetAside: boolean): Promise<void> {
  const directory = streamDirectory(pool, job);
  const names = hasSetAside ? (await readdir(directory).catch(() => [])).filter(isOfBlocks) : ["."];
  for (const name of names) await rm(join(directory, name), { recursive: true, force: true });
}

/** True for what a wrapper keeps of blocks in a stream's directory; each stage of a pipeline has an inbox. */
function isOfBlocks(name: string): boolean {
  return /^(blocks|inbox(-\d+)?|results|outbox|stages)$/.test(name);
}

async function replace(path: string, content: object): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** Figures of a stage in a report. @throws TypeError if the report of the stage is invalid */
function stageOf(stage: unknown): NonNullable<StreamFigures["stages"]>[number] {
  const { name, bytesPerSec, waitingBytes } = Object(stage) as Readonly<Record<string, unknown>>;
  const amount = (value: unknown): number => {
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) throw new TypeError("stages");
    return Math.round(value);
  };
  return {
    name: String(name).slice(0, 100),
    bytesPerSec: bytesPerSec === null ? null : amount(bytesPerSec),
    waitingBytes: amount(waitingBytes),
  };
}

/** Rates of a trial in a report; values that are not rates are left out. */
function trialOf(trial: object): NonNullable<StreamFigures["trial"]> {
  const { className, bytesPerSec, bytesPerCpuSec } = trial as Readonly<Record<string, unknown>>;
  const rate = (value: unknown) =>
    typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : undefined;
  const [wall, cpu] = [rate(bytesPerSec), rate(bytesPerCpuSec)];
  return {
    className: String(className).slice(0, 100),
    ...(wall === undefined ? {} : { bytesPerSec: wall }),
    ...(cpu === undefined ? {} : { bytesPerCpuSec: cpu }),
  };
}

/** Since when there is trouble, and when the next attempt begins; nothing where the report is invalid. */
function stallOf(stall: object): Pick<StreamFigures, "stall"> {
  const { with: of, since, nextAttempt } = stall as Readonly<Record<string, unknown>>;
  const [sinceMs, nextAtMs] = [since, nextAttempt].map((it) => Date.parse(String(it)));
  if ((of !== "source" && of !== "sink") || Number.isNaN(sinceMs)) return {};
  return { stall: { with: of, sinceMs, ...(Number.isNaN(nextAtMs) ? {} : { nextAtMs }) } };
}

/** Figures of a report. @throws TypeError for one that is none */
function figuresOf(report: Readonly<Record<string, unknown>>): StreamFigures {
  const amount = (name: string): number => {
    const value = report[name];
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) throw new TypeError(name);
    return Math.round(value);
  };
  const { state, trouble, totalBytes, position, setAsideBlocks, at, stages, failure, trial, stall } = report;
  const { why } = Object(failure) as { readonly why?: unknown };
  const { seq } = position as { readonly seq: unknown };
  return {
    state: String(state).slice(0, 20),
    atMs: Date.parse(String(at)) || 0,
    allocatedBytesPerSec: amount("allocatedBytesPerSec"),
    receivedBytesPerSec: amount("receivedBytesPerSec"),
    processedBytesPerSec: amount("processedBytesPerSec"),
    ackedBytes: amount("ackedBytes"),
    totalBytes: totalBytes === null ? null : amount("totalBytes"),
    occupiedBytes: amount("occupiedBytes"),
    quotaBytes: amount("quotaBytes"),
    ...(report.unsentBytes === undefined
      ? {}
      : { unsentBytes: amount("unsentBytes"), sentBytes: amount("sentBytes") }),
    ...(Array.isArray(stages) ? { stages: stages.slice(0, MOST_STAGES).map(stageOf) } : {}),
    ...(typeof trial === "object" && trial !== null ? { trial: trialOf(trial) } : {}),
    halts: amount("halts"),
    haltedMs: Math.round(amount("haltedSec") * 1000),
    seq: Number.isSafeInteger(seq) ? Number(seq) : 0,
    setAside: Array.isArray(setAsideBlocks) ? setAsideBlocks.length : 0,
    trouble: typeof trouble === "string" ? trouble.slice(0, 500) : null,
    ...(typeof stall === "object" && stall !== null ? stallOf(stall) : {}),
    ...(typeof why === "string" ? { failure: why.slice(0, 500) } : {}),
  };
}
