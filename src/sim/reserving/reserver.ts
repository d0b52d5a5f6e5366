/**
 * Jobs that hold reservations instead of queueing ([PROV] 5.3; rules SI-70, SI-71).
 *
 * A job that reserves asks after everything else at its submission, also after the queued jobs that are
 * submitted at the same instant; several ask one after the other, in order of submission. It asks
 * "whenever", takes by its α, and runs in its reservation.
 */
import { assert } from "../../base/index.ts";
import { chooseStart } from "../../market/index.ts";
import type { Actor, DrivenSite, FinishedJob, ReplayJob } from "../../queue/index.ts";
import { type Lister, type ReservedJob, reservableSite } from "./reservable-site.ts";

/** Dependencies of a reserver. */
export interface ReservingOrder<Job extends ReplayJob> {
  readonly site: DrivenSite<Job>;
  /** Asked once for each job, in order of submission: its α in millionths, or undefined where it queues. */
  readonly alphaOf: (job: Job) => number | undefined;
  /** Called with each job of an accepted reservation, whose end is then certain. */
  readonly accepted: Accepted<Job>;
  /** Takes the jobs that queue. */
  readonly submit: (job: Job, atMs: number) => void;
  /** Of its reservations; others have smaller ones. */
  readonly firstId: number;
  readonly lister?: Lister;
}

/** Receives a job with its future end, and its reservation. */
export type Accepted<Job extends ReplayJob> = (
  finished: FinishedJob<Job>,
  reserved: ReservedJob<Job>,
) => void;

/** An actor to which all jobs are submitted. */
export interface Reserver<Job extends ReplayJob> extends Actor {
  submit(job: Job, atMs: number): void;
}

/** A reserver without requests so far. */
export function createReserver<Job extends ReplayJob>(order: ReservingOrder<Job>): Reserver<Job> {
  const { site, alphaOf, accepted, submit } = order;
  const slots = reservableSite(site, order);
  const asking: { readonly job: Job; readonly alphaPpm: number }[] = [];
  return {
    ...slots,
    submit(job, atMs) {
      const alphaPpm = alphaOf(job);
      if (alphaPpm === undefined) submit(job, atMs);
      else asking.push({ job, alphaPpm });
    },
    again() {
      const next = asking.shift();
      if (next === undefined) return false;
      const { job, alphaPpm } = next;
      const quote = slots.quote(job);
      const start = chooseStart(quote.list, alphaPpm);
      assert(start !== undefined, "what fits the empty machine has a possible start");
      const reserved = slots.accept(quote, start, job);
      const { startMs } = reserved;
      const endMs = startMs + job.runtimeMs;
      accepted({ job, startMs, endMs, promisedMs: startMs, backfilled: false }, reserved);
      return true;
    },
  };
}
