/**
 * Trials of streams that are admitted: on which classes each is tried, what was measured, and the class on
 * which it then runs. The broker runs the trials, one after the other, before the stream's own job.
 */
import { accepted } from "../../../base/index.ts";
import {
  type OfKind,
  rateKey,
  type StintEvent,
  type StreamRecord,
  type TrialRates,
} from "../../../model/index.ts";
import { admit, freeResources, hold, type ProcsByClass, STREAM_RULES } from "../../../stream/index.ts";
import type { Answer, CommandOf } from "../../feature.ts";
import { erased, written } from "../../state/books.ts";
import type { Projection } from "../../state/projection.ts";
import { classOf, dueTrials, rankedClasses } from "./classes.ts";
import { needOf, poolAt, poolOf, runningAt } from "./pool.ts";

/** Maximum number of remembered rates, over all programs; the oldest are forgotten first. */
const MOST_RATES = 10_000;

/** Events that admit streams, each with its class and the classes on which it is tried first. */
export function admittedOf(
  projection: Projection,
  site: string,
  selected: readonly { readonly id: string; readonly procs: ProcsByClass }[],
  nowMs: number,
): readonly OfKind<StintEvent, "streamAdmitted">[] {
  const at = poolAt(projection, site);
  if (at?.pool.classes === undefined) {
    return selected.map(({ id }) => ({ kind: "streamAdmitted", job: id, atMs: nowMs }));
  }
  const free = freeResources(poolOf(at), runningAt(projection, site, nowMs));
  const nothing = { link: "", bytesPerSec: 0, storageBytes: 0 };
  for (const { id, procs } of selected) hold(free, { id, procs, ...nothing });
  return selected.flatMap(({ id, procs }) => {
    const record = projection.books.streams.get(id);
    if (record === undefined) return [];
    const [className] = Object.keys(procs);
    // The stream holds the processors of its own class already.
    const usable = { ...free.procs, [className]: 1 };
    const trials = dueTrials(projection, at, { stream: record.stream, nowMs, free: usable });
    for (const name of trials) if (name !== className) hold(free, { id, procs: { [name]: 1 }, ...nothing });
    const due = trials.length === 0 ? {} : { trials };
    return [{ kind: "streamAdmitted", job: id, className, ...due, atMs: nowMs }];
  });
}

/** Records the rates of a trial; after the last trial the stream gets the fastest class that is free. */
export function recordTrial(
  projection: Projection,
  { job, className, measured, problem }: CommandOf<"recordTrial">,
  nowMs: number,
): Answer {
  const record = projection.books.streams.get(job);
  if (record?.trials === undefined || record.endedAtMs !== null) return accepted([]);
  if (!record.trials.includes(className)) return accepted([]);
  const why = problem === undefined ? {} : { problem };
  const tried = { kind: "streamTried" as const, job, className, measured, ...why, atMs: nowMs };
  if (record.trials.length > 1) return accepted([tried]);
  const known = measured === null ? [] : [rateOf(record, { className, measured, atMs: nowMs })];
  const assigned = classFor(projection, record, { known, nowMs });
  return accepted([tried, { kind: "streamAssigned", job, className: assigned, atMs: nowMs }]);
}

/** Fastest class with enough free processors, including those that the stream holds. */
function classFor(
  projection: Projection,
  record: StreamRecord,
  { known, nowMs }: { readonly known: readonly ReturnType<typeof rateOf>[]; readonly nowMs: number },
): string {
  const { job, site, stream } = record;
  const at = poolAt(projection, site);
  if (at === undefined) return record.className ?? "";
  const free = freeResources(
    poolOf(at),
    runningAt(projection, site, nowMs).filter(({ id }) => id !== job),
  );
  const rates = new Map(projection.books.streamRates);
  for (const rate of known) rates.set(rateKey(rate), rate);
  const informed = { ...projection, books: { ...projection.books, streamRates: rates } };
  const verdict = admit(needOf(informed, at, { id: job, stream, nowMs }), free);
  const [className] = verdict.kind === "potential" ? Object.keys(verdict.procs) : [];
  return className ?? classOf(record, at);
}

/** Removes a finished trial from the trials that a stream still needs, and keeps why it measured nothing. */
export function withoutTrial(
  { books }: Projection,
  { job, className, problem: why }: Pick<OfKind<StintEvent, "streamTried">, "job" | "className" | "problem">,
) {
  const there = books.streams.get(job);
  if (there?.trials === undefined) return [];
  const trials = there.trials.filter((name) => name !== className);
  const failed = why === undefined ? [] : [{ className, why }];
  const failedTrials = [...(there.failedTrials ?? []), ...failed];
  return [written("streams", { ...there, trials, ...(failedTrials.length === 0 ? {} : { failedTrials }) })];
}

/** Remembers a measured rate, and forgets rates that are too old or too many. */
export function rememberedRate(
  { books }: Projection,
  { job, className, measured, atMs }: Omit<OfKind<StintEvent, "streamTried">, "kind">,
) {
  const record = books.streams.get(job);
  if (record === undefined || measured === null) return [];
  const isOld = (one: { readonly atMs: number }): boolean => atMs - one.atMs >= STREAM_RULES.rememberMs;
  const byAge = [...books.streamRates].sort(([, one], [, other]) => one.atMs - other.atMs);
  const excess = byAge.filter(([, rate], at) => isOld(rate) || byAge.length - at >= MOST_RATES);
  return [
    ...excess.map(([key]) => erased("streamRates", key)),
    written("streamRates", rateOf(record, { className, measured, atMs })),
  ];
}

function rateOf(
  { site, stream }: StreamRecord,
  {
    className,
    measured: { bytesPerSec, bytesPerCpuSec = bytesPerSec },
    atMs,
  }: { readonly className: string; readonly measured: TrialRates; readonly atMs: number },
) {
  const executableHash = stream.programHash ?? "";
  return { site, className, executableHash, bytesPerSec, bytesPerCpuSec, atMs };
}

/** Eligible classes of a stream with their rates, the fastest first; empty at a site without classes. */
export function streamClassRates(projection: Projection, job: string, nowMs: number) {
  const record = projection.books.streams.get(job);
  const at = record === undefined ? undefined : poolAt(projection, record.site);
  if (record === undefined || at?.pool.classes === undefined) return [];
  return rankedClasses(projection, at, record.stream, nowMs);
}
