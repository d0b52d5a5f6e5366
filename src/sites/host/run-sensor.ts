/**
 * The sensor: looks at the processes of jobs on this host, keeps what it saw, and sends it on (rules SE-4 to
 * SE-7).
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/index.ts";
import type { HostReport } from "../../model/index.ts";
import { processWatch } from "./processes.ts";
import { type HostLook, jobsOfProcesses, readHost } from "./read-host.ts";
import { openSpool, type Spool } from "./spool.ts";

/** What a sensor is asked for. */
export interface SensorRequest {
  readonly site: string;
  readonly host: string;
  readonly everyMs: number;
  readonly spool: string;
  /** One look, and what waits is sent; a "no" is thrown. */
  readonly isOnce: boolean;
}

/** What it works with. */
export interface SensorWorld {
  /** Hands readings on; says up to which number they are kept. */
  readonly send: (report: HostReport) => Promise<{ readonly lastSeq: number }>;
  /** Says what went wrong, and that it is over; a line without its end. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Readings that are sent together. */
const MOST_TOGETHER = 100;
/** So long it goes on sending when it was asked to end. */
const FAREWELL_MS = 2000;
/** What is larger is not asked for its proportional part: that would keep its memory map busy. */
const LARGEST_ASKED_BYTES = 4 * 2 ** 30;

/** Runs until it is asked to end. @throws Fault where the spool cannot be used */
export async function runSensor(request: SensorRequest, world: SensorWorld): Promise<void> {
  const spool = await openSpool(request.spool);
  try {
    const look = looker();
    if (request.isOnce) {
      await spool.add(await look());
      await sendAll(spool, request, world.send);
      return;
    }
    await goOn(spool, look, request, world);
  } finally {
    await spool.close();
  }
}

async function goOn(
  spool: Spool,
  look: () => Promise<HostLook>,
  request: SensorRequest,
  { send, tell, signal }: SensorWorld,
): Promise<void> {
  let trouble: string | undefined;
  let sending: Promise<void> | undefined;
  const sendOn = (): Promise<void> => {
    // One at a time: an answer that takes long delays no reading.
    sending ??= sendAll(spool, request, send)
      .then(
        () => {
          if (trouble !== undefined) tell("readings are taken again");
          trouble = undefined;
        },
        (error: unknown) => {
          const said = error instanceof Error ? error.message : String(error);
          if (said !== trouble) tell(`readings wait in ${request.spool}: ${said}`);
          trouble = said;
        },
      )
      .finally(() => {
        sending = undefined;
      });
    return sending;
  };
  while (!signal.aborted) {
    const beganMs = performance.now();
    await spool.add(await look());
    void sendOn();
    const leftMs = Math.max(0, request.everyMs - (performance.now() - beganMs));
    await delay(leftMs, undefined, { signal }).catch(() => undefined);
  }
  await Promise.race([sendOn(), delay(FAREWELL_MS, undefined, { ref: false })]);
}

/** Looks at this host, each time with what was used since the last. */
function looker(): () => Promise<HostLook> {
  const watch = processWatch();
  const names = ownerNames();
  let before: HostLook | undefined;
  return async () => {
    const processes = await watch.look();
    const atMs = Date.now();
    const ofJobs = jobsOfProcesses(processes);
    const own = processes.filter(({ pid }) => ofJobs.has(pid));
    await names.find(own.map(({ uid }) => uid));
    const proportional = new Map<number, number>();
    for (const { pid, residentBytes } of own) {
      const bytes = residentBytes > LARGEST_ASKED_BYTES ? undefined : await watch.proportionalBytes(pid);
      if (bytes !== undefined) proportional.set(pid, bytes);
    }
    before = readHost({ atMs, processes, proportional, nameOf: names.nameOf }, before);
    return before;
  };
}

async function sendAll(
  spool: Spool,
  { site, host }: SensorRequest,
  send: SensorWorld["send"],
): Promise<void> {
  for (;;) {
    const batch = await spool.oldest(MOST_TOGETHER);
    const last = batch?.readings.at(-1);
    if (batch === undefined || last === undefined) return;
    const { lastSeq } = await send({ site, host, ...batch });
    if (lastSeq < last.seq) throw notKept(site);
    await spool.sent(batch.sensor, last.seq);
  }
}

function notKept(site: string): Fault {
  return new Fault({
    kind: "refused",
    code: "readingsNotKept",
    what: `the broker keeps no readings of hosts of ${site}`,
    why: "its store of samples is not open; it has said why when it started",
    remedy: "see what the broker says; the readings wait",
  });
}

/** Names that are known, and finds those that are not. */
interface OwnerNames {
  /** Finds the names of these; what cannot be found has none. */
  find(uids: Iterable<number>): Promise<void>;
  nameOf(uid: number): string;
}

/** A directory that does not answer keeps nobody waiting. */
const PATIENCE_MS = 2000;

/** Knows nobody yet. */
export function ownerNames(): OwnerNames {
  const names = new Map<number, string>();
  return {
    async find(uids) {
      const unknown = new Set([...uids].filter((uid) => !names.has(uid)));
      if (unknown.size === 0) return;
      const passwd = await readFile("/etc/passwd", "utf8").catch(() => "");
      for (const line of passwd.split("\n")) {
        const [name = "", , uid] = line.split(":");
        if (unknown.delete(Number(uid))) names.set(Number(uid), name);
      }
      for (const uid of unknown) names.set(uid, (await askDirectory(uid)) ?? `uid:${uid}`);
    },
    nameOf: (uid) => names.get(uid) ?? `uid:${uid}`,
  };
}

function askDirectory(uid: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile("getent", ["passwd", String(uid)], { timeout: PATIENCE_MS }, (error, text) => {
      const name = error === null ? text.split(":")[0] : undefined;
      resolve(name !== undefined && /^[^\s\p{Cc}]{1,255}$/u.test(name) ? name : undefined);
    });
  });
}
