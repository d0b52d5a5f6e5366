/**
 * Description of a workload: machine, load, sizes, runtimes, estimates, arrivals, owners.
 *
 * The field names are the JSON keys of `stint sim describe -o json` and are stable: only ever added. All
 * values are of the jobs that would be simulated (rule SI-1). Shares are 0 … 1.
 */
import type { SkippedJobs } from "./simulation.ts";

/** Describe this trace. */
export interface DescribeRequest {
  /** A file in SWF, plain or gzip. */
  readonly trace: string;
  /** Processors of the machine; absent: those of the trace's header. */
  readonly procs?: number;
  /** Skip and count malformed lines instead of stopping at the first. */
  readonly lenient: boolean;
}

/** A distribution; quantiles interpolate linearly between neighbours (rule SI-5). */
export interface Spread {
  readonly mean: number;
  readonly min: number;
  readonly p5: number;
  readonly p25: number;
  readonly median: number;
  readonly p75: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Jobs of `from` to `to` processors. */
export interface SizeClass {
  readonly from: number;
  readonly to: number;
  readonly jobShare: number;
  /** Of the work: processors × runtime. */
  readonly workShare: number;
}

/** A user, group or queue. */
interface OwnerShare {
  readonly id: number;
  /** Name by the header; null without one. */
  readonly name: string | null;
  readonly jobs: number;
  readonly workShare: number;
}

/** The users, groups or queues of a workload. */
export interface OwnerShares {
  /** Number of values. */
  readonly count: number;
  /** Share of the jobs of which it is not known. */
  readonly unknownShare: number;
  /** The ten with the most work, in that order. */
  readonly top: readonly OwnerShare[];
}

/** The machine by the header; null for missing values. */
export interface WorkloadMachine {
  readonly procs: number | null;
  readonly procsFrom: "option" | "header MaxProcs" | "header MaxNodes" | null;
  readonly computer: string | null;
  readonly installation: string | null;
  /** The zone of the hours and weekdays: a name, or hours from UTC. */
  readonly timeZone: string | null;
}

/** When the jobs came. */
export interface WorkloadArrivals {
  /** Jobs by hour of day, 0 to 23; null for a trace without a start date. */
  readonly byHour: readonly number[] | null;
  /** Jobs by weekday from Monday; null as above. */
  readonly byWeekday: readonly number[] | null;
  /** Between one submission and the next, in seconds; null with a single job. */
  readonly gapsSec: Spread | null;
  /** Standard deviation of the gaps over their mean: 1 for Poisson arrivals. */
  readonly gapVariation: number | null;
}

/** Accuracy of requested times as predictions of run times. */
export interface WorkloadEstimates {
  /** Jobs with a requested time. */
  readonly jobs: number;
  /** Runtime over requested time; null without any. */
  readonly accuracy: Spread | null;
  /** Shares of these jobs by accuracy: up to 0.1, up to 0.2, … up to 1. The rest is underestimated. */
  readonly byTenth: readonly number[];
  /** Share that ran longer than requested. */
  readonly underestimatedShare: number;
  /** Share that ran exactly as long as requested. */
  readonly exactShare: number;
  /** Number of distinct requested times. */
  readonly values: number;
  /** The ten most frequent ones. */
  readonly popular: readonly { readonly requestedSec: number; readonly jobShare: number }[];
}

/** The answer. */
export interface WorkloadDescription {
  readonly version: string;
  readonly trace: string;
  /** Of the file as it is stored. */
  readonly traceSha256: string;
  readonly machine: WorkloadMachine;
  readonly jobs: number;
  readonly skipped: SkippedJobs;
  /** Jobs that stand in the file behind a later submission. */
  readonly unsorted: number;
  /** ISO 8601 in UTC; null for a trace without a start date. */
  readonly firstSubmitAt: string | null;
  readonly lastSubmitAt: string | null;
  /** First to last submission. */
  readonly spanSec: number;
  /** Processors × runtime over all jobs, in processor-seconds. */
  readonly workProcSec: number;
  /** Work over processors × span; null where one of them is not known or zero. */
  readonly load: number | null;
  /** Work over processors × (first submission to last recorded end); null where waits are not recorded. */
  readonly recordedUtilisation: number | null;
  readonly sizes: Spread & {
    readonly serialShare: number;
    /** Of all jobs, the serial ones included. */
    readonly powerOfTwoShare: number;
    /** 1, 2, 3–4, 5–8, … as far as there are jobs. */
    readonly classes: readonly SizeClass[];
  };
  readonly runtimesSec: Spread;
  readonly estimates: WorkloadEstimates;
  readonly arrivals: WorkloadArrivals;
  readonly users: OwnerShares;
  readonly groups: OwnerShares;
  readonly queues: OwnerShares;
  /** Jobs by the status that the trace gives them. */
  readonly statuses: {
    readonly completed: number;
    readonly failed: number;
    readonly cancelled: number;
    /** Parts of jobs that were stopped and went on (statuses 2 to 4). */
    readonly partial: number;
    readonly unknown: number;
  };
}

/** Describes workloads; passed to consumers of this type. */
export type Describe = (request: DescribeRequest) => Promise<WorkloadDescription>;
