/** Streams as the API writes them. */
import type { StreamView } from "../contract/index.ts";
import type { StreamFigures, StreamRecord } from "../model/index.ts";
import type { StreamProblem } from "../runtime/index.ts";
import { isoInstant } from "./iso-instant.ts";

/** Additions to the record of a stream and its figures. */
interface Beside {
  readonly classRates?: StreamView["classRates"];
  readonly problem?: StreamProblem | undefined;
}

/** The stream as JSON for people. @param now the last report of its wrapper */
export function streamView(
  record: StreamRecord,
  now: StreamFigures | undefined,
  { classRates = [], problem }: Beside = {},
): StreamView {
  const { job, site, stream, submittedAtMs, admittedAtMs, endedAtMs, last } = record;
  const { className, trials: [onTrial] = [], failedTrials } = record;
  const figures = last ?? now;
  return {
    ...{ id: job, name: stream.name, site, state: streamState(record, figures), weight: stream.weight },
    procs: stream.procs,
    ...(className === undefined ? {} : { processorClass: className }),
    ...(onTrial === undefined || endedAtMs !== null ? {} : { onTrial }),
    ...(classRates.length === 0 ? {} : { classRates }),
    ...(failedTrials === undefined ? {} : { failedTrials }),
    ...(problem === undefined ? {} : { problem: { why: problem.why, since: isoInstant(problem.sinceMs) } }),
    minBytesPerSec: stream.minBytesPerSec,
    maxBytesPerSec: stream.maxBytesPerSec ?? null,
    submittedAt: isoInstant(submittedAtMs),
    admittedAt: admittedAtMs === null ? null : isoInstant(admittedAtMs),
    endedAt: endedAtMs === null ? null : isoInstant(endedAtMs),
    figures: figures === undefined ? null : figuresView(figures),
  };
}

/** State of a stream as its wrapper last reported it; FAILED where it ended before the end of its data. */
export function streamState(
  { endedAtMs, admittedAtMs, trials = [] }: StreamRecord,
  figures: StreamFigures | undefined,
): string {
  if (endedAtMs !== null) return figures?.state === "failed" ? "FAILED" : "DONE";
  if (admittedAtMs === null) return "WAITING";
  if (trials.length > 0) return "TRIAL";
  // After its trials the last report is that of a trial, until its own wrapper has started.
  if (figures === undefined || figures.trial !== undefined) return "SELECTED";
  return STATES_OF_WRAPPERS[figures.state] ?? figures.state.toUpperCase();
}

/** States of wrappers that have another name as a state of a stream. */
const STATES_OF_WRAPPERS: Readonly<Record<string, string>> = {
  // Its job is to start again, and the stream continues where it was.
  stopped: "SELECTED",
  diskFull: "HALTED",
};

/** Name of the stage with the lowest rate; undefined while fewer than two are known. */
function slowestOf(stages: StreamFigures["stages"] = []): string | undefined {
  const known = stages.flatMap(({ name, bytesPerSec }) =>
    bytesPerSec === null ? [] : [{ name, bytesPerSec }],
  );
  if (known.length < 2) return undefined;
  return known.reduce((one, other) => (other.bytesPerSec < one.bytesPerSec ? other : one)).name;
}

function figuresView({ atMs, haltedMs, seq, trial: _, stall, ...same }: StreamFigures) {
  const lag = same.totalBytes === null ? null : Math.max(0, same.totalBytes - same.ackedBytes);
  const slowest = slowestOf(same.stages);
  const limit = slowest === undefined ? {} : { slowestStage: slowest };
  return {
    ...same,
    ...limit,
    ...(stall === undefined ? {} : { stall: stallView(stall) }),
    at: isoInstant(atMs),
    haltedSec: haltedMs / 1000,
    position: seq,
    lagBytes: lag,
  };
}

function stallView({ with: of, sinceMs, nextAtMs }: NonNullable<StreamFigures["stall"]>) {
  const next = nextAtMs === undefined ? {} : { nextAttempt: isoInstant(nextAtMs) };
  return { with: of, since: isoInstant(sinceMs), ...next };
}
