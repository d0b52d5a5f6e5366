/**
 * Names of our jobs, with the broker's mark and the attempt.
 *
 * Several brokers, and several lives of one, may share an account of a cluster. Each has a mark of its own,
 * made once, and ignores jobs of others.
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

/** Name of an attempt's job. */
export function jobNameOf(mark: string, token: string): string {
  return `stint:${mark}:${token}`;
}

/** Token in the name of one of our jobs; null for other jobs. */
export function tokenOf(mark: string, jobName: string): string | null {
  const head = `stint:${mark}:`;
  if (!jobName.startsWith(head)) return null;
  const token = jobName.slice(head.length);
  return tokenShape.test(token) ? token : null;
}
