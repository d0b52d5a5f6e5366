/**
 * A replay in which some jobs hold reservations instead of queueing ([PROV] 5.3; rules SI-70 to SI-73).
 *
 * A job that reserves asks after everything else at its submission, also after the queued jobs that are
 * submitted at the same instant; several ask one after the other, in order of submission. It asks
 * "whenever", takes by its α, and runs in its reservation.
 */
import { assert } from "../../base/index.ts";
import { chooseStart } from "../../market/index.ts";
import type { FinishedJob, ReplayJob } from "../../queue/index.ts";
import { type ReservableReplay, type ReservedJob, reservableSite } from "./reservable-site.ts";

/** What it needs. */
export interface ReservingOrder<Job extends ReplayJob> extends ReservableReplay<Job> {
  /** Asked once for each job, in order of submission: its α in millionths, or undefined where it queues. */
  readonly alphaOf: (job: Job) => number | undefined;
  /** Told of each job in a reservation when that is accepted: its end is certain then. */
  readonly accepted: Accepted<Job>;
}

/** What listens: the job as it will have ended, and the reservation that it runs in. */
export type Accepted<Job extends ReplayJob> = (
  finished: FinishedJob<Job>,
  reserved: ReservedJob<Job>,
) => void;

/** Takes jobs in order of submission and plays them to the last end. */
export function reservingReplay<Job extends ReplayJob>(
  order: ReservingOrder<Job>,
): { offer(job: Job): void; finish(): void } {
  const { replay, alphaOf, accepted } = order;
  const site = reservableSite(order);
  let asking: { readonly job: Job; readonly alphaPpm: number }[] = [];
  const ask = ({ job, alphaPpm }: (typeof asking)[number]): void => {
    const quote = site.quote(job);
    const start = chooseStart(quote.list, alphaPpm);
    assert(start !== undefined, "what fits the empty machine has a possible start");
    const reserved = site.accept(quote, start, job);
    const { startMs } = reserved;
    const endMs = startMs + job.runtimeMs;
    accepted({ job, startMs, endMs, promisedMs: startMs, backfilled: false }, reserved);
  };
  const letAsk = (): void => {
    if (asking.length === 0) return;
    site.playThrough(asking[0].job.submitMs);
    for (const one of asking) ask(one);
    asking = [];
  };
  return {
    offer(job) {
      if (asking.length > 0 && job.submitMs > asking[0].job.submitMs) letAsk();
      const alphaPpm = alphaOf(job);
      if (alphaPpm === undefined) replay.offer(job);
      else asking.push({ job, alphaPpm });
    },
    finish() {
      letAsk();
      replay.finish();
    },
  };
}
