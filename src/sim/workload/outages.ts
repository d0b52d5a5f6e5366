/**
 * Capacity goes down while a workload is played: what stops, and what comes again (rules QU-25, QU-26).
 */
import { type Fault, MS_PER_SECOND } from "../../base/index.ts";
import { lineFault } from "../../formats/workload-jsonl/index.ts";
import { type FixedRectangle, noteStopped, takeDown } from "../../queue/index.ts";
import type { ReservedJob } from "../reserving/reservable-site.ts";
import { takeNodeDown } from "./drive-on-nodes.ts";
import { bringBack, noteWaste, type Play } from "./play-state.ts";
import { noteChange } from "./reservations.ts";
import { vectorOf } from "./site.ts";
import type { DownEvent, WorkloadJob } from "./workload.ts";

/**
 * Takes capacity down from now on.
 *
 * @throws Fault `downTwice` where other outages have it already
 */
export function goDown(play: Play, event: DownEvent, atMs: number): void {
  const { site, counts, workload, nodes, rules, reserver } = play;
  const { machine } = site;
  if (nodes?.isDown(event.pool, event.node ?? 0)) throw nodeDownAlready(rules.file, event, atMs);
  const stopped = nodes === undefined ? [] : stopOnNode(play, event, atMs);
  const fixed = rectangleOf(play, event, atMs);
  // The ids of outages are behind those of the reservations of the workload, before those of jobs.
  const firstId = workload.reservations.length;
  const id = firstId + counts.outages++;
  const isOutage = (other: number) => other >= firstId && other < firstId + workload.events.length;
  const effect = takeDown(machine, { id, fixed, isOutage }, atMs);
  if (effect.refusal !== undefined) throw downTwice(rules.file, event, atMs);
  for (const handle of effect.stopped) {
    noteWaste(play, handle, atMs);
    noteStopped(site, handle, atMs);
  }
  const [procs] = fixed.need;
  play.program?.tell({ kind: "down", pool: event.pool, procs, until: event.untilMs / MS_PER_SECOND });
  for (const reservation of effect.broken) {
    play.program?.tell({ kind: "reservationCancelled", id: reservation });
    const held = reserver?.lost(reservation);
    if (held !== undefined) loseReserved(play, held, atMs);
  }
  counts.brokenReservations += effect.broken.length;
  counts.down.push({ procs: fixed.need[0], fromMs: atMs, untilMs: event.untilMs });
  // In order of arrival, so that promises are made in the order of the queue.
  const { arrival } = machine.jobs;
  const again = [...stopped, ...effect.stopped].sort((one, other) => arrival[one] - arrival[other]);
  counts.stopped += again.length;
  for (const handle of again) bringBack(play, handle, atMs);
}

/** Stops the jobs that have a task on a node that goes down (rule QU-28). */
function stopOnNode(play: Play, { pool, node = 0, untilMs }: DownEvent, atMs: number): readonly number[] {
  const { site, nodes } = play;
  if (nodes === undefined) return [];
  const stopping = (handle: number): void => noteWaste(play, handle, atMs);
  const { stopped, hits } = takeNodeDown(site, nodes, { pool, node, untilMs, nowMs: atMs, stopping });
  for (const hit of hits) noteChange(play, { node, atMs }, hit);
  return stopped;
}

function rectangleOf(
  { workload }: Play,
  { pool, node, untilMs, entry }: DownEvent,
  atMs: number,
): FixedRectangle {
  const { site } = workload;
  const need = node === undefined ? vectorOf(entry, site.resources) : site.perNode[pool];
  return { pool, need, startMs: atMs, durationMs: untilMs - atMs };
}

/** Another outage has that node already. */
export function nodeDownAlready(file: string, { entry, node }: DownEvent, atMs: number): Fault {
  return lineFault({ file, line: entry.line }, 1, {
    code: "downTwice",
    what: `pool ${entry.pool}: node ${node ?? 0} is down already`,
    why: `another outage of this node is in effect ${atMs / MS_PER_SECOND} s after the first job`,
    remedy: "check the end of the other outage, or combine both in one line",
  });
}

/** Other outages have it already. */
export function downTwice(file: string, { entry }: DownEvent, atMs: number): Fault {
  return lineFault({ file, line: entry.line }, 1, {
    code: "downTwice",
    what: `pool ${entry.pool}: more would be down than the pool has`,
    why: `other outages take too much of the pool ${atMs / MS_PER_SECOND} s after the first job`,
    remedy: "check when they end, and whether one is listed twice",
  });
}

/** A job whose reservation was given up queues; if it had begun, it is as every job that is stopped. */
function loseReserved(play: Play, { job, startMs }: ReservedJob<WorkloadJob>, atMs: number): void {
  const { rules, counts, ends, submit } = play;
  ends.takenBack?.(job);
  const hasBegun = startMs < atMs;
  if (hasBegun) {
    counts.stopped++;
    counts.wastedProcMs += job.need[0] * (atMs - startMs);
  }
  if (hasBegun && rules.stoppedJobs === "lost") {
    counts.lost++;
    return;
  }
  if (hasBegun) counts.requeued++;
  submit(job, atMs);
}
