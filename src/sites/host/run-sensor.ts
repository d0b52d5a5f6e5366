/**
 * The sensor: reads the processes of jobs on this host, stores readings in a spool, and sends them (rules
 * SE-4 and SE-5).
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Fault, messageOf } from "../../base/index.ts";
import type { HostReport } from "../../model/index.ts";
import { processWatch } from "./processes.ts";
import { type HostMeasurement, jobsOfProcesses, readHost } from "./read-host.ts";
import { openSpool, type Spool } from "./spool.ts";

/** Options of a sensor. */
export interface SensorRequest {
  readonly site: string;
  readonly host: string;
  readonly everyMs: number;
  readonly spool: string;
  /** True: take one reading, send what waits, and throw on a refusal. */
  readonly isOnce: boolean;
}

/** Functions that the sensor calls. */
export interface SensorWorld {
  /** Sends readings; resolves with the highest number that the broker has stored. */
  readonly send: (report: HostReport) => Promise<{ readonly lastSeq: number }>;
  /** Writes a problem, or its end, to the operator; one line without its newline. */
  readonly tell: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Readings per request. */
const READINGS_PER_REQUEST = 100;
/** Longest time for sending after the sensor was asked to end, in ms. */
const FINAL_SEND_MS = 2000;
/** Largest process whose proportional memory is read: the reading locks its memory map. */
const LARGEST_ASKED_BYTES = 4 * 2 ** 30;

/** Runs until it is asked to end. @throws Fault if the spool cannot be used */
export async function runSensor(request: SensorRequest, world: SensorWorld): Promise<void> {
  const spool = await openSpool(request.spool);
  try {
    const measure = hostReader();
    if (request.isOnce) {
      await spool.add(await measure());
      await sendAll(spool, request, world.send);
      return;
    }
    await continueReading(spool, measure, request, world);
  } finally {
    await spool.close();
  }
}

async function continueReading(
  spool: Spool,
  measure: () => Promise<HostMeasurement>,
  request: SensorRequest,
  { send, tell, signal }: SensorWorld,
): Promise<void> {
  let problem: string | undefined;
  let sending: Promise<void> | undefined;
  const sendOn = (): Promise<void> => {
    // One at a time: an answer that takes long delays no reading.
    sending ??= sendAll(spool, request, send)
      .then(
        () => {
          if (problem !== undefined) tell("the broker accepts readings again");
          problem = undefined;
        },
        (error: unknown) => {
          const message = messageOf(error);
          if (message !== problem) tell(`readings wait in ${request.spool}: ${message}`);
          problem = message;
        },
      )
      .finally(() => {
        sending = undefined;
      });
    return sending;
  };
  while (!signal.aborted) {
    const beganMs = performance.now();
    await spool.add(await measure());
    void sendOn();
    const leftMs = Math.max(0, request.everyMs - (performance.now() - beganMs));
    await delay(leftMs, undefined, { signal }).catch(() => undefined);
  }
  await Promise.race([sendOn(), delay(FINAL_SEND_MS, undefined, { ref: false })]);
}

/** Reads this host; each reading has the use since the one before. */
function hostReader(): () => Promise<HostMeasurement> {
  const watch = processWatch();
  const names = ownerNames();
  let before: HostMeasurement | undefined;
  return async () => {
    const processes = await watch.measure();
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
    const batch = await spool.oldest(READINGS_PER_REQUEST);
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
    what: `the broker has no readings of hosts of ${site}`,
    why: "its store of samples could not be opened; the reason is in the broker's log at its start",
    remedy: "see the broker's log; the readings are kept until it accepts them",
  });
}

/** Cache of account names by uid. */
interface OwnerNames {
  /** Looks up names; an unknown uid has none. */
  find(uids: Iterable<number>): Promise<void>;
  nameOf(uid: number): string;
}

/** Longest wait for a directory service, in ms. */
const LOOKUP_LIMIT_MS = 2000;

/** An empty cache. */
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
    execFile("getent", ["passwd", String(uid)], { timeout: LOOKUP_LIMIT_MS }, (error, text) => {
      const name = error === null ? text.split(":")[0] : undefined;
      resolve(name !== undefined && /^[^\s\p{Cc}]{1,255}$/u.test(name) ? name : undefined);
    });
  });
}
