/**
 * Jobs that hold reservations instead of queueing ([PROV] 5.3; rules SI-70, SI-71).
 *
 * A job that reserves asks after everything else at its submission, also after the queued jobs that are
 * submitted at the same instant; several ask one after the other, in order of submission. It asks
 * "whenever", takes by its α, and runs in its reservation.
 */
import { assert } from "../../base/index.ts";
import { chooseStart } from "../../market/index.ts";
import type { ReservingRules } from "../../model/index.ts";
import {
  type Actor,
  cancelReservation,
  type DrivenSite,
  type FinishedJob,
  type ReplayJob,
} from "../../queue/index.ts";
import { drawReserving } from "./draw-reserving.ts";
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
  /** First id of the reserver's reservations; all other reservations have smaller ids. */
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
  /** Takes a job that has not ended out of its reservation; undefined where it has none. */
  withdraw(job: Job, atMs: number): ReservedJob<Job> | undefined;
  /** Job of a reservation that the machine has given up; undefined where it was no job's. */
  lost(reservation: number): ReservedJob<Job> | undefined;
}

/** Jobs that reserve by chance, at a site. */
interface DrawnReserving<Job extends ReplayJob>
  extends Pick<ReservingOrder<Job>, "site" | "submit" | "firstId"> {
  readonly rules: ReservingRules;
  readonly seed: number;
  readonly finished: (finished: FinishedJob<Job> & { readonly reserved: ReservedJob<Job> }) => void;
}

/** A reserver whose jobs are drawn from a seed. */
export function reserverAt<Job extends ReplayJob>(drawn: DrawnReserving<Job>): Reserver<Job> {
  const { rules, seed, finished, ...place } = drawn;
  const accepted: Accepted<Job> = (job, reserved) => finished({ ...job, reserved });
  return createReserver({ ...place, alphaOf: drawReserving(rules, seed), accepted });
}

/** A reserver without requests so far. */
export function createReserver<Job extends ReplayJob>(order: ReservingOrder<Job>): Reserver<Job> {
  const { site, alphaOf, accepted, submit } = order;
  const slots = reservableSite(site, order);
  const asking: { readonly job: Job; readonly alphaPpm: number }[] = [];
  const held = new Map<number, ReservedJob<Job>>();
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
      const { startMs, pool } = reserved;
      held.set(reserved.reservation, reserved);
      const endMs = startMs + job.runtimeMs;
      accepted({ job, startMs, endMs, promisedMs: startMs, backfilled: false, pool }, reserved);
      return true;
    },
    withdraw(job, atMs) {
      const found = [...held.values()].find((one) => one.job === job);
      if (found === undefined || found.startMs + job.runtimeMs <= atMs) return undefined;
      held.delete(found.reservation);
      cancelReservation(site.machine, found.reservation, atMs);
      return found;
    },
    lost(reservation) {
      const found = held.get(reservation);
      held.delete(reservation);
      return found;
    },
  };
}
