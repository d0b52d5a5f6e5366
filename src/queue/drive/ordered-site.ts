/**
 * An empty site to be driven, whose queue a priority orders where one is asked for, throttled where the
 * priority's rules say so (rule PF-7).
 *
 * A job that its user's limit kept out of the queue for a while has waited since its submission all the same.
 */
import { assert } from "../../base/index.ts";
import type { MachineDiscipline, PriorityRules } from "../../model/index.ts";
import type { Need } from "../../profile/index.ts";
import { createMachine, type PriorityFunction } from "../machine.ts";
import { createScheme } from "../priority/create-scheme.ts";
import { type FollowedScheme, followScheme } from "../priority/follow.ts";
import type { Owner } from "../priority/scheme.ts";
import { createThrottle } from "../priority/throttle.ts";
import type { Actor } from "./drive.ts";
import type { ReplayJob } from "./replay-job.ts";
import { arriveAt, createSite, type DrivenSite, observe } from "./site.ts";

/** Priority rules of a queue, and the owners of its jobs. */
interface QueuePriority<Job extends ReplayJob> {
  readonly rules: PriorityRules;
  readonly ownerOf: (job: Job) => Owner;
  /** Jobs that go before all others, whatever the rules: those that ran when a record begins. */
  readonly isFirst?: (job: Job) => boolean;
}

/** Configuration of a site to be created. */
export interface SiteOrder<Job extends ReplayJob> {
  /** Capacity vector of each pool. */
  readonly capacity: readonly Need[];
  readonly discipline: MachineDiscipline;
  /** The queue is in order of arrival where it is absent. */
  readonly priority?: QueuePriority<Job> | undefined;
  /** The first instant that the machine knows; 0 where absent. */
  readonly startMs?: number;
}

/** The site, and how jobs come to it. */
export interface OrderedSite<Job extends ReplayJob> {
  readonly site: DrivenSite<Job>;
  /** Takes a job that fits into one of its pools at least. */
  submit(job: Job, atMs: number): void;
  /** Takes a job away that its user's limit still keeps out of the queue; false where it is none. */
  withdraw(job: Job): boolean;
  /** The throttle, where there is one. */
  readonly actors: readonly Actor[];
}

/** An empty site of this configuration, with the actors of its priority and throttle. */
export function createOrderedSite<Job extends ReplayJob>(order: SiteOrder<Job>): OrderedSite<Job> {
  const { capacity, discipline, priority: asked, startMs } = order;
  const procs = capacity.reduce((sum, amounts) => sum + amounts[0], 0);
  const scheme = asked && followScheme(createScheme(asked.rules, procs), procs);
  const isFirst = asked?.isFirst ?? (() => false);
  const jobs: Job[] = [];
  const priority: PriorityFunction | undefined =
    scheme && ((job, nowMs) => (isFirst(jobs[job.handle]) ? Number.MAX_VALUE : scheme.priority(job, nowMs)));
  const rules = { discipline, ...(priority === undefined ? {} : { priority }) };
  const site = createSite<Job>(createMachine(capacity, rules, startMs), jobs);
  if (asked !== undefined && scheme !== undefined) follow(site, scheme, asked.ownerOf);
  const submit = (job: Job, atMs: number): void => {
    assert(arriveAt(site, job, atMs) !== undefined, "jobs that fit nowhere were left out");
  };
  if (asked?.rules.kind !== "maui") return { site, submit, withdraw: () => false, actors: [] };
  const { users } = asked.rules;
  const userOf = (job: Job): string => asked.ownerOf(job).user;
  const limitOf = (user: string) => (users[user] ?? users.default)?.maxProcs;
  return throttleSite(site, { submit, userOf, limitOf, isFirst });
}

function follow<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  scheme: FollowedScheme,
  ownerOf: (job: Job) => Owner,
): void {
  const { jobs, machine } = site;
  scheme.attach(machine);
  observe(site, {
    arrived(handle) {
      const job = jobs[handle];
      const { need, estimateMs, submitMs: arrivedAtMs } = job;
      scheme.arrived(handle, { need, estimateMs, arrivedAtMs, owner: ownerOf(job) });
    },
    started: (handle, atMs) => scheme.started(ownerOf(jobs[handle]), jobs[handle].need[0], atMs),
    stopped: (handle, atMs) => scheme.ended(ownerOf(jobs[handle]), jobs[handle].need[0], atMs),
  });
}

interface ThrottleRules<Job> {
  readonly submit: (job: Job, atMs: number) => void;
  readonly userOf: (job: Job) => string;
  readonly limitOf: (user: string) => number | undefined;
  /** Jobs that are never kept out. */
  readonly isFirst?: (job: Job) => boolean;
}

/**
 * Site with a throttle in front: a job beyond its user's limit reaches the machine at the first instant at
 * which the limit allows it, after the ends of that instant.
 */
export function throttleSite<Job extends ReplayJob>(
  site: DrivenSite<Job>,
  { submit, userOf, limitOf, isFirst = () => false }: ThrottleRules<Job>,
): OrderedSite<Job> {
  const throttle = createThrottle<Job>(limitOf);
  const { jobs } = site;
  observe(site, { left: (handle) => throttle.left(userOf(jobs[handle]), jobs[handle].need[0]) });
  const actor: Actor = {
    admissions(atMs) {
      for (const job of throttle.entering()) submit(job, atMs);
    },
  };
  return {
    site,
    submit(job, atMs) {
      if (!isFirst(job)) return throttle.submit(userOf(job), job.need[0], job);
      throttle.entered(userOf(job), job.need[0]);
      submit(job, atMs);
    },
    withdraw: (job) => throttle.withdraw(userOf(job), job),
    actors: [actor],
  };
}
