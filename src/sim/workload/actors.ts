/**
 * Actors at the site of a workload beside arrivals and ends: reservations at the beginning, cancellations,
 * outages, jobs that reserve, samples, and a program that decides.
 *
 * Where the site has nodes, `queue/nodes` says who starts and the machine is told, whose discipline is
 * `external` then.
 */
import { assert } from "../../base/index.ts";
import { isProgram, type MachineDiscipline } from "../../model/index.ts";
import {
  type Actor,
  cancelAt,
  handlesById,
  isRunning,
  type OrderedSite,
  openStarts,
  start,
} from "../../queue/index.ts";
import { type BegunProgram, type DecidingProgram, decideAt } from "../external/deciding-program.ts";
import { createSampler } from "../slots/sampler.ts";
import { driveOnNodes } from "./drive-on-nodes.ts";
import { createNodeSide } from "./node-side.ts";
import { goDown } from "./outages.ts";
import { type Ends, noteWaste, type Play, type PlayedCounts, type PlayRules } from "./play-state.ts";
import { beginProgramFor, wordsFor } from "./program-words.ts";
import { makeReservations } from "./reservations.ts";
import type { WorkloadFrame, WorkloadJob } from "./workload.ts";

/** Actors that are ready to begin. */
interface Acting {
  readonly discipline: MachineDiscipline;
  readonly beside: (place: OrderedSite<WorkloadJob>) => {
    readonly actors: readonly Actor[];
    readonly submit: (job: WorkloadJob, atMs: number) => void;
  };
  readonly program: {
    readonly begun: BegunProgram | undefined;
    /** The program as an actor; set once the site exists. */
    deciding: DecidingProgram<WorkloadJob> | undefined;
  };
}

/** Counts and callbacks to which the actors report. */
interface Noting {
  readonly ends: Ends;
  readonly counts: PlayedCounts;
}

/** Begins the actors of a play, and the program where one decides. */
export async function beginActors(
  workload: WorkloadFrame,
  rules: PlayRules,
  { ends, counts }: Noting,
): Promise<Acting> {
  const { discipline, reserving, underWay = 0, looks, checkStop } = rules;
  const own = isProgram(discipline) ? ("external" as const) : discipline;
  const nodes = workload.site.hasNodes ? createNodeSide(workload, own) : undefined;
  const program: Acting["program"] = {
    begun: own === "external" ? await beginProgramFor(workload, rules) : undefined,
    deciding: undefined,
  };
  const reserverAt = reserving && (await import("../reserving/reserver.ts")).reserverAt;
  const beside: Acting["beside"] = ({ site, submit, withdraw }) => {
    handlesById(site);
    if (program.begun !== undefined) program.deciding = decideAt(program.begun, site, wordsFor(workload));
    const { reservations, events } = workload;
    const firstId = reservations.length + events.length;
    const finished = ends.finished ?? (() => {});
    const reserver = reserving && reserverAt?.({ site, submit, firstId, finished, ...reserving });
    const shared = { workload, rules, ends, submit, site, withdraw, nodes, counts, reserver };
    const play: Play = { ...shared, program: program.deciding };
    const actors = [beginning(play), eventsOf(play)];
    if (nodes !== undefined) actors.unshift(driveOnNodes(site, nodes, (handle) => placed(site.jobs[handle])));
    if (reserver !== undefined) actors.push(reserver);
    if (looks !== undefined) actors.push(createSampler(site.machine, looks));
    if (checkStop !== undefined) actors.push({ before: checkStop });
    if (own === "external" && underWay > 0) actors.push(startUnderWay(play, underWay));
    if (program.deciding !== undefined) actors.push(program.deciding);
    return { actors, submit: reserver?.submit ?? submit };
  };
  return { discipline: nodes === undefined ? own : "external", beside, program };
}

function placed({ shape, pools, estimateMs }: WorkloadJob) {
  assert(shape !== undefined, "where there are nodes each job says how it is parted");
  return { shape, estimateMs, ...(pools === undefined ? {} : { pools }) };
}

/** Reservations are made at the first instant, before all else but what ends. */
function beginning(play: Play): Actor {
  let isOver = false;
  return {
    nextMs: () => (isOver ? Number.POSITIVE_INFINITY : 0),
    changes() {
      if (!isOver) makeReservations(play);
      isOver = true;
    },
  };
}

/** A program is not asked about who runs already when the record begins. */
function startUnderWay({ site, program }: Play, underWay: number): Actor {
  const { machine, handleOf, jobs } = site;
  return {
    admissions(atMs) {
      if (atMs > 0) return;
      openStarts(machine, atMs);
      for (let id = 0; id < underWay; id++) {
        const handle = handleOf?.get(id) ?? -1;
        if (handle < 0 || start(machine, handle, atMs) !== undefined) continue;
        program?.tellOf(jobs[handle], { kind: "started" });
      }
    },
  };
}

/** Cancellations and outages, in order of time. */
function eventsOf(play: Play): Actor {
  const { events } = play.workload;
  let next = 0;
  return {
    nextMs: () => events[next]?.atMs ?? Number.POSITIVE_INFINITY,
    changes(atMs) {
      for (; events[next]?.atMs === atMs; next++) {
        const event = events[next];
        if (event.kind === "cancel") cancelOne(play, play.workload.jobs[event.job], atMs);
        else goDown(play, event, atMs);
      }
    },
  };
}

function cancelOne(play: Play, job: WorkloadJob, atMs: number): void {
  const { site, counts } = play;
  const handle = site.handleOf?.get(job.id);
  if (handle === undefined) {
    cancelOutside(play, job, atMs);
    return;
  }
  if (isRunning(site, handle)) {
    counts.cancelledRunning++;
    counts.interrupted.push(job);
    noteWaste(play, handle, atMs);
  } else counts.cancelledWaiting++;
  cancelAt(site, handle, atMs);
}

/** The job is not in the queue: a limit keeps it out, it holds a reservation, or it has ended. */
function cancelOutside({ withdraw, reserver, counts, ends }: Play, job: WorkloadJob, atMs: number): void {
  const reserved = reserver?.withdraw(job, atMs);
  if (reserved !== undefined) ends.takenBack?.(job);
  if (reserved !== undefined && reserved.startMs < atMs) {
    counts.cancelledRunning++;
    counts.interrupted.push(job);
    counts.wastedProcMs += job.need[0] * (atMs - reserved.startMs);
  } else if (reserved !== undefined || withdraw(job)) counts.cancelledWaiting++;
  else counts.cancelledEnded++;
}
