/**
 * Carries out searches: reads the value of each point once its job is over, and asks programs for points.
 *
 * All that is known of a search is in its records, so that the next broker goes on where this one was: what
 * has no value yet is read then, and a program that was not answered for is asked again.
 */
import { messageOf } from "../../base/index.ts";
import type { JobRecord, SearchPoint, SearchRecord, Sweep } from "../../model/index.ts";
import { memberId } from "../../model/index.ts";
import type { Clock, Round } from "../../runtime/index.ts";
import type { Sites } from "../sites.ts";
import { askProgram } from "./ask-program.ts";
import { readObjective } from "./read-objective.ts";

/** Pause after a failure, as of a site that cannot be asked now. */
const AGAIN_MS = 5000;
/** Interval of looks while a search goes on. */
const EVERY_MS = 1000;

interface SearchWorld {
  readonly round: Round;
  readonly sites: Pick<Sites, "get">;
  readonly clock: Clock;
  /** A job, over or not. */
  readonly find: (id: string) => Promise<JobRecord | undefined>;
  readonly warn: (message: string) => void;
}

/** Looks after searches. */
export interface SearchKeeper {
  /** Something may have to be done: it is looked at once. */
  look(): void;
  stop(): Promise<void>;
}

/** Begins to look after searches. */
export function keepSearches(world: SearchWorld): SearchKeeper {
  const busy = new Map<string, Promise<void>>();
  let cancelAlarm: (() => void) | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  const asked = new WeakSet<SearchRecord>();
  /** Searches of which something changed while they were looked at. */
  const again = new Set<string>();
  const look = (): void => {
    if (signal.aborted) return;
    cancelAlarm?.();
    cancelAlarm = undefined;
    let isAnyOpen = false;
    for (const { array, endedAtMs } of world.round.projection.books.searches.values()) {
      if (endedAtMs !== null) continue;
      isAnyOpen = true;
      if (busy.has(array)) {
        again.add(array);
        continue;
      }
      const done = goOn({ ...world, signal, asked }, array)
        .catch(async (error: unknown) => {
          if (signal.aborted) return;
          world.warn(`search ${array}: ${messageOf(error)}`);
          await pause(world.clock, signal);
        })
        .finally(() => {
          busy.delete(array);
          if (again.delete(array)) look();
        });
      busy.set(array, done);
    }
    const { clock } = world;
    if (isAnyOpen) cancelAlarm = clock.wakeAt(clock.nowMs() + EVERY_MS, look);
  };
  return {
    look,
    async stop() {
      stopping.abort();
      cancelAlarm?.();
      await Promise.all(busy.values());
    },
  };
}

function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.wakeAt(clock.nowMs() + AGAIN_MS, resolve);
    signal.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}

interface Keeping extends SearchWorld {
  readonly signal: AbortSignal;
  /** Records for which a program chose nothing. */
  readonly asked: WeakSet<SearchRecord>;
}

async function goOn(world: Keeping, array: string): Promise<void> {
  const { round } = world;
  const sweep = round.projection.arrays.get(array)?.accepted.description.sweep;
  const record = round.projection.books.searches.get(array);
  if (sweep === undefined || record === undefined) return;
  for (const point of record.points) {
    if (point.value === undefined && !(await value(world, { record, point, sweep }))) return;
  }
  await choose(world, array, sweep);
}

interface Asked {
  readonly record: SearchRecord;
  readonly point: SearchPoint;
  readonly sweep: Sweep;
}

/** Reads the value of a point whose job is over. @returns false where the search has ended of it */
async function value(
  { round, sites, find }: SearchWorld,
  { record: { array }, point: { index }, sweep: { search } }: Asked,
): Promise<boolean> {
  const id = memberId(array, index);
  if (search === undefined || round.projection.jobs.has(id)) return true;
  const job = await find(id);
  if (job === undefined) return true;
  const read = await readObjective(search.objective, job, sites.get(job.site ?? "")?.files);
  if (read.ok) await round.ask({ kind: "valuePoint", array, index, value: read.value });
  else {
    await round.ask({
      kind: "endSearch",
      array,
      end: { kind: "objectiveMissing", index, why: read.refusal },
    });
  }
  round.wake();
  return read.ok;
}

/** Asks the program of a search for points, where some may begin. */
async function choose({ round, signal, asked }: Keeping, array: string, sweep: Sweep): Promise<void> {
  const { parameters, search } = sweep;
  const record = round.projection.books.searches.get(array);
  if (search?.method.kind !== "exec" || record === undefined || record.endedAtMs !== null) return;
  if (asked.has(record)) return;
  const { points } = record;
  const open = points.filter((one) => one.value === undefined).length;
  const wanted = Math.min(search.parallel - open, search.evaluations - points.length);
  if (wanted <= 0) return;
  const question = { command: search.method.command, parameters, search, points, wanted };
  const chosen = await askProgram(question, { signal });
  if (signal.aborted) return;
  if (!chosen.ok) {
    await round.ask({ kind: "endSearch", array, end: { kind: "programFailed", why: chosen.refusal } });
  } else if (chosen.value.length > 0) {
    const next = chosen.value.map((values, at) => ({ index: points.length + at, values }));
    await round.ask({ kind: "choosePoints", array, points: next });
  } else if (open === 0) {
    await round.ask({ kind: "endSearch", array, end: { kind: "chosen" } });
  } else asked.add(record);
  round.wake();
}
