/**
 * State changes of a job in a simulation with an enforcer: admission, start, stop, resumption, removal.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import { type EnforcedJobState, noteJob } from "../../policy/index.ts";
import { cancelAt, observe, resume, suspendAt } from "../../queue/index.ts";
import type { EnforcedOutcome } from "./enforced-input.ts";
import type { Play } from "./play.ts";
import type { PlayedJob } from "./played-job.ts";
import { wait, waitNoMore } from "./site-seen.ts";
import { noteUse } from "./use-courses.ts";

/** Lets a job into the queue of the machine; one that is wider than every pool stays where it is. */
export function letIn(play: Play, played: PlayedJob, nowMs: number): void {
  if (!fitsSomePool(play, played)) return;
  play.submit(played, nowMs);
  change(play, played, "queued", nowMs);
}

function fitsSomePool({ pools: all }: Play, { need, pools }: PlayedJob): boolean {
  const fits = (amounts: readonly number[]): boolean => need.every((amount, at) => amount <= amounts[at]);
  return (pools?.map((pool) => all[pool]) ?? all).some(fits);
}

/** A suspended job goes on where it stopped. */
export function comeBack(play: Play, played: PlayedJob, nowMs: number): void {
  resume(play.site.machine, played.handle, nowMs);
  const estimate = played.restEstimateMs / MS_PER_SECOND;
  play.program?.tellOf(played, { kind: "resumed", estimate });
  change(play, played, "queued", nowMs);
}

/** A running job is suspended. */
export function goAside(play: Play, played: PlayedJob, nowMs: number): void {
  suspendAt(play.site, played.handle, nowMs);
  play.program?.tellOf(played, { kind: "suspended" });
  played.restEstimateMs -= nowMs - (played.begunAtMs ?? nowMs);
  change(play, played, "suspended", nowMs);
}

/** A job waits to be let in, with all of its work before it. */
export function startAnew(play: Play, played: PlayedJob, nowMs: number): void {
  played.restEstimateMs = played.job.estimateMs;
  played.begunAtMs = null;
  change(play, played, "waiting", nowMs);
  played.firstRun = played.runs.length;
}

/** Follows what the machine does with those that were let in. */
export function followMachine(play: Play): void {
  const { site, notes } = play;
  const { jobs, machine } = site;
  observe(site, {
    arrived(handle) {
      jobs[handle].handle = handle;
    },
    started(handle, atMs) {
      const played = jobs[handle];
      if (played.startMs === null) played.startMs = atMs;
      played.begunAtMs = atMs;
      played.pool = machine.jobs.pool[handle];
      change(play, played, "running", atMs);
      notes.push({ atMs, kind: "started", job: played.job.id });
    },
    left(handle, atMs, isEnd) {
      if (!isEnd) return;
      const played = jobs[handle];
      played.endMs = atMs;
      change(play, played, null, atMs);
      notes.push({ atMs, kind: "ended", job: played.job.id });
    },
  });
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
  if (to === null) {
    play.present.delete(played);
    play.admission?.left(played);
  } else play.present.add(played);
  played.state = to;
  played.seen = null;
  if (to === "waiting") wait(play, played, nowMs);
}

/** Removes a job that leaves the site without having ended, from the machine too. */
export function goAway(
  play: Play,
  played: PlayedJob,
  gone: NonNullable<EnforcedOutcome["gone"]>,
  nowMs: number,
): void {
  played.gone = gone;
  played.goneAtMs = nowMs;
  // A user's limit kept it outside: nobody has seen it.
  if (played.state === null) return;
  if (played.state !== "waiting") cancelAt(play.site, played.handle, nowMs);
  change(play, played, null, nowMs);
}
