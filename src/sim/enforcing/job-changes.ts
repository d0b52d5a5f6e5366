/**
 * What happens to a job of a play with an enforcer: it is let in, starts, stops, comes back, and goes.
 */
import { assert } from "../../base/index.ts";
import { type EnforcedJobState, noteJob } from "../../policy/index.ts";
import { advance, arrive, cancel, resume, suspend } from "../../queue/index.ts";
import type { EnforcedOutcome } from "./enforced-input.ts";
import type { Play, PlayedJob } from "./play.ts";
import { wait, waitNoMore } from "./site-seen.ts";
import { noteUse } from "./use-courses.ts";

/** Lets a job into the queue of the machine; one that is wider than it stays where it is. */
export function letIn(play: Play, played: PlayedJob, nowMs: number): void {
  const { need, pools } = played.job;
  const arrived = arrive(
    play.machine,
    {
      need: play.resources.map((resource) => need[resource]),
      estimateMs: played.restEstimateMs,
      ...(pools === undefined ? {} : { pools }),
    },
    nowMs,
  );
  if (!arrived.ok) return;
  played.handle = arrived.value;
  play.byHandle.set(played.handle, played);
  change(play, played, "queued", nowMs);
}

/** A suspended job goes on where it stopped. */
export function comeBack(play: Play, played: PlayedJob, nowMs: number): void {
  resume(play.machine, played.handle, nowMs);
  change(play, played, "queued", nowMs);
}

/** A running job is suspended. */
export function goAside(play: Play, played: PlayedJob, nowMs: number): void {
  suspend(play.machine, played.handle, nowMs);
  const ranMs = nowMs - (played.begunAtMs ?? nowMs);
  played.restMs -= ranMs;
  played.restEstimateMs -= ranMs;
  change(play, played, "suspended", nowMs);
}

/** A job waits to be let in, with all of its work before it. */
export function startAnew(play: Play, played: PlayedJob, nowMs: number): void {
  played.restMs = played.job.runtimeMs;
  played.restEstimateMs = played.job.estimateMs;
  played.begunAtMs = null;
  change(play, played, "waiting", nowMs);
  played.firstRun = played.runs.length;
}

/** Starts what the machine starts. */
export function startJobs(play: Play, nowMs: number): void {
  const { handles, count } = advance(play.machine, nowMs);
  for (let i = 0; i < count; i++) {
    const played = playedAt(play, handles[i]);
    if (played.startMs === null) played.startMs = nowMs;
    played.begunAtMs = nowMs;
    played.pool = play.machine.jobs.pool[handles[i]];
    change(play, played, "running", nowMs);
    play.notes.push({ atMs: nowMs, kind: "started", job: played.job.id });
  }
}

/** Changes the state of a job everywhere. */
export function change(play: Play, played: PlayedJob, to: EnforcedJobState | null, nowMs: number): void {
  const { job, state: from } = played;
  noteJob(play.keeper, job, from, to);
  if (from === "running") {
    noteUse(play.courses, job.consumer, -job.need.cpu, nowMs);
    const run = played.runs.at(-1);
    if (run !== undefined) run.toMs = nowMs;
  }
  if (to === "running") {
    noteUse(play.courses, job.consumer, job.need.cpu, nowMs);
    played.runs.push({ fromMs: nowMs, toMs: null });
  }
  if (from === "waiting") waitNoMore(play, played);
  if (to === "running") play.running.add(played);
  else play.running.delete(played);
  if (to === null) play.present.delete(played);
  else play.present.add(played);
  played.state = to;
  played.seen = null;
  if (to === "waiting") wait(play, played, nowMs);
  played.endsAtMs = to === "running" ? nowMs + played.restMs : Number.POSITIVE_INFINITY;
}

/** The job of a handle. */
export function playedAt({ byHandle }: Play, handle: number): PlayedJob {
  const played = byHandle.get(handle);
  assert(played !== undefined, "the machine knows the jobs that were let in");
  return played;
}

/** A job is not there any more, though it did not end; what of it the machine has is taken away. */
export function goAway(
  play: Play,
  played: PlayedJob,
  gone: NonNullable<EnforcedOutcome["gone"]>,
  nowMs: number,
): void {
  const isAtMachine = played.state !== "waiting";
  if (isAtMachine) cancel(play.machine, played.handle, nowMs);
  played.gone = gone;
  played.goneAtMs = nowMs;
  change(play, played, null, nowMs);
}
