/**
 * Readings that wait to be sent: one file each, in a folder per sensor id (rule SE-4).
 *
 *     SPOOL/sensor.json        the current id and boot; the process that has the spool open
 *     SPOOL/ID/000000012.json  a reading
 *     SPOOL/ID/sent            the highest number that the broker has
 *
 * Files appear under their name whole. Nothing is forced to the disk: after a power failure a number could be
 * used twice, so every boot begins a new id.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../base/index.ts";
import type { HostReading } from "../../model/index.ts";
import type { HostMeasurement } from "./read-host.ts";

/** Readings of one sensor, oldest first. */
interface WaitingBatch {
  readonly sensor: string;
  readonly readings: readonly HostReading[];
}

/** An open spool. */
export interface Spool {
  add(measurement: HostMeasurement): Promise<void>;
  /** The oldest readings that wait; undefined if none does. */
  oldest(most: number): Promise<WaitingBatch | undefined>;
  /** Records that the broker has all readings of a sensor up to that number. */
  sent(sensor: string, seq: number): Promise<void>;
  close(): Promise<void>;
}

/** Readings of one day, at one per ten seconds. */
const MOST_WAITING = 8640;

interface Owner {
  readonly id: string;
  readonly boot: string;
  /** Process that has the spool open, with the tick of its start; null: none. */
  readonly holder: string | null;
}

/** Opens the spool in a folder, which is made if absent. @throws Fault `spoolInUse` */
export async function openSpool(folder: string, mostWaiting = MOST_WAITING): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const boot = (await readIfAny("/proc/sys/kernel/random/boot_id"))?.trim() ?? "";
  const found = await readOwner(folder);
  if (found?.boot === boot && found.holder !== null && (await holderOf(found.holder)) === found.holder) {
    throw inUse(folder, found.holder);
  }
  const id = found?.boot === boot ? found.id : randomUUID();
  const self = (await holderOf(String(process.pid))) ?? String(process.pid);
  await writeWhole(join(folder, "sensor.json"), JSON.stringify({ id, boot, holder: self } satisfies Owner));
  const own = join(folder, id);
  await mkdir(own, { recursive: true, mode: 0o700 });
  let last = Math.max(await sentUpTo(own), ...(await numbersIn(own)));
  return {
    async add(measurement) {
      const waiting = await numbersIn(own);
      const excess = waiting.slice(0, Math.max(0, waiting.length + 1 - mostWaiting));
      let dropped = 0;
      for (const seq of excess) dropped += 1 + ((await readReading(own, seq))?.dropped ?? 0);
      last += 1;
      // First what says that they were dropped, then they go.
      await writeWhole(
        fileOf(own, last),
        JSON.stringify({ seq: last, ...measurement, dropped } satisfies HostReading),
      );
      for (const seq of excess) await rm(fileOf(own, seq), { force: true });
    },
    oldest: (most) => oldestIn(folder, id, most),
    async sent(sensor, seq) {
      const of = join(folder, sensor);
      await writeWhole(join(of, "sent"), String(Math.max(seq, await sentUpTo(of))));
      for (const number of await numbersIn(of))
        if (number <= seq) await rm(fileOf(of, number), { force: true });
      if (sensor !== id && (await numbersIn(of)).length === 0) await rm(of, { recursive: true, force: true });
    },
    close: () => writeWhole(join(folder, "sensor.json"), JSON.stringify({ id, boot, holder: null })),
  };
}

/** Oldest readings; those of former sensor ids come first. */
async function oldestIn(folder: string, current: string, most: number): Promise<WaitingBatch | undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sensors = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const sensor of [...sensors.filter((name) => name !== current).sort(), current]) {
    const of = join(folder, sensor);
    const numbers = (await numbersIn(of)).slice(0, most);
    const readings = await Promise.all(numbers.map((seq) => readReading(of, seq)));
    const whole = readings.filter((reading) => reading !== undefined);
    if (whole.length > 0) return { sensor, readings: whole };
  }
  return undefined;
}

async function numbersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  const numbers = names.flatMap((name) => (/^\d{9}\.json$/.test(name) ? [Number(name.slice(0, 9))] : []));
  return numbers.sort((a, b) => a - b);
}

async function readReading(folder: string, seq: number): Promise<HostReading | undefined> {
  const text = await readIfAny(fileOf(folder, seq));
  try {
    return text === undefined ? undefined : (JSON.parse(text) as HostReading);
  } catch {
    // A loss of power may leave a name without what belongs under it.
    await rm(fileOf(folder, seq), { force: true });
    return undefined;
  }
}

async function sentUpTo(folder: string): Promise<number> {
  return Number((await readIfAny(join(folder, "sent"))) ?? 0) || 0;
}

async function readOwner(folder: string): Promise<Owner | undefined> {
  try {
    return JSON.parse((await readIfAny(join(folder, "sensor.json"))) ?? "") as Owner;
  } catch {
    return undefined;
  }
}

/** `PID/TICK` of a running process, from its pid or such a text; undefined if it does not run. */
async function holderOf(text: string): Promise<string | undefined> {
  const pid = text.split("/")[0];
  const stat = await readIfAny(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : `${pid}/${stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]}`;
}

function fileOf(folder: string, seq: number): string {
  return join(folder, `${String(seq).padStart(9, "0")}.json`);
}

async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function readIfAny(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

function inUse(folder: string, holder: string): Fault {
  return new Fault({
    kind: "refused",
    code: "spoolInUse",
    what: `the spool ${folder} is in use by another sensor`,
    why: `process ${holder.split("/")[0]} has it open, and a spool can have only one sensor`,
    remedy: "stop that sensor, or name another folder with --spool",
  });
}
