/**
 * Finds a job by its id, or by a unique prefix. Jobs that the caller may not see do not count, neither by
 * their id nor as candidates: they are answered as if they did not exist.
 */
import type { FastifyRequest } from "fastify";
import { counted } from "../base/index.ts";
import { jobsWithin } from "../engine/index.ts";
import {
  type ArrayRecord,
  type DagRecord,
  indexesOf,
  type JobRecord,
  type JobVerb,
  memberId,
  memberOf,
  type WorkflowRecord,
} from "../model/index.ts";
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
  const found = await findEither({ brokerApi, guard, request }, given, action);
  if (isDagRecord(found)) throw isDag(found);
  if ("size" in found) throw isArray(found);
  return found;
}

/** The DAG with the id or unique prefix `given`, among those to which the caller may do `action`. */
export async function findDag(
  looking: Looking,
  given: string,
  action: JobVerb | "seeJob" = "seeJob",
): Promise<DagRecord> {
  const found = await findEither(looking, given, action);
  if (!isDagRecord(found)) throw refusalProblem({ kind: "unknownDag", dag: given });
  return found;
}

/** The array or DAG with the id or unique prefix `given`, whose jobs the caller may see. */
export async function findWhole(looking: Looking, given: string): Promise<ArrayRecord | DagRecord> {
  const found = await findEither(looking, given);
  if (!isDagRecord(found) && !("size" in found)) throw refusalProblem({ kind: "unknownArray", array: given });
  return found;
}

/** True for a DAG, which has no description of its own. */
function isDagRecord(found: JobRecord | ArrayRecord | DagRecord): found is DagRecord {
  return !("description" in found);
}

/** The array with the id or unique prefix `given`, among those to which the caller may do `action`. */
export async function findArray(
  looking: Looking,
  given: string,
  action: JobVerb | "seeJob" = "seeJob",
): Promise<ArrayRecord> {
  const found = await findEither(looking, given, action);
  if (isDagRecord(found) || !("size" in found)) throw refusalProblem({ kind: "unknownArray", array: given });
  return found;
}

/** The job, array or DAG with the id or unique prefix `given`. A job of an array or a DAG is `ID-INDEX`. */
export async function findEither(
  looking: Looking,
  given: string,
  action: JobVerb | "seeJob" = "seeJob",
): Promise<JobRecord | ArrayRecord | DagRecord> {
  const { brokerApi, guard, request } = looking;
  const exact = await exactly(brokerApi, given);
  if (exact !== undefined && guard.permits(request, action, exact)) return exact;
  const among = jobsWithin(whoOf(request), action);
  if (among === undefined) throw refusalProblem({ kind: "unknownJob", job: given });
  const member = memberOf(given);
  if (member !== undefined) return findMember(looking, member, { given, action });
  const most = candidatesShown + 1;
  const jobs = await brokerApi.idsBeginning(given, most, among);
  const arrays = await brokerApi.arraysBeginning(given, most, among);
  const dags = await brokerApi.dagsBeginning(given, most, among);
  const ids = [...jobs, ...arrays, ...dags];
  const workflow = workflowBeginning(looking, given, ids);
  if (workflow !== undefined) throw isWorkflow(workflow);
  if (ids.length > 1) throw ambiguous(given, ids);
  const [id = ""] = ids;
  const found = await exactly(brokerApi, id);
  if (found === undefined) throw refusalProblem({ kind: "unknownJob", job: given });
  return found;
}

/** The workflow that an id means, where what else begins with it are its own jobs. */
function workflowBeginning(
  { brokerApi, guard, request }: Looking,
  given: string,
  ids: readonly string[],
): WorkflowRecord | undefined {
  const workflows = brokerApi.query("workflows").filter(({ id }) => id.startsWith(given));
  const [found, second] = workflows.filter((one) => guard.permits(request, "seeJob", one));
  if (found === undefined || second !== undefined) return undefined;
  return ids.every((id) => id.startsWith(`${found.id}-`)) ? found : undefined;
}

async function exactly(brokerApi: BrokerApi, id: string) {
  return (await brokerApi.job(id)) ?? (await brokerApi.array(id)) ?? (await brokerApi.dag(id));
}

/** A job of an array or of a DAG, whose id may be abbreviated. */
async function findMember(
  { brokerApi, guard, request }: Looking,
  { array, index }: { readonly array: string; readonly index: number },
  { given, action }: { readonly given: string; readonly action: JobVerb | "seeJob" },
): Promise<JobRecord> {
  const most = candidatesShown + 1;
  const [prefix = "", ...rest] = given.split("-");
  const ids = [
    ...(await brokerApi.arraysBeginning(array, most)).map((id) => memberId(id, index)),
    ...(await brokerApi.dagsBeginning(prefix, most)).map((id) => [id, ...rest].join("-")),
  ];
  const jobs = await Promise.all(ids.map((id) => brokerApi.job(id)));
  const seen = jobs.filter((job) => job !== undefined && guard.permits(request, action, job));
  if (seen.length > 1)
    throw ambiguous(
      given,
      seen.flatMap((job) => job?.id ?? []),
    );
  const [found] = seen;
  if (found === undefined) throw refusalProblem({ kind: "unknownJob", job: given });
  return found;
}

function isArray({ id, size, description }: ArrayRecord): ProblemError {
  const [first = 0] = indexesOf(description.array ?? "");
  return new ProblemError({
    status: 409,
    code: "isArray",
    what: `${id} is an array of ${counted(size, "job")}`,
    why: "this request applies to a single job",
    remedy: `name one, for instance ${memberId(id, first)}; \`stint status ${id}\` shows the array`,
    facts: { array: id },
  });
}

function isWorkflow({ id, name }: WorkflowRecord): ProblemError {
  return new ProblemError({
    status: 409,
    code: "isWorkflow",
    what: `${id} is the workflow ${name}`,
    why: "this request applies to a single job",
    remedy: `\`stint workflow status ${id}\` shows its tasks; its jobs are ${id}-p0 and so on`,
    facts: { workflow: id },
  });
}

function isDag({ id, size }: DagRecord): ProblemError {
  return new ProblemError({
    status: 409,
    code: "isDag",
    what: `${id} is a DAG of ${counted(size, "node")}`,
    why: "this request applies to a single job",
    remedy: `\`stint status ${id}\` shows the jobs of its nodes`,
    facts: { dag: id },
  });
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

/** Problem for a job that vanished between two reads. */
export function vanished(job: string): ProblemError {
  return refusalProblem({ kind: "unknownJob", job });
}
