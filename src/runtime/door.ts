/**
 * What the rest of the house may ask of a running broker.
 *
 * Routes translate to these calls and decide nothing. Every promise resolves when what it says is
 * durable.
 */
import type { Result } from "../base/index.ts";
import type { Advertisement, ClusterExplanation, JobSight } from "../engine/index.ts";
import type {
  Command,
  Explanation,
  JobRecord,
  JobState,
  Refusal,
  SiteSpec,
  TokenRecord,
} from "../model/index.ts";
import type { FilePart } from "./site.ts";

/** Which jobs to list; all conditions hold. */
export interface JobQuery {
  readonly states?: readonly JobState[];
  readonly owner?: string;
  /** The consumer path or anything below it. */
  readonly consumer?: string;
  readonly site?: string;
  /** Submitted at or after this instant. */
  readonly sinceMs?: number;
  /** Where the last page ended. */
  readonly after?: string;
  /** 1 … 1000, default 100; newest first. */
  readonly limit?: number;
}

/** One page of jobs. */
export interface JobPage {
  readonly items: readonly JobRecord[];
  readonly next: string | undefined;
}

/** A site as people see it. */
export interface SiteView {
  readonly name: string;
  readonly spec: SiteSpec;
  /** Of a foreign site as it was when it was last seen, others' jobs included. */
  readonly running: number;
  readonly waiting: number;
  readonly procsBusy: number;
  /** No new job goes there. */
  readonly isDraining: boolean;
  /** Of a foreign site: the instant of the last look at its queue; null before the first. */
  readonly seenAtMs: number | null;
  /** What keeps the site from being reached or used, in one sentence; null where nothing does. */
  readonly trouble: string | null;
}

/** Why a job waits at a cluster. */
export interface ThereExplained {
  /** Undefined where the cluster does not show such a job. */
  readonly explanation: ClusterExplanation | undefined;
  /** Whether the cluster hides users' jobs from each other. */
  readonly areJobsPrivate: boolean;
}

/** A running broker. */
export interface Door {
  /** Asks for something; resolves when it is recorded for good, or with the reason why not. */
  ask(command: Command): Promise<Result<undefined, Refusal>>;
  /** One job, whether it is over or not. */
  job(id: string): Promise<JobRecord | undefined>;
  /** Ids that begin so, of these jobs; at most `limit`, for telling whether an abbreviation is unique. */
  idsBeginning(prefix: string, limit: number, among?: JobSight): Promise<readonly string[]>;
  jobs(query: JobQuery): Promise<JobPage>;
  explain(id: string): Promise<Explanation | undefined>;
  /**
   * Why a job waits, by its id at a site, whoever submitted it.
   *
   * @throws Fault where the cluster cannot be looked at
   */
  explainThere(site: string, siteJob: string): Promise<ThereExplained | "notACluster">;
  sites(): readonly SiteView[];
  /** The slots of a site as they are now, advisory; undefined where there is no such site. */
  slots(site: string): Advertisement | undefined;
  /** All tokens, good or not; in order of creation. */
  tokens(): readonly TokenRecord[];
  token(id: string): TokenRecord | undefined;
  /** A part of a file in the job's directory at its site; undefined where there is none (yet). */
  readFile(
    id: string,
    part: { readonly name: string; readonly fromByte: number; readonly maxBytes: number },
  ): Promise<FilePart | undefined>;
  /** The files of a job at its site. */
  listFiles(id: string): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]>;
  /** Tells of every changed job record, once durable; gives what ends the telling. */
  onJobChange(listener: (record: JobRecord) => void): () => void;
}
