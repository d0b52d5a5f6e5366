/**
 * The port to a managed site: Stint is the batch system and decides; the adapter launches and observes.
 * What it has in common with a foreign site is here, too.
 *
 * Everything about a job at a site goes by its token, `job/attempt`, which is known before anything is
 * done, so that after a crash what was begun is found again and nothing is begun twice. Reports are
 * spooled by the site until they are acknowledged, and may come doubled or late.
 */

import type { RunFacts } from "../model/index.ts";
import type { JsonObject } from "./logbook.ts";

/** `job/attempt`; letters, digits, `-`, `.` and one `/`. */
export type AttemptToken = string;

/** Capacity of a site, in the order of the machine's columns. */
export interface SiteCapacity {
  readonly procs: number;
  readonly memoryBytes: number;
  /** Absent: none. */
  readonly gpus?: number;
}

/** A file that is put into the job's directory before it starts. */
export interface InputFile {
  /** Path relative to the job's directory. */
  readonly name: string;
  /** Absolute path of a private copy made at submission. */
  readonly source: string;
  /** Array whose elements share this file; a remote site needs it only once. */
  readonly sharedBy?: string;
}

/** An order to run something, complete: nothing is left to decide where it is carried out. */
export interface LaunchOrder {
  readonly token: AttemptToken;
  /** The program and its arguments, passed to the system as they are, never through a shell. */
  readonly command: readonly string[];
  /** Added to a small clean environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** The wrapper sends TERM when the job has run this long (suspended time not counted), then KILL. */
  readonly limitMs: number;
  readonly inputFiles: readonly InputFile[];
  /** Name of the input file that is its standard input; empty where absent. */
  readonly stdInput?: string;
  /** Absolute path of the directory in which the program runs; the job's own where absent. */
  readonly workingDirectory?: string;
  /** File names in the job's directory for its two streams. */
  readonly stdOutput: string;
  readonly stdError: string;
  /** Data to be found with the attempt if the broker's own record is lost; opaque to the site. */
  readonly kept?: JsonObject;
}

/** Why a job came to its end. */
export type EndCause = "exited" | "signalled" | "timeLimit" | "cancelled" | "launchFailed" | "lost";

/** A site's report on an attempt. */
export type SiteReport =
  | { readonly kind: "running"; readonly token: AttemptToken; readonly atMs: number; readonly pid: number }
  | { readonly kind: "suspended" | "resumed"; readonly token: AttemptToken; readonly atMs: number }
  | {
      readonly kind: "ended";
      readonly token: AttemptToken;
      readonly atMs: number;
      readonly cause: EndCause;
      /** The program's exit code; undefined where it has none. */
      readonly exitCode: number | undefined;
      /** The signal that ended it, where one did: "SIGTERM", … */
      readonly signal: string | undefined;
      /** Processor time, user and system, where it is known. */
      readonly cpuMs: number | undefined;
      /** One sentence for people where the cause needs one (launchFailed, lost). */
      readonly detail: string | undefined;
      readonly facts?: RunFacts;
    };

/** A part of a file of a job, as it is now. */
export interface FilePart {
  readonly bytes: Uint8Array;
  /** The file's size now; more may come while the job runs. */
  readonly sizeBytes: number;
}

/** Bytes to be appended to a file of a job, and the place of the first. */
export interface AppendedPart {
  readonly bytes: Uint8Array;
  readonly atByte?: number;
}

/** Of bytes to be appended to a file of a size, those that are not there yet. */
export function stillToAppend({ bytes, atByte }: AppendedPart, sizeBytes: number): Uint8Array {
  const there = sizeBytes - (atByte ?? sizeBytes);
  return there < 0 || there > bytes.length ? new Uint8Array() : bytes.subarray(there);
}

/** The files of attempts at a site. */
export interface SiteFiles {
  /** A part of a file by its path in the job's directory; undefined where there is no such file. */
  readFile(
    token: AttemptToken,
    name: string,
    fromByte: number,
    maxBytes: number,
  ): Promise<FilePart | undefined>;
  /**
   * Paths and sizes of the files in the job's directory and below, within `LISTING_LIMITS`; no link is
   * followed.
   */
  listFiles(token: AttemptToken): Promise<readonly { readonly name: string; readonly sizeBytes: number }[]>;
  /** Size of all files in the job's directory and below, in bytes. */
  sizeOfFiles(token: AttemptToken): Promise<number>;
  /**
   * Puts a small file into the directory of a running job, whole: the job sees all of it or nothing. One of
   * this name is replaced. Absent where a site cannot.
   */
  addFile?(token: AttemptToken, name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Appends to a file of a running job by its path, so that byte `atByte` of it is the first of `bytes`: what
   * is there already is not written twice, and nothing is written where the place is not at its end or before
   * it. Without a place at the end. Calls for one file come one after the other. Absent where a site cannot.
   *
   * @returns the file's size then; undefined where there is no such file
   */
  appendFile?(token: AttemptToken, name: string, part: AppendedPart): Promise<number | undefined>;
  /** Removes a file of a job by its path; one that does not exist is ignored. Absent where a site cannot. */
  removeFile?(token: AttemptToken, name: string): Promise<void>;
  /** Forgets an attempt and removes its directory. */
  purge(token: AttemptToken): Promise<void>;
}

/** A site whose queue is ours. */
export interface ManagedSite extends SiteFiles {
  readonly name: string;
  capacity(): Promise<SiteCapacity>;
  /**
   * Begins an attempt. Called twice with one token it runs once. Resolves when the wrapper is on its way.
   *
   * @throws Fault `siteShort`, as every order may: the machine is short of something that it will have again
   *   (space, files, processes). Nothing of the attempt is there then.
   */
  launch(order: LaunchOrder): Promise<void>;
  /** TERM to the whole process group, then KILL; ends as "cancelled". Unknown tokens are ignored. */
  cancel(token: AttemptToken): Promise<void>;
  suspend(token: AttemptToken): Promise<void>;
  resume(token: AttemptToken): Promise<void>;
  signal(token: AttemptToken, name: string): Promise<void>;
  /**
   * States of these attempts: a "running" or "ended" report for each, "ended" as "lost" for a launched one
   * without traces, or with unreadable ones. One with unknown state is omitted; its report comes later. Used
   * to find jobs again after a restart.
   */
  inventory(tokens: readonly AttemptToken[]): Promise<readonly SiteReport[]>;
  /** Reports as they come; each is repeated after a restart until it is acknowledged. */
  onReport(listener: (report: SiteReport) => void): void;
  /** An "ended" report is recorded; the site need not keep it any longer. Output files stay. */
  acknowledge(token: AttemptToken): Promise<void>;
  /** Stops observing. Running jobs go on. */
  close(): Promise<void>;
}
