/**
 * The name under which our jobs are found again: it says whose they are and which attempt they are.
 *
 * Several brokers, and several lives of one, may use a cluster under one account; each has a mark of its own,
 * made once, and takes no other's job for one of its own.
 */
import { Fault } from "../../base/index.ts";

const tokenShape = /^(?=.{3,200}$)[A-Za-z0-9.-]+\/[A-Za-z0-9.-]+$/;

/** @throws Fault `badAttemptToken` */
export function checkToken(token: string): void {
  if (tokenShape.test(token)) return;
  throw new Fault({
    kind: "badInput",
    code: "badAttemptToken",
    what: `${JSON.stringify(token)} is no attempt`,
    why: "a token is JOB/ATTEMPT in letters, digits, - and ., at most 200 of them",
    remedy: "correct it and submit it again",
  });
}

/** The name of an attempt's job. */
export function jobNameOf(mark: string, token: string): string {
  return `stint:${mark}:${token}`;
}

/** The attempt whose job has this name; null where it is not one of ours. */
export function tokenOf(mark: string, jobName: string): string | null {
  const head = `stint:${mark}:`;
  if (!jobName.startsWith(head)) return null;
  const token = jobName.slice(head.length);
  return tokenShape.test(token) ? token : null;
}
