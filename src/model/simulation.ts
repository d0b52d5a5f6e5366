/**
 * Request and report of a simulation of one trace.
 *
 * The report's field names are the JSON keys of `stint sim -o json` and are stable: only ever added.
 */
import type { Discipline, EstimateRule, OverrunRule, ProgramDiscipline } from "./discipline.ts";
import type { EnergyUse, PowerModel } from "./energy.ts";
import type { ClassLimits, GroupedJobs, JobGrouping, ShareDeviation } from "./job-groups.ts";
import type { EnforcementRules } from "./policy.ts";
import type { PriorityName, PriorityRules } from "./priority.ts";

/** Treatment of a running job whose capacity goes down: it is requeued from its beginning, or lost. */
export const STOPPED_RULES = ["requeue", "lost"] as const;
/** One of {@link STOPPED_RULES}. */
export type StoppedRule = (typeof STOPPED_RULES)[number];

/** Usage policies under which a trace is played. */
export interface SimulatedPolicies {
  readonly files: readonly string[];
  /** YAML file of owners; without it each user is `u<number>`. */
  readonly owners?: string;
  /** `literal`: the enforcer is the source's logic, line by line. */
  readonly form: EnforcementRules["form"];
}

/** Policies that are tried on a workload that was recorded, before they hold. */
export interface PolicyTrial extends SimulatedPolicies {
  /** A trace in SWF, a workload in JSON lines, or what sacct printed. */
  readonly trace: string;
  /** Options of reading sacct output; absent: those of `stint import accounting`. */
  readonly accounting?: AccountingTrial;
  /** The policies of today; none where there are none. */
  readonly before: readonly string[];
  /** Processors of the machine; absent: those of the trace's header, or the maximum in use. */
  readonly procs?: number;
  /** Of the queue, behind the enforcer where there are policies. */
  readonly discipline: Discipline;
  /** Assumed run times in planning: the recorded ones, or the requests. */
  readonly estimates: EstimateRule;
}

/** Of what sacct printed: its time zone, its period, and a file with what scontrol shows of the site. */
interface AccountingTrial {
  readonly zone?: string;
  readonly since?: string;
  readonly until?: string;
  readonly site?: string;
}

/** Facts on a record that has a beginning and pools. */
export interface TriedRecord {
  /** Jobs that ran when it began. */
  readonly running: number;
  /** Jobs that were played and not compared: taken away, or without a recorded start. */
  readonly notCompared: number;
  /** Jobs that were not played. */
  readonly skipped: number;
  /** Sentences on assumptions about the accounting. */
  readonly warnings: readonly string[];
}

/** Effects of a change by consumer. Waits are means, in ms. */
export interface PolicyEffects {
  readonly site: string;
  readonly jobs: number;
  readonly procs: number;
  /** Pools of the machine, where the record has them. */
  readonly pools?: readonly SimulatedPool[];
  readonly record?: TriedRecord;
  /** Distance of starts under today's rules from recorded ones. */
  readonly baseline: { readonly medianErrorMs: number; readonly p95ErrorMs: number };
  /** Organisations, those that lose most first. */
  readonly consumers: readonly AffectedConsumer[];
}

/** Mean waits of an organisation's jobs. */
export interface AffectedConsumer {
  readonly consumer: string;
  readonly jobs: number;
  /** Jobs that would never start, under the one or the other; they are in no mean. */
  readonly neverStarted: number;
  readonly waitRecordedMs: number;
  readonly waitTodayMs: number;
  readonly waitChangedMs: number;
}

/** Actions of an enforcer in a simulation. */
export interface EnforcingSummary {
  readonly site: string;
  readonly form: EnforcementRules["form"];
  /** Number of passes. */
  readonly looks: number;
  /** Number of suspensions, and of jobs suspended at least once. */
  readonly stops: number;
  readonly stoppedJobs: number;
  /** Jobs that are wider than what their consumer may ever use at once. */
  readonly neverStarted: number;
}

/** Replay this trace under these rules. */
export interface SimulationRequest {
  /** A file in SWF, plain or gzip. */
  readonly trace: string;
  /** Processors of the machine; absent: those of the trace's header. */
  readonly procs?: number;
  /** Bytes of the machine; only for a workload with memory requests. */
  readonly memoryBytes?: number;
  /** GPUs of the machine; as `memoryBytes`. */
  readonly gpus?: number;
  /** Only for a workload with outages; `requeue` when absent. */
  readonly stoppedJobs?: StoppedRule;
  readonly discipline: Discipline | ProgramDiscipline;
  /** Time limit for each answer of an external program; 60 s when absent. */
  readonly answerLimitMs?: number;
  /** In which order the queue is served; order of arrival when absent. */
  readonly priority?: PriorityName;
  /** A YAML file with the rules of that priority; what is usual when absent. */
  readonly priorityConfig?: string;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  /** A CSV file of reservations made before the first job. */
  readonly reservations?: string;
  /** Skip and count malformed lines instead of stopping at the first. */
  readonly lenient: boolean;
  /** Where to write a row per job: .csv or .swf, each also with .gz. */
  readonly jobsOut?: string;
  /** Look at the site's slots so often, in ms; never when absent. */
  readonly sampleSlotsMs?: number;
  /** File for rows of slots: .csv or .csv.gz; only with `sampleSlotsMs`. */
  readonly slotsOut?: string;
  /** Policies of an enforcer that admits the jobs. */
  readonly policies?: SimulatedPolicies;
  /** Report the jobs by these, each once; by none when absent. */
  readonly by?: readonly JobGrouping[];
  /** Report the energy by this model; none when absent. */
  readonly power?: PowerModel;
  /** Where classes part; those of the literature when absent. */
  readonly classLimits?: ClassLimits;
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

/** Distribution of a measure. */
export interface SampleSpread {
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** The slots that the site would have advertised at sampling times ([PROV] 3.1). */
export interface SlotSummary {
  readonly everySec: number;
  readonly samples: number;
  /** Slots at a sample. */
  readonly count: SampleSpread;
  /** Jobs running and queued at a sample. */
  readonly jobsInSystem: SampleSpread;
  /** Pearson's, of the two; null where one of them never changes. */
  readonly countJobsCorrelation: number | null;
  /** Over all slots of all samples. */
  readonly procs: SampleSpread;
  /** From the sample on. */
  readonly startSec: SampleSpread;
  readonly durationSec: SampleSpread;
  /** The share of slots that nothing scheduled ends, 0 … 1. */
  readonly extensibleShare: number;
}

/** The answer. Times in seconds, exact to the millisecond where they are not means. */
export interface SimulationReport {
  readonly version: string;
  readonly trace: string;
  /** Of the file as it is stored. */
  readonly traceSha256: string;
  readonly discipline: Discipline | ProgramDiscipline;
  /** The priority that ordered the queue, with all its rules; absent: order of arrival. */
  readonly priority?: PriorityRules;
  readonly estimates: EstimateRule;
  readonly overrun: OverrunRule;
  readonly procs: number;
  readonly procsFrom: "option" | "header MaxProcs" | "header MaxNodes" | "workload";
  readonly reservations: number;
  readonly jobs: number;
  readonly skipped: SkippedJobs;
  /** Jobs that stood in the file behind a later submission; they were sorted. */
  readonly unsorted: number;
  /** Jobs cut at their request (overrun rule `kill`). */
  readonly killed: number;
  readonly backfilled: number;
  /** Of a workload with several resources, pools and events. */
  readonly workload?: WorkloadFacts;
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
  /** Only where slots were sampled. */
  readonly slots?: SlotSummary;
  /** Only where policies were enforced. */
  readonly enforcing?: EnforcingSummary;
  /** Only where the jobs are to be reported by class, user or group; in the order asked for. */
  readonly grouped?: readonly GroupedJobs[];
  /** Only where a model of power was given. */
  readonly energy?: EnergyUse;
  /** Only beside `grouped`, where policies give shares. */
  readonly shares?: ShareDeviation;
  /** A clock field: first event to last end, without reading, metrics and writing. */
  readonly simulationMs: number;
  /** A clock field: reading the trace and making jobs of its lines. */
  readonly readMs: number;
}

/** A pool of a simulated site; with `nodes` its amounts are those of one node. */
export interface SimulatedPool {
  readonly name: string;
  readonly nodes?: number;
  readonly procs: number;
  readonly memoryBytes?: number;
  readonly gpus?: number;
}

/** Effect of a node's outage on a reservation there. Times count from the first job. */
export interface ReservationChange {
  /** Id of the reservation. */
  readonly reservation: string;
  readonly pool: string;
  /** The node, from 0, and the instant of the outage. */
  readonly node: number;
  readonly atSec: number;
  /** Processors that were moved, and onto which nodes. */
  readonly movedProcs: number;
  readonly movedTo: readonly number[];
  /** Processors for which no node was free, and when they are missing; null where none are. */
  readonly missingProcs: number;
  readonly missingFromSec: number | null;
  readonly missingUntilSec: number | null;
}

/** Facts on a workload in JSON lines. Jobs that did not end are not measured. */
export interface WorkloadFacts {
  readonly pools: readonly SimulatedPool[];
  readonly stoppedJobs: StoppedRule;
  /** The jobs that are counted as wider than the machine, by what is too little in every pool they name. */
  readonly fitNowhere: {
    readonly unknownPool: number;
    readonly procs: number;
    readonly memory: number;
    readonly gpus: number;
    /** Each amount is there, but not all in one pool, or not in such parts on its nodes. */
    readonly together: number;
  };
  /** Cancellations, by what the job was doing; `ended`: nothing was left to cancel. */
  readonly cancelled: { readonly waiting: number; readonly running: number; readonly ended: number };
  readonly outages: number;
  /** Times that a running job was stopped by an outage. */
  readonly stopped: number;
  readonly requeued: number;
  readonly lost: number;
  /** Reservations that an outage left no room for. */
  readonly brokenReservations: number;
  /** Effects of outages on reservations on nodes, in order; only where there are any. */
  readonly reservationChanges?: readonly ReservationChange[];
  /** Processor time that was reserved on nodes and missing; only where there are any. */
  readonly reservedMissingProcSec?: number;
  /** Jobs that started after the promise of their arrival, where the discipline gives one. */
  readonly startedLate: number;
  /** Processor time of jobs that were stopped or cancelled while they ran. */
  readonly wastedProcSec: number;
  /** Processor time that was down before the last end. */
  readonly downProcSec: number;
}

/** Mean busy share of the machine over equal stretches of the makespan, for a picture. */
export interface UtilisationSeries {
  readonly stepSec: number;
  /** Fractions of the machine, 0 … 1. */
  readonly shares: readonly number[];
}

/** A report with what is drawn beside it. */
export interface SimulationOutcome {
  readonly report: SimulationReport;
  readonly course: UtilisationSeries;
  /** A message for each of the first malformed lines that were skipped. */
  readonly malformedMessages: readonly string[];
}

/** Progress of a simulation. */
export interface SimulationProgress {
  readonly jobsDone: number;
  /** Fraction of the trace file that has been read, 0 … 1; undefined where its size is not known. */
  readonly readFraction: number | undefined;
  /** Virtual date in ms of Unix time; from 1970 for a trace without a start date. */
  readonly virtualUnixMs: number;
}

/** Runs simulations; passed to consumers of this type. */
export type Simulate = (
  request: SimulationRequest,
  onProgress?: (progress: SimulationProgress) => void,
) => Promise<SimulationOutcome>;
