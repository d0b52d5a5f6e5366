/**
 * The order of negotiation in the manner of HTCondor.
 *
 * Equivalent to the published description [CONDOR]: a user's real priority runs exponentially, with its
 * half-life, towards the processors that he has in use, from 0.5 and never below; the effective one is
 * that × a factor. Users are visited from the smallest up; each is given his jobs in order of submission
 * until his slice of the free processors, in inverse proportion to the effective priorities of all who
 * have jobs, is used up; what is left is sliced again. It differs in these ways: a negotiation at every
 * instant at which something ends or arrives; jobs are parallel, and when no slice holds one more job,
 * each user in turn is offered what is left; nothing is preempted; no groups with quotas. A parallel job
 * that does not fit waits by the site's discipline: under EASY it holds a promise, which HTCondor's
 * would not.
 * Cost: O(waiting jobs + users × spins).
 */
import type { CondorRules } from "../../model/index.ts";
import type { OwnedJob, PriorityScheme } from "./scheme.ts";

/** Real priority of one user: what it was, and the processors in use since. */
export interface RealPriority {
  value: number;
  procs: number;
  asOfMs: number;
}

/** The best possible real priority, and the initial one of every user. */
const BEST_REAL_PRIORITY = 0.5;

/** The real priority at an instant, not before the last change. */
export function realPriorityAt({ value, procs, asOfMs }: RealPriority, atMs: number, halfLifeMs: number) {
  const kept = 0.5 ** ((atMs - asOfMs) / halfLifeMs);
  return Math.max(BEST_REAL_PRIORITY, kept * value + (1 - kept) * procs);
}

/** A user with what he waits for, in order of submission. */
export interface Submitter {
  readonly effectivePriority: number;
  /** Processors of each job. */
  readonly jobs: readonly number[];
}

/** A job by its submitter and its place among his. */
export interface Negotiated {
  readonly submitter: number;
  readonly job: number;
}

/** The order in which a negotiation comes to the jobs. */
export function negotiate(submitters: readonly Submitter[], freeProcs: number): readonly Negotiated[] {
  const visits = submitters
    .map(({ effectivePriority, jobs }, submitter) => ({ submitter, jobs, effectivePriority, next: 0 }))
    .sort((a, b) => a.effectivePriority - b.effectivePriority);
  const order: Negotiated[] = [];
  let free = freeProcs;
  const take = (visit: (typeof visits)[number]): number => {
    const procs = visit.jobs[visit.next];
    order.push({ submitter: visit.submitter, job: visit.next++ });
    return procs;
  };
  const hasJobs = ({ next, jobs }: (typeof visits)[number]): boolean => next < jobs.length;
  for (let gave = 1; gave > 0 && free > 0; free -= gave) {
    gave = 0;
    const spinning = visits.filter(hasJobs);
    const parts = spinning.reduce((sum, { effectivePriority }) => sum + 1 / effectivePriority, 0);
    for (const visit of spinning) {
      // A slice of forty processors must not fail at the fortieth for the last bit of a quotient.
      let slice = (free / (visit.effectivePriority * parts)) * (1 + 1e-9);
      while (hasJobs(visit) && visit.jobs[visit.next] <= Math.min(slice, free - gave)) {
        const procs = take(visit);
        slice -= procs;
        gave += procs;
      }
    }
    if (gave > 0) continue;
    for (const visit of spinning) if (visit.jobs[visit.next] <= free - gave) gave += take(visit);
  }
  for (const visit of visits) while (hasJobs(visit)) take(visit);
  return order;
}

/** The scheme of these rules. */
export function condorScheme({ halfLifeMs, factor, users }: CondorRules): PriorityScheme {
  const real = new Map<string, RealPriority>();

  function priorityOf(user: string): RealPriority {
    const there = real.get(user);
    if (there !== undefined) return there;
    const made = { value: BEST_REAL_PRIORITY, procs: 0, asOfMs: 0 };
    real.set(user, made);
    return made;
  }

  function change(user: string, procs: number, atMs: number): void {
    const own = priorityOf(user);
    own.value = realPriorityAt(own, atMs, halfLifeMs);
    own.procs += procs;
    own.asOfMs = atMs;
  }

  return {
    known: () => undefined,
    started: ({ user }, procs, atMs) => change(user, procs, atMs),
    ended: ({ user }, procs, atMs) => change(user, -procs, atMs),
    order: (waiting, { nowMs, freeProcs }) => {
      const places = new Map<string, number[]>();
      for (const [i, { owner }] of waiting.entries()) {
        const own = places.get(owner.user);
        if (own === undefined) places.set(owner.user, [i]);
        else own.push(i);
      }
      const mine = [...places.values()];
      const submitters = [...places].map(([user, own]) => ({
        effectivePriority:
          realPriorityAt(priorityOf(user), nowMs, halfLifeMs) * (users[user]?.factor ?? factor),
        jobs: own.map((i) => procsOf(waiting[i])),
      }));
      const ranks = new Array<number>(waiting.length).fill(0);
      for (const [rank, { submitter, job }] of negotiate(submitters, freeProcs).entries()) {
        ranks[mine[submitter][job]] = -rank;
      }
      return ranks;
    },
  };
}

function procsOf({ need }: OwnedJob): number {
  return need[0];
}
