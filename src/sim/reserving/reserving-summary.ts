/**
 * Summary of reservations at a site: sums are exact, means divided once.
 */
import { ExactSum, exactProduct, MS_PER_HOUR, MS_PER_SECOND } from "../../base/index.ts";
import type { ReservingRules, ReservingSummary } from "../../model/index.ts";
import { Distribution } from "../distribution.ts";
import type { WorkloadJob } from "../workload/workload.ts";
import type { ReservedJob } from "./reservable-site.ts";

const MILLION = 1_000_000;

/** Waits of all jobs that count, in ms, with who of them reserved. */
export interface CountedWaits {
  /** By place from `first` on. */
  readonly waitsMs: Float64Array;
  readonly first: number;
}

/**
 * The summary over the jobs that count, in order of submission.
 *
 * @param reserved of the whole workload; those that do not count are left out
 */
export function reservingSummary(
  { sharePpm, alphaPpm }: ReservingRules,
  reserved: readonly ReservedJob<WorkloadJob>[],
  { waitsMs, first }: CountedWaits,
): ReservingSummary {
  const isCounted = ({ id }: WorkloadJob): boolean => id >= first && id < first + waitsMs.length;
  const own = reserved.filter(({ job }) => isCounted(job));
  const holders = new Set(own.map(({ job }) => job.id));
  const waits = { reserved: new Waits(), queued: new Waits() };
  waitsMs.forEach((waitMs, at) => {
    (holders.has(first + at) ? waits.reserved : waits.queued).add(waitMs);
  });
  return {
    share: sharePpm / MILLION,
    alpha: alphaPpm === "random" ? alphaPpm : alphaPpm / MILLION,
    reservedJobs: waits.reserved.count,
    queuedJobs: waits.queued.count,
    ...pricesOf(own),
    reservedWaitMeanSec: waits.reserved.meanSec(),
    reservedWaitMedianSec: waits.reserved.medianSec(),
    queuedWaitMeanSec: waits.queued.meanSec(),
    queuedWaitMedianSec: waits.queued.medianSec(),
    ...delaysOf(own),
    returnedSu: suOf(own, ({ job }) => exactProduct(job.need[0], job.estimateMs - job.runtimeMs)),
  };
}

class Waits {
  readonly #sum = new ExactSum();
  readonly #values = new Distribution();
  count = 0;

  add(waitMs: number): void {
    this.#sum.add(waitMs);
    this.#values.add(waitMs);
    this.count++;
  }

  meanSec(): number | null {
    return this.count === 0 ? null : this.#sum.dividedBy(this.count) / MS_PER_SECOND;
  }

  medianSec(): number | null {
    return this.count === 0 ? null : this.#values.quantile(0.5) / MS_PER_SECOND;
  }
}

type Prices = Pick<ReservingSummary, "fixedMeanSu" | "fixedMaxSu" | "unitPrice" | "freeShare">;

function pricesOf(own: readonly ReservedJob<WorkloadJob>[]): Prices {
  if (own.length === 0) return { fixedMeanSu: null, fixedMaxSu: null, unitPrice: null, freeShare: null };
  const fixedSu = suOf(own, ({ fixedProcMs }) => fixedProcMs);
  const baseSu = suOf(own, ({ job }) => exactProduct(job.need[0], job.estimateMs));
  const mostProcMs = own.reduce((most, { fixedProcMs }) => Math.max(most, fixedProcMs), 0);
  return {
    fixedMeanSu: fixedSu / own.length,
    fixedMaxSu: mostProcMs / MS_PER_HOUR,
    unitPrice: (baseSu + fixedSu) / baseSu,
    freeShare: own.filter(({ fixedProcMs }) => fixedProcMs === 0).length / own.length,
  };
}

type Delays = Pick<ReservingSummary, "delayedJobs" | "delays" | "delayMeanSec" | "delayMaxSec">;

function delaysOf(own: readonly ReservedJob<WorkloadJob>[]): Delays {
  const all = own.flatMap(({ delayed }) => delayed);
  const delayedJobs = new Set(all.map(({ job }) => job.id)).size;
  if (all.length === 0) return { delayedJobs, delays: 0, delayMeanSec: null, delayMaxSec: null };
  const sum = new ExactSum();
  let mostMs = 0;
  for (const { delayMs } of all) {
    sum.add(delayMs);
    mostMs = Math.max(mostMs, delayMs);
  }
  return {
    delayedJobs,
    delays: all.length,
    delayMeanSec: sum.dividedBy(all.length) / MS_PER_SECOND,
    delayMaxSec: mostMs / MS_PER_SECOND,
  };
}

function suOf(
  own: readonly ReservedJob<WorkloadJob>[],
  procMsOf: (one: ReservedJob<WorkloadJob>) => number,
): number {
  const sum = new ExactSum();
  for (const one of own) sum.add(procMsOf(one));
  return sum.dividedBy(1) / MS_PER_HOUR;
}
