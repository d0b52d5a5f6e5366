/**
 * A complete job description, from any description language.
 *
 * The names are those of the EGEE/gLite JDL in camelCase.
 */

import { utcText } from "../base/index.ts";
import type { MailOccasion } from "./mail.ts";
import type { Sweep } from "./sweep.ts";
import type { VirtualReservationSlot } from "./virtual-reservation.ts";

/** A job as described; see {@link JOB_DEFAULTS} for the defaults. */
export interface JobDescription {
  /** Name given by the user; not unique. */
  readonly name?: string;
  /** A program found on the site's path, an absolute path, or a base name in the input sandbox. */
  readonly executable: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The file of the input sandbox, by its base name, that is its standard input; empty where absent. */
  readonly stdInput?: string;
  /** True for a program with a terminal, to which people attach; false or absent for any other. */
  readonly interactive?: boolean;
  /** Absolute path of the directory in which the program runs, at its site; the job's own where absent. */
  readonly workingDirectory?: string;
  /** Program that runs before it, found as the executable is; where it fails, nothing else runs. */
  readonly prologue?: string;
  readonly prologueArguments?: readonly string[];
  /** Program that runs after it, however it ended, within the grace period where it was ended. */
  readonly epilogue?: string;
  readonly epilogueArguments?: readonly string[];
  /** Signal that the program gets so long before its time limit, as `USR1@300`: name and seconds. */
  readonly signalBefore?: string;
  /** File names in the job's directory. */
  readonly stdOutput: string;
  readonly stdError: string;
  /** Paths of files that go with the job; their names in its directory (`sandboxName`) are unique. */
  readonly inputSandbox: readonly string[];
  /** Files, directories and patterns in the job's directory that are downloaded. */
  readonly outputSandbox: readonly string[];
  /** Processors, ≥ 1. */
  readonly procs: number;
  /** Nodes over which they are spread, at most `procs`; the site's choice where absent. */
  readonly hostNumber?: number;
  /** Of them so many on each node. */
  readonly smpGranularity?: number;
  /** True where no other job is to run on its nodes. */
  readonly wholeNodes?: boolean;
  /** Queues or partitions of which it goes to the first that its site has; elsewhere without effect. */
  readonly preferredQueues?: readonly string[];
  /** When mail about it is sent, and to whom; to its owner where absent. */
  readonly mail?: readonly MailOccasion[];
  readonly mailTo?: string;
  readonly memoryBytes?: number;
  readonly gpus?: number;
  /** The time limit; the site's default where absent. */
  readonly wallTimeMs?: number;
  /** Cost of an hour of delay, in whole SU; its processors where absent. */
  readonly delayCostSuPerHour?: number;
  /** Sites in whose queues it waits at once, 1 … `MOST_REPLICAS`; 1 where absent. */
  readonly replicas?: number;
  /** The site it must run at; the broker chooses where absent. */
  readonly site?: string;
  /** The bid of its site that it takes, by its id. */
  readonly bid?: string;
  /** The reservation it runs in, by its id: at that site, in its time. */
  readonly reservation?: string;
  /** A ticket, as its line; the job is at the ticket's site. */
  readonly ticket?: string;
  /** For which VO, or group of it, it runs: it narrows the consumer path of who submits it. */
  readonly virtualOrganisation?: string;
  /** A virtual reservation: instants of submission to its site, and of its program's start. */
  readonly virtual?: VirtualReservationSlot;
  /** Indexes of an array of such jobs, as `0-99%10`; jobs of an array have none themselves. */
  readonly array?: string;
  /** Parameters of such an array, in whose values its jobs differ. */
  readonly sweep?: Sweep;
  /** Jobs that have to end first, each as `ok:ID`, `failed:ID` or `any:ID`, by the end that counts. */
  readonly after?: readonly string[];
  /** Requirements on a site's ad, as the text of a ClassAd expression. */
  readonly requirements?: string;
  /** Names of applications that its site must have; they are set up before it runs. */
  readonly applications?: readonly string[];
  /** Logical names of files that it reads (`LOGICAL_NAME`), of which the replica catalogue has copies. */
  readonly inputData?: readonly string[];
  /** Protocols by which it can read them, as in the addresses of copies; any where absent. */
  readonly dataAccessProtocol?: readonly string[];
  /** A store that its site must have. */
  readonly outputSE?: string;
  /** Files that are kept in a store of its site and registered in the replica catalogue if it succeeds. */
  readonly outputData?: readonly OutputDatum[];
  /** Preference among sites, as the text of a ClassAd expression: greater is better. */
  readonly rank?: string;
  /** Draws among matching sites by their rank: true, or the factor of the draw. */
  readonly fuzzyRank?: number | boolean;
  /** False where `requirements` replace the default ones instead of adding to them. */
  readonly strictDefaults?: boolean;
  /** Rank of a job without one: by its predicted response time, or literally as in JDL. */
  readonly defaultRank?: DefaultRank;
  /** The job is not matched after it; Unix ms. */
  readonly expiryTimeMs?: number;
  /** Times that it may be run again after its site lost it while it ran. */
  readonly retryCount?: number;
  /** Times that it may be sent again where it did not start; −1: never. */
  readonly shallowRetryCount?: number;
  /** Time in the queue of a site after which it leaves that queue, unless it has begun; absent: it stays. */
  readonly queueTimeMs?: number;
  /** Memory that it may get at most where it died for lack of it; absent: no more than before. */
  readonly retryMemoryBytes?: number;
  /** Time limit that it may get at most where it reached its own; absent: none. */
  readonly retryTimeMs?: number;
  /** By how much the amount grows each time, 1.1 … 10; 2 where absent. */
  readonly retryFactor?: number;
  /** True for a program that saves states, from the last of which a further attempt begins. */
  readonly checkpointable?: boolean;
  /** Exit code with which it asks for a further attempt, after it has saved its state; 1 … 125. */
  readonly checkpointExitCode?: number;
  /** States that are kept, 1 … 10; 3 where absent. */
  readonly checkpointsKept?: number;
  /** State of another job with which it begins, as `ID:NAME`. */
  readonly fromCheckpoint?: string;
  /** Other attributes of its ad, each as the text of a ClassAd expression. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly userTags: Readonly<Record<string, string>>;
}

/** Syntax of names of queues. */
export const QUEUE_PATTERN = "^[A-Za-z0-9_][A-Za-z0-9_.+@-]{0,99}$";

/** A file that a job leaves in a store of its site. */
interface OutputDatum {
  /** Path in the job's directory. */
  readonly file: string;
  /** Logical name (`LOGICAL_NAME`); made of the consumer, the job's id and the file where absent. */
  readonly name?: string;
  /** Absent: `outputSE`, or the first store of the site that takes files. */
  readonly store?: string;
}

/** Defaults of a description. */
export const JOB_DEFAULTS = {
  arguments: [],
  environment: {},
  stdOutput: "stdout",
  stdError: "stderr",
  inputSandbox: [],
  outputSandbox: [],
  procs: 1,
  userTags: {},
} as const satisfies Partial<JobDescription>;

/** True for a job that saves states, or begins from one. */
export function hasCheckpoints(description: JobDescription): boolean {
  const { checkpointable = false, checkpointExitCode, checkpointsKept, fromCheckpoint } = description;
  const said = [checkpointExitCode, checkpointsKept, fromCheckpoint];
  return checkpointable || said.some((one) => one !== undefined);
}

/** Order of the sites for a job without a rank. */
export type DefaultRank = "response" | "literal";
/** Every default rank. */
export const DEFAULT_RANKS: readonly DefaultRank[] = ["response", "literal"];

type InOtherUnits = "wallTimeMs" | "queueTimeMs" | "retryTimeMs" | "expiryTimeMs";

/** A description as the API has it: the time limit in seconds, instants in ISO 8601. */
type Submitted = Omit<JobDescription, InOtherUnits | "virtual"> & {
  readonly wallTimeSec?: number;
  readonly queueTimeSec?: number;
  readonly retryTimeSec?: number;
  readonly expiryTime?: string;
};

/** A submission of the API from a description. */
export function asSubmitted(description: JobDescription): Submitted {
  const { wallTimeMs, queueTimeMs, retryTimeMs, expiryTimeMs, virtual: _, ...same } = description;
  return {
    ...same,
    ...(queueTimeMs === undefined ? {} : { queueTimeSec: queueTimeMs / 1000 }),
    ...(retryTimeMs === undefined ? {} : { retryTimeSec: retryTimeMs / 1000 }),
    ...(wallTimeMs === undefined ? {} : { wallTimeSec: wallTimeMs / 1000 }),
    ...(expiryTimeMs === undefined ? {} : { expiryTime: utcText(expiryTimeMs) }),
  };
}
