/**
 * Plays a workload with events through a site machine in virtual time.
 *
 * The drive of `queue`, with the actors of such a workload: reservations at the beginning, cancellations and
 * outages, arrivals. Where the site has nodes, `queue/nodes` says who starts and the machine is told, whose
 * discipline is `external` then.
 */
import { assert } from "../../base/index.ts";
import {
  type Actor,
  type Arrivals,
  cancelAt,
  createArrivals,
  createDrive,
  createOrderedSite,
  type Drive,
  driveWithProgram,
  feedOf,
  finishedAt,
  handlesById,
  isRunning,
  observe,
  openStarts,
  start,
} from "../../queue/index.ts";
import type { DecidingProgram } from "../external/deciding-program.ts";
import { createSampler } from "../slots/sampler.ts";
import { driveOnNodes } from "./drive-on-nodes.ts";
import type { WorkloadJob } from "./jobs.ts";
import { createNodeSide } from "./node-side.ts";
import { goDown } from "./outages.ts";
import { noteWaste, ownerOf, type Play, type Played, type PlayRules } from "./play-state.ts";
import type { PreparedWorkload } from "./prepare.ts";
import { makeReservations } from "./reservations.ts";

/**
 * Simulates a workload to its last end.
 *
 * @throws Fault where reservations conflict, or more is down than there is
 */
export function playWorkload(workload: PreparedWorkload, rules: PlayRules): Played {
  const { play, driven, arrivals } = begin(workload, rules);
  const feed = feedOf(driven(), arrivals);
  for (const job of workload.jobs) feed.offer(job);
  feed.finish();
  return over(play);
}

/**
 * Simulates to the last end, with an external program that decides on starts.
 *
 * @throws Fault as `playWorkload`, and for all that can be wrong with a program
 */
export async function playWorkloadBy(
  workload: PreparedWorkload,
  rules: Omit<PlayRules, "discipline" | "priority">,
  programAt: (site: Play["site"]) => Promise<DecidingProgram<WorkloadJob>>,
): Promise<Played> {
  const { play, driven, arrivals } = begin(workload, { ...rules, discipline: "external" });
  const program = await programAt(play.site);
  play.tell = program.tell;
  try {
    const withProgram = driven(program);
    for (const job of workload.jobs) {
      await driveWithProgram(withProgram, job.submitMs);
      arrivals.expect(job);
    }
    program.noteLastJob();
    await driveWithProgram(withProgram, Number.POSITIVE_INFINITY);
    await program.leave();
  } finally {
    await program.stop();
  }
  return over(play);
}

interface Begun {
  readonly play: Play;
  readonly arrivals: Arrivals<WorkloadJob>;
  /** With those of a program, the actors of this workload. */
  readonly driven: (...more: readonly Actor[]) => Drive<WorkloadJob>;
}

function begin(workload: PreparedWorkload, rules: PlayRules): Begun {
  const { site: described, cancelledEarly } = workload;
  const { priority, underWay = 0, looks } = rules;
  const nodes = described.hasNodes ? createNodeSide(workload, rules.discipline) : undefined;
  const { site, submit, withdraw, actors } = createOrderedSite<WorkloadJob>({
    capacity: described.capacity,
    discipline: nodes === undefined ? rules.discipline : "external",
    priority: priority && { rules: priority, ownerOf, isFirst: ({ id }) => id < underWay },
  });
  handlesById(site);
  const played = nothingPlayed(cancelledEarly);
  const play: Play = { workload, rules, site, withdraw, nodes, played, tell: () => undefined };
  observe(site, {
    left(handle, _atMs, isEnd) {
      if (isEnd) noteEnd(play, handle);
    },
  });
  const arrivals = createArrivals<WorkloadJob>(submit);
  const onNodes = nodes === undefined ? [] : [driveOnNodes(site, nodes, (handle) => site.jobs[handle])];
  const present = [...onNodes, beginning(play), eventsOf(play), arrivals, ...actors];
  if (rules.discipline === "external" && underWay > 0) present.push(startUnderWay(play, underWay));
  if (looks !== undefined) present.push(createSampler(site.machine, looks));
  present.push({ before: () => rules.checkStop?.() });
  return { play, arrivals, driven: (...more) => createDrive(site, [...present, ...more]) };
}

function over({ site, played }: Play): Played {
  assert(site.handleOf?.size === 0, "whoever came has ended or was taken away");
  return played;
}

function nothingPlayed(cancelledWaiting: number): Played {
  return {
    ...{ done: [], interrupted: [], cancelledWaiting, cancelledRunning: 0, cancelledEnded: 0 },
    ...{ outages: 0, stopped: 0, requeued: 0, lost: 0, brokenReservations: 0, startedLate: 0 },
    ...{ reservationChanges: [], reservedMissingProcMs: 0, wastedProcMs: 0, down: [] },
  };
}

function noteEnd({ site, played }: Play, handle: number): void {
  const done = { ...finishedAt(site, handle), pool: site.machine.jobs.pool[handle] };
  played.done.push(done);
  if (done.promisedMs !== undefined && done.startMs > done.promisedMs) played.startedLate++;
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
function startUnderWay(play: Play, underWay: number): Actor {
  const { machine, handleOf } = play.site;
  return {
    admissions(atMs) {
      if (atMs > 0) return;
      openStarts(machine, atMs);
      for (let id = 0; id < underWay; id++) {
        const handle = handleOf?.get(id) ?? -1;
        if (handle >= 0 && start(machine, handle, atMs) === undefined) play.tell({ kind: "started", id });
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
        if (event.kind === "cancel") cancelOne(play, event.job, atMs);
        else goDown(play, event, atMs);
      }
    },
  };
}

function cancelOne(play: Play, job: number, atMs: number): void {
  const { site, played } = play;
  const handle = site.handleOf?.get(job);
  if (handle === undefined) {
    if (play.withdraw(play.workload.jobs[job])) played.cancelledWaiting++;
    else played.cancelledEnded++;
    return;
  }
  if (isRunning(site, handle)) {
    played.cancelledRunning++;
    played.interrupted.push(site.jobs[handle]);
    noteWaste(play, handle, atMs);
  } else played.cancelledWaiting++;
  cancelAt(site, handle, atMs);
}
