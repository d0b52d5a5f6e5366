/**
 * Jobs cancelled while they waited that start in a simulation of the record.
 *
 * An obstacle outside the record (a hold, a dependency, a limit) kept such a job from starting: it would
 * occupy capacity that it never had, so it is left out and the rest is simulated again, until there is none.
 */
import type { Played } from "../workload/play.ts";
import type { Workload } from "../workload/workload.ts";
import { type BegunWorkload, beginRecord } from "./record-beginning.ts";

/** A record as it was played last. */
export interface PlayedWithout<P> {
  readonly begun: BegunWorkload;
  readonly played: P;
  /** Names of the jobs that were left out. */
  readonly neverStarted: ReadonlySet<string>;
}

/**
 * Plays a record, each time from its beginning.
 *
 * @param absent the jobs of a play before that are left out here, too; then no others are
 */
export async function playWithoutThem<P extends Pick<Played, "done" | "interrupted">>(
  whole: Workload,
  play: (begun: BegunWorkload) => P | Promise<P>,
  absent?: ReadonlySet<string>,
): Promise<PlayedWithout<P>> {
  const neverStarted = new Set(absent);
  for (;;) {
    const begun = beginRecord(without(whole, neverStarted));
    const played = await play(begun);
    if (absent !== undefined || noteStarted(begun, played, neverStarted) === 0) {
      return { begun, played, neverStarted };
    }
  }
}

function without(workload: Workload, names: ReadonlySet<string>): Workload {
  if (names.size === 0) return workload;
  const gone = new Set(workload.jobs.flatMap(({ id, name }) => (names.has(name) ? [id] : [])));
  return {
    ...workload,
    jobs: workload.jobs.filter(({ id }) => !gone.has(id)),
    events: workload.events.filter((event) => event.kind !== "cancel" || !gone.has(event.job)),
  };
}

/**
 * Adds the jobs that started although the record says they were cancelled while waiting; returns how many
 * were added.
 */
function noteStarted(
  { workload: { events } }: BegunWorkload,
  { done, interrupted }: Pick<Played, "done" | "interrupted">,
  names: Set<string>,
): number {
  const cancelled = new Set(events.flatMap((event) => (event.kind === "cancel" ? [event.job] : [])));
  const before = names.size;
  for (const { id, name, recordedStartMs } of [...done.map(({ job }) => job), ...interrupted]) {
    if (recordedStartMs === undefined && cancelled.has(id)) names.add(name);
  }
  return names.size - before;
}
