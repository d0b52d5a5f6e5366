/**
 * What a simulation of one trace is asked, and what it answers.
 *
 * The report's field names are the JSON keys of `stint sim -o json` and are stable: only ever added.
 */
import type { Discipline, EstimateRule, OverrunRule } from "./discipline.ts";

/** Replay this trace under these rules. */
export interface SimulationRequest {
  /** A file in SWF, plain or gzip. */
  readonly trace: string;
  /** Processors of the machine; the trace's header says when absent. */
  readonly procs?: number;
  readonly discipline: Discipline;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  /** A CSV file of reservations made before the first job. */
  readonly reservations?: string;
  /** Skip and count malformed lines instead of stopping at the first. */
  readonly lenient: boolean;
  /** Where to write a row per job: .csv or .swf, each also with .gz. */
  readonly jobsOut?: string;
}

/** Jobs and lines of the trace that were not simulated, by reason. */
export interface SkippedJobs {
  /** Neither requested nor allocated processors are known. */
  readonly noProcs: number;
  /** No run time, or none above zero. */
  readonly noRuntime: number;
  readonly widerThanMachine: number;
  /** Lines that are no SWF; only with `lenient`. */
  readonly malformed: number;
}

/** The answer. Times in seconds, exact to the millisecond where they are not means. */
export interface SimulationReport {
  readonly version: string;
  readonly trace: string;
  /** Of the file as it is stored. */
  readonly traceSha256: string;
  readonly discipline: Discipline;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  readonly procs: number;
  readonly procsFrom: "option" | "header MaxProcs" | "header MaxNodes";
  readonly reservations: number;
  readonly jobs: number;
  readonly skipped: SkippedJobs;
  /** Jobs that stood in the file behind a later submission; they were sorted. */
  readonly unsorted: number;
  /** Jobs cut at their request (overrun rule `kill`). */
  readonly killed: number;
  readonly backfilled: number;
  readonly waitMeanSec: number;
  readonly waitMedianSec: number;
  readonly waitP95Sec: number;
  readonly waitP99Sec: number;
  readonly waitMaxSec: number;
  readonly responseMeanSec: number;
  readonly responseMedianSec: number;
  readonly responseP95Sec: number;
  readonly responseP99Sec: number;
  readonly responseMaxSec: number;
  readonly boundedSlowdownMean: number;
  readonly boundedSlowdownMedian: number;
  readonly boundedSlowdownP95: number;
  readonly boundedSlowdownP99: number;
  readonly boundedSlowdownMax: number;
  /** Busy processor time over processors × makespan. */
  readonly utilisation: number;
  /** First submission to last end. */
  readonly makespanSec: number;
  /** A clock field: first event to last end, without reading, metrics and writing. */
  readonly simulationMs: number;
  /** A clock field: reading the trace and making jobs of its lines. */
  readonly readMs: number;
}

/** Mean busy share of the machine over equal stretches of the makespan, for a picture. */
export interface UtilisationCourse {
  readonly stepSec: number;
  /** Fractions of the machine, 0 … 1. */
  readonly shares: readonly number[];
}

/** A report with what is drawn beside it. */
export interface SimulationOutcome {
  readonly report: SimulationReport;
  readonly course: UtilisationCourse;
  /** A message for each of the first malformed lines that were skipped. */
  readonly malformedMessages: readonly string[];
}

/** How far a simulation is. */
export interface SimulationProgress {
  readonly jobsDone: number;
  /** Fraction of the trace file that has been read, 0 … 1; undefined where its size is not known. */
  readonly readFraction: number | undefined;
  /** The virtual date in milliseconds of Unix time; of 1970 where the trace does not say when it began. */
  readonly virtualUnixMs: number;
}

/** What runs simulations; handed to whoever asks for them. */
export type Simulate = (
  request: SimulationRequest,
  onProgress?: (progress: SimulationProgress) => void,
) => Promise<SimulationOutcome>;
