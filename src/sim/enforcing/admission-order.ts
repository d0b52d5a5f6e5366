/**
 * Order of jobs before an enforcer, where a priority orders them.
 *
 * Policies choose the consumer, and the priority one of its jobs; it knows the jobs outside the queue, and
 * counts the running ones. Jobs over a limit of the priority (rule PF-7) are hidden from the enforcer.
 */
import { assert } from "../../base/index.ts";
import type { PriorityRules } from "../../model/index.ts";
import { createScheme, createThrottle, type DrivenSite, type Owner, observe } from "../../queue/index.ts";
import type { PlayedJob } from "./played-job.ts";

/** The order, and the jobs that are not shown yet. */
export interface AdmissionOrder {
  /** Submits a job; `entering` returns it when it may be considered. */
  readonly submit: (played: PlayedJob) => void;
  /** A job that ran already is there, whatever a user's limit. */
  readonly entered: (played: PlayedJob) => void;
  /** A job that may be considered is gone. */
  readonly left: (played: PlayedJob) => void;
  /** Takes a job away that may not be considered yet; false where it is none. */
  readonly withdraw: (played: PlayedJob) => boolean;
  /** Jobs that may be considered from now on. */
  readonly entering: () => readonly PlayedJob[];
  /** Places of these jobs in the order, from 0 on, by their names. */
  readonly places: (waiting: readonly PlayedJob[], nowMs: number) => ReadonlyMap<string, number>;
}

/** An order that is wanted. */
interface AskedOrder {
  readonly rules: PriorityRules;
  /** Processors of the site. */
  readonly procs: number;
  /** True where the policies can ever admit a job: one that never starts counts against no limit. */
  readonly isPossible: (played: PlayedJob) => boolean;
}

/** An admission order for a site without jobs. */
export function createAdmissionOrder(
  site: DrivenSite<PlayedJob>,
  { rules, procs, isPossible }: AskedOrder,
): AdmissionOrder {
  const scheme = createScheme(rules, procs);
  let usedProcs = 0;
  const { jobs } = site;
  observe(site, {
    started(handle, atMs) {
      usedProcs += procsOf(jobs[handle]);
      scheme.started(ownerOf(jobs[handle]), procsOf(jobs[handle]), atMs);
    },
    stopped(handle, atMs) {
      usedProcs -= procsOf(jobs[handle]);
      scheme.ended(ownerOf(jobs[handle]), procsOf(jobs[handle]), atMs);
    },
  });
  const users = rules.kind === "maui" ? rules.users : {};
  const throttle = createThrottle<PlayedJob>((user) => (users[user] ?? users.default)?.maxProcs);
  const uncounted = new Set<PlayedJob>();
  const arrivals = new Map<PlayedJob, number>();
  let arrived = 0;
  return {
    submit(played) {
      scheme.known(ownerOf(played));
      throttle.submit(ownerOf(played).user, procsOf(played), played);
    },
    entered(played) {
      scheme.known(ownerOf(played));
      throttle.entered(ownerOf(played).user, procsOf(played));
      arrivals.set(played, arrived++);
    },
    left(played) {
      arrivals.delete(played);
      if (!uncounted.delete(played)) throttle.left(ownerOf(played).user, procsOf(played));
    },
    withdraw: (played) => throttle.withdraw(ownerOf(played).user, played),
    entering() {
      const all: PlayedJob[] = [];
      for (let some = throttle.entering(); some.length > 0; some = throttle.entering()) {
        for (const played of some) {
          all.push(played);
          arrivals.set(played, arrived++);
          if (isPossible(played)) continue;
          uncounted.add(played);
          throttle.left(ownerOf(played).user, procsOf(played));
        }
      }
      return all;
    },
    places(waiting, nowMs) {
      const owned = waiting.map((played) => ({
        handle: played.id,
        need: played.need,
        estimateMs: played.estimateMs,
        arrivedAtMs: played.submitMs,
        owner: ownerOf(played),
      }));
      const numbers = scheme.order(owned, { nowMs, freeProcs: procs - usedProcs });
      const inOrder = waiting
        .map((played, at) => ({ played, number: numbers[at], arrival: arrivalOf(arrivals, played) }))
        .sort((one, other) => other.number - one.number || one.arrival - other.arrival);
      return new Map(inOrder.map(({ played }, place) => [played.job.id, place]));
    },
  };
}

function arrivalOf(arrivals: ReadonlyMap<PlayedJob, number>, played: PlayedJob): number {
  const arrival = arrivals.get(played);
  assert(arrival !== undefined, "a job that waits before the enforcer has arrived there");
  return arrival;
}

function procsOf({ need }: PlayedJob): number {
  return need[0];
}

/** Owner of a job for a priority; a job without one is owned by its consumer. */
export function ownerOf({ job: { owner, consumer } }: PlayedJob): Owner {
  return owner ?? { user: consumer, group: consumer, queue: "", partition: "" };
}
