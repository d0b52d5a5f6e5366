/**
 * Finds a job by its id, or by a unique prefix. Jobs that the caller may not see do not count, neither by
 * their id nor as candidates: they are answered as if they did not exist.
 */
import type { FastifyRequest } from "fastify";
import { jobsWithin } from "../engine/index.ts";
import type { JobRecord, JobVerb } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { type Guard, whoOf } from "./identity.ts";
import { ProblemError, refusalProblem } from "./problem.ts";

const candidatesShown = 5;

/** Dependencies of a search. */
export interface Looking {
  readonly brokerApi: BrokerApi;
  readonly guard: Guard;
  readonly request: FastifyRequest;
}

/** The job with the id or unique prefix `given`, among those to which the caller may do `action`. */
export async function findJob(
  { brokerApi, guard, request }: Looking,
  given: string,
  action: JobVerb | "seeJob" = "seeJob",
): Promise<JobRecord> {
  const exact = await brokerApi.job(given);
  if (exact !== undefined && guard.permits(request, action, exact)) return exact;
  const among = jobsWithin(whoOf(request), action);
  const ids = among === undefined ? [] : await brokerApi.idsBeginning(given, candidatesShown + 1, among);
  if (ids.length > 1) throw ambiguous(given, ids);
  const [id] = ids;
  const found = id === undefined ? undefined : await brokerApi.job(id);
  if (found === undefined) throw refusalProblem({ kind: "unknownJob", job: given });
  return found;
}

function ambiguous(given: string, ids: readonly string[]): ProblemError {
  const candidates = ids.slice(0, candidatesShown);
  const more = ids.length > candidatesShown ? " and more" : "";
  return new ProblemError({
    status: 409,
    code: "ambiguousId",
    what: `several job ids begin with ${given}`,
    why: `candidates: ${candidates.join(", ")}${more}`,
    remedy: "give a longer prefix",
    facts: { job: given, candidates },
  });
}

/** Problem for a job without this file. */
export function unknownFile(job: string, file: string): ProblemError {
  return new ProblemError({
    status: 404,
    code: "unknownFile",
    what: `job ${job} has no file ${file}`,
    why: "the job's directory has no file of that name, or the job has not started yet",
    remedy: `\`GET /api/v1/jobs/${job}/files\` lists its files`,
    facts: { job, file },
  });
}

/** Problem for a job that vanished between two reads. */
export function vanished(job: string): ProblemError {
  return refusalProblem({ kind: "unknownJob", job });
}
