/**
 * Names of our jobs, and how they are recognised among all jobs of a cluster.
 *
 * A job has the name that its user gave; its comment has the broker's mark and the attempt. Several brokers,
 * and several lives of one, may share an account of a cluster: each has a mark of its own, made once, and
 * ignores jobs of others. Jobs that were submitted before comments were used have the mark in their name.
 */
import { posix } from "node:path";
import { Fault } from "../../base/index.ts";
import type { JobMarks } from "../../formats/slurm/index.ts";
import type { AttemptBook } from "./attempt-book.ts";

const tokenShape = /^(?=.{3,200}$)[A-Za-z0-9.-]+\/[A-Za-z0-9.-]+$/;

/** Head of a comment, or an older name, of a job of any broker. */
const HEAD = "stint:";
/** Largest length of a name, in characters. */
const MOST_NAME = 64;

/** @throws Fault `badAttemptToken` */
export function checkToken(token: string): void {
  if (tokenShape.test(token)) return;
  throw new Fault({
    kind: "badInput",
    code: "badAttemptToken",
    what: `${JSON.stringify(token)} is not the token of an attempt`,
    why: "a token is JOB/ATTEMPT: letters, digits, - and ., at most 200 characters",
    remedy: "correct it and submit it again",
  });
}

/**
 * A name that every command and accounting of Slurm takes: letters, digits and `._+:@-`, at most 64
 * characters; any others become `_`. Letters beyond 16 bits are not in the character set of its database.
 */
export function jobNameOf(name: string): string {
  const plain = [...name.replace(/[^\p{L}\p{N}._+:@-]|[\u{10000}-\u{10FFFF}]/gu, "_")];
  return plain.slice(0, MOST_NAME).join("") || "job";
}

/** Comment of an attempt's job. */
export function commentOf(mark: string, token: string): string {
  return `${HEAD}${mark}:${token}`;
}

/** Elements of an array that are submitted together: `ARRAY-OFFSET+/ATTEMPT`, which is no token. */
export interface ElementGroup {
  readonly array: string;
  /** Index of the element that is task 0. */
  readonly offset: number;
  readonly attempt: string;
}

/** Name of a group: in the comment of its job, and of its directory. */
export function groupName({ array, offset, attempt }: ElementGroup): string {
  return `${array}-${offset}+/${attempt}`;
}

/** Largest number of a task, and one more: Slurm's arrays have 1001 tasks by default. */
export const TASKS = 1000;

/** Name of the group in which an attempt was submitted; undefined for one that was submitted alone. */
export function groupOf(token: string, siteJobs: readonly string[]): string | undefined {
  const [, array, index, attempt] = /^(.+)-(\d{1,9})\/(.+)$/.exec(token) ?? [];
  if (array === undefined || !siteJobs.some((siteJob) => siteJob.includes("_"))) return undefined;
  return groupName({ array, offset: Math.floor(Number(index) / TASKS) * TASKS, attempt });
}

/** Token of one task of a group; undefined where the name is that of one attempt. */
function taskToken(name: string, siteJob: string): string | null | undefined {
  const [, array, offset, attempt] = /^(.+)-(\d{1,9})\+\/([A-Za-z0-9.-]+)$/.exec(name) ?? [];
  if (array === undefined) return undefined;
  const task = /^\d+_(\d+)$/.exec(siteJob)?.[1];
  return task === undefined ? null : `${array}-${Number(offset) + Number(task)}/${attempt}`;
}

/** Directory of an attempt below the one in which jobs are submitted; its job's working directory. */
export function attemptDirectory(submitDirectory: string, token: string): string {
  return posix.join(submitDirectory, token.replace("/", "_"));
}

/** A job of the cluster, as it is shown in its queue or its accounting. */
type MarkedJob = JobMarks & { readonly siteJob: string };

/** Token of one of our jobs; null for other jobs. */
export type TokenOf = (job: MarkedJob) => string | null;

/**
 * Recognises our jobs: by their comment, or their name. Where neither has any broker's mark, since an
 * accounting keeps no comments or a plugin replaced it, the job's directory counts, if its id is on record
 * for the attempt or no id is yet.
 */
export function tokensBy(book: AttemptBook, submitDirectory: string | null): TokenOf {
  const byDirectory = ({ siteJob, workDirectory }: MarkedJob): string | null => {
    if (submitDirectory === null || workDirectory === null) return null;
    const name = posix.basename(workDirectory).replace("_", "/");
    const token = taskToken(name, siteJob) ?? name;
    const record = book.find(token);
    if (record === undefined || attemptDirectory(submitDirectory, name) !== workDirectory) return null;
    return record.siteJobs.length === 0 || record.siteJobs.includes(siteJob) ? token : null;
  };
  return (job) => {
    const { comment, name } = job;
    for (const text of [comment, name]) {
      if (text?.startsWith(HEAD)) return markedToken(book.mark, text, job.siteJob);
    }
    return byDirectory(job);
  };
}

function markedToken(mark: string, text: string, siteJob: string): string | null {
  const head = commentOf(mark, "");
  const name = text.slice(head.length);
  const token = taskToken(name, siteJob) ?? name;
  return text.startsWith(head) && tokenShape.test(token) ? token : null;
}
