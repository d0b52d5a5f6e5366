/** Request for a generated workload: drawn from a model, or a recorded one scaled to a load. */

/** Models of workloads. */
export const WORKLOAD_MODELS = ["lublin", "poisson"] as const;
/** See {@link WORKLOAD_MODELS}. */
export type WorkloadModelName = (typeof WORKLOAD_MODELS)[number];

/** The published parameter sets of Lublin & Feitelson's model [LF03]. */
export const LUBLIN_SETS = ["combined", "batch", "interactive"] as const;
/** See {@link LUBLIN_SETS}. */
export type LublinSet = (typeof LUBLIN_SETS)[number];

/** Rules for a model's requested times. */
export const REQUEST_RULES = ["exact", "uniform", "popular"] as const;
/** See {@link REQUEST_RULES}. */
export type RequestRule = (typeof REQUEST_RULES)[number];

/** Ways of scaling a load; the last two add jobs and need a recorded workload. */
export const LOAD_SCALES = ["arrivals", "runtimes", "overlay", "duplicate"] as const;
/** See {@link LOAD_SCALES}. */
export type LoadScale = (typeof LOAD_SCALES)[number];

/** Draw a workload. */
export interface DrawRequest {
  readonly kind: "draw";
  readonly model: WorkloadModelName;
  /** Only of `lublin`. */
  readonly set: LublinSet;
  readonly jobs: number;
  readonly procs: number;
  readonly seed: number;
  /** The model's own load when absent. */
  readonly load?: number;
  readonly scale: LoadScale;
  /** The model's own rule when absent. */
  readonly requests?: RequestRule;
  /** Parameters of the model that are to differ from the published ones, by name. */
  readonly parameters: Readonly<Record<string, number>>;
}

/** Bring a recorded workload to a load. */
export interface RescaleRequest {
  readonly kind: "rescale";
  /** A file in SWF, plain or gzip. */
  readonly from: string;
  readonly load: number;
  readonly scale: LoadScale;
  /** Decides which jobs are added; of no effect where none are. */
  readonly seed: number;
  /** Processors of the machine; absent: those of the trace's header. */
  readonly procs?: number;
  /** Skip malformed lines instead of stopping at the first. */
  readonly lenient: boolean;
}

/** Make this workload. */
export type WorkloadRequest = DrawRequest | RescaleRequest;

/** Summary of a written workload. */
export interface WorkloadSummary {
  readonly jobs: number;
  readonly procs: number;
  /** Of the jobs as they were written. */
  readonly load: number;
  /** First to last submission. */
  readonly spanSec: number;
}

/** Where the SWF text goes: a file that appears when it is whole, or a writer that may take its time. */
export type WorkloadTarget = string | ((text: string) => Promise<void>);

/** Generates workloads; passed to consumers of this type. */
export type Generate = (request: WorkloadRequest, target: WorkloadTarget) => Promise<WorkloadSummary>;
