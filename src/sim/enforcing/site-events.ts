/**
 * Events at a site that is simulated with an enforcer: outages and their ends, and withdrawn jobs.
 */
import { MS_PER_SECOND } from "../../base/index.ts";
import { SITE_RESOURCES } from "../../policy/index.ts";
import { cancelAt, noteStopped, takeDown } from "../../queue/index.ts";
import { takeNodeDown } from "../workload/drive-on-nodes.ts";
import type { CapacityLoss, EnforcingInput } from "./enforced-input.ts";
import { goAway, startAnew } from "./job-changes.ts";
import type { Play, PlayedSiteEvent } from "./play.ts";

/** All events of the site in order of time; at one instant, losses come before jobs that are taken away. */
export function siteEventsOf({ losses = [], takenAway = [] }: EnforcingInput): readonly PlayedSiteEvent[] {
  const all = [
    ...losses.flatMap((loss, id): PlayedSiteEvent[] => [
      { kind: "returned", atMs: loss.untilMs, id, loss },
      { kind: "lost", atMs: loss.fromMs, id, loss },
    ]),
    ...takenAway.map((taken): PlayedSiteEvent => ({ kind: "taken", ...taken })),
  ];
  return all.sort((one, other) => one.atMs - other.atMs);
}

/** Does what comes about at this instant. */
export function applySiteEvents(play: Play, nowMs: number): void {
  const { siteEvents, next } = play;
  while (siteEvents[next.happening]?.atMs === nowMs) {
    const happening = siteEvents[next.happening++];
    if (happening.kind === "taken") takeAway(play, happening.job, nowMs);
    else if (happening.kind === "lost") goDown(play, happening, nowMs);
    else comeUp(play, happening.loss, nowMs);
  }
}

function takeAway(play: Play, job: string, nowMs: number): void {
  const played = play.byId.get(job);
  if (played === undefined) return;
  if (played.state === null && play.admission?.withdraw(played) !== true) return;
  const hasRun = played.state === "running" || played.state === "suspended";
  goAway(play, played, hasRun ? "takenRunning" : "takenWaiting", nowMs);
  play.notes.push({ atMs: nowMs, kind: "taken", job });
}

function goDown(
  play: Play,
  { id, loss }: { readonly id: number; readonly loss: CapacityLoss },
  nowMs: number,
): void {
  const { resources, down, notes, input, site } = play;
  const onNode = stopOnNode(play, loss, nowMs);
  const amounts = amountsOf(loss);
  for (const resource of SITE_RESOURCES) down[resource] += amounts[resource];
  notes.push({ atMs: nowMs, kind: "lost", cpu: loss.cpu });
  const need = resources.map((resource) => amounts[resource]);
  const fixed = { pool: loss.pool ?? 0, need, startMs: nowMs, durationMs: loss.untilMs - nowMs };
  const { reservations = [] } = input;
  const isOutage = (other: number): boolean => other >= reservations.length;
  const outage = { id: reservations.length + id, fixed, isOutage };
  const { stopped, broken, refusal } = takeDown(site.machine, outage, nowMs);
  play.brokenReservations += broken.length;
  const [procs] = need;
  play.program?.tell({ kind: "down", pool: fixed.pool, procs, until: loss.untilMs / MS_PER_SECOND });
  for (const reservation of broken) play.program?.tell({ kind: "reservationCancelled", id: reservation });
  if (refusal !== undefined && loss.refusedAs !== undefined) throw loss.refusedAs();
  for (const handle of stopped) noteStopped(site, handle, nowMs);
  for (const handle of [...onNode, ...stopped]) {
    const played = site.jobs[handle];
    if (input.stoppedJobs === "lost") goAway(play, played, "lost", nowMs);
    else {
      cancelAt(site, handle, nowMs);
      startAnew(play, played, nowMs);
    }
    notes.push({ atMs: nowMs, kind: "failed", job: played.job.id });
  }
}

/** Stops all jobs with a task on a node that goes down; returns their handles. */
function stopOnNode({ input, site, hits }: Play, loss: CapacityLoss, nowMs: number): readonly number[] {
  const { node, pool = 0, untilMs } = loss;
  if (input.nodes === undefined || node === undefined) return [];
  if (input.nodes.isDown(pool, node) && loss.refusedAs !== undefined) throw loss.refusedAs();
  const done = takeNodeDown(site, input.nodes, { pool, node, untilMs, nowMs });
  for (const hit of done.hits) hits.push({ node, atMs: nowMs, hit });
  return done.stopped;
}

function comeUp({ down, notes }: Play, loss: CapacityLoss, nowMs: number): void {
  const amounts = amountsOf(loss);
  for (const resource of SITE_RESOURCES) down[resource] -= amounts[resource];
  notes.push({ atMs: nowMs, kind: "returned", cpu: loss.cpu });
}

function amountsOf({ cpu, gpu = 0, memory = 0 }: CapacityLoss) {
  return { cpu, gpu, memory };
}
