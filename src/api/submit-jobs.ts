/**
 * Completes descriptions with their defaults, and submits one or many jobs idempotently. With an idempotency
 * key the ids are derived from it: existing jobs are compared with the request and count as done, missing
 * ones are submitted. So a repeated request after a crash completes the first, and another body under the key
 * is recognised without storing bodies: another description at any place, or fewer of them.
 */
import { isDeepStrictEqual } from "node:util";
import type { JobSubmission } from "../contract/index.ts";
import { readTicket } from "../formats/ticket/index.ts";
import {
  type ArrayRecord,
  clashingName,
  type Identity,
  isWithin,
  JOB_DEFAULTS,
  type JobDescription,
  type JobRecord,
  jobsOfSweep,
  sandboxName,
} from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { inTurn, keyReused } from "./in-turn.ts";
import { instantGiven } from "./instant-given.ts";
import { derivedJobId, randomJobId } from "./job-ids.ts";
import { ProblemError, type ProblemPlace, problemOf, refusalProblem } from "./problem.ts";

/** Description with its defaults, in the engine's units. */
export function completeDescription(submission: JobSubmission): JobDescription {
  const { wallTimeSec, queueTimeSec, retryTimeSec, expiryTime, ...same } = submission;
  const limit = {
    ...(wallTimeSec === undefined ? {} : { wallTimeMs: wholeMs(wallTimeSec) }),
    ...(queueTimeSec === undefined ? {} : { queueTimeMs: wholeMs(queueTimeSec) }),
    ...(retryTimeSec === undefined ? {} : { retryTimeMs: wholeMs(retryTimeSec) }),
  };
  const until =
    expiryTime === undefined ? {} : { expiryTimeMs: instantGiven(expiryTime, { pointer: "/expiryTime" }) };
  return { ...JOB_DEFAULTS, ...ticketSite(submission), ...indexes(submission), ...same, ...limit, ...until };
}

/** Indexes of a sweep that names none: all of its points. */
function indexes({ sweep }: JobSubmission): Pick<JobSubmission, "array"> {
  if (sweep === undefined) return {};
  const atOnce = sweep.search === undefined ? "" : `%${sweep.search.parallel}`;
  return { array: `0-${Math.min(jobsOfSweep(sweep), MOST_INDEX) - 1}${atOnce}` };
}

/** Largest index that can be written. */
const MOST_INDEX = 1_000_000_000;

/** A length at the border in whole milliseconds, as the engine counts. */
export function wholeMs(lengthSec: number): number {
  return Math.round(lengthSec * 1000);
}

/** Site of a ticket; an unreadable ticket is refused by the broker. */
function ticketSite({ ticket }: JobSubmission): Pick<JobSubmission, "site"> {
  const read = ticket === undefined ? undefined : readTicket(ticket);
  return read?.ok === true ? { site: read.value.ticket.site } : {};
}

/**
 * Files of the input sandbox with the same name in the job's directory; at most one place per description.
 */
export function doubledInputs(submissions: readonly JobSubmission[], isBulk: boolean): ProblemPlace[] {
  return submissions.flatMap((submission, index) => {
    const names = (submission.inputSandbox ?? []).map(sandboxName);
    const at = clashingName(names);
    if (at === undefined) return [];
    const pointer = `${isBulk ? `/${index}` : ""}/inputSandbox/${at}`;
    return { pointer, detail: `the job's directory would contain two files named ${names[at]}` };
  });
}

/** Request for a submission. */
export interface Submission {
  readonly who: Identity;
  readonly descriptions: readonly JobDescription[];
  readonly key: string | undefined;
}

/** Ids in the order of the descriptions, and whether any existed before. */
export interface Submitted {
  readonly ids: readonly string[];
  readonly isNew: boolean;
}

/** Limit on further random ids when one is taken. */
const draws = 3;

/** Makes the function that submits; requests with one key are serialised. */
export function createSubmit(brokerApi: BrokerApi): (submission: Submission) => Promise<Submitted> {
  return (submission) => {
    const { who, key } = submission;
    if (key === undefined) return submitNew(brokerApi, submission);
    return inTurn(brokerApi, [who.owner, key], () => submitKeyed(brokerApi, submission, key));
  };
}

async function submitNew(brokerApi: BrokerApi, { who, descriptions }: Submission): Promise<Submitted> {
  const asked = descriptions.map(async (description) => {
    for (let draw = 1; ; draw++) {
      const id = randomJobId();
      const answer = await ask(brokerApi, who, id, description);
      if (answer.problem?.problem.type !== "urn:stint:idInUse" || draw === draws) return answer;
    }
  });
  return { ids: idsOf(await Promise.all(asked)), isNew: true };
}

async function submitKeyed(brokerApi: BrokerApi, submission: Submission, key: string): Promise<Submitted> {
  const { who, descriptions } = submission;
  const ids = descriptions.map((_, index) => derivedJobId(who.owner, key, index));
  const beyond = await known(brokerApi, derivedJobId(who.owner, key, ids.length));
  const there = await Promise.all(ids.map((id) => known(brokerApi, id)));
  const isSame = there.every((record, index) => {
    if (record === undefined) return true;
    const description = descriptions[index];
    const consumer = consumerOf(who.consumer, description.virtualOrganisation);
    return record.consumer === consumer && isDeepStrictEqual(record.description, description);
  });
  if (beyond !== undefined || !isSame) throw keyReused(key, "submission");
  const asked = descriptions.map((description, index) => {
    const id = ids[index];
    return there[index] === undefined ? ask(brokerApi, who, id, description) : { id, problem: undefined };
  });
  return { ids: idsOf(await Promise.all(asked)), isNew: there.includes(undefined) };
}

/** The job or array with an id. */
async function known(brokerApi: BrokerApi, id: string): Promise<JobRecord | ArrayRecord | undefined> {
  return (await brokerApi.job(id)) ?? (await brokerApi.array(id));
}

interface Asked {
  readonly id: string;
  readonly problem: ProblemError | undefined;
}

/** Handles one request. A failure of one job does not hide the results of the others. */
async function ask(
  brokerApi: BrokerApi,
  { owner, consumer: path, token }: Identity,
  id: string,
  description: JobDescription,
): Promise<Asked> {
  try {
    const consumer = consumerOf(path, description.virtualOrganisation);
    const by = token === undefined ? {} : { isByToken: true };
    const submitted = { description, consumer, owner, ...by };
    const answer = await brokerApi.ask(
      description.array === undefined
        ? { kind: "submit", job: id, ...submitted }
        : { kind: "submitArray", array: id, ...submitted },
    );
    return { id, problem: answer.ok ? undefined : refusalProblem(answer.refusal) };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    return { id, problem };
  }
}

/** Ids, or a problem that lists refused and accepted descriptions. */
function idsOf(asked: readonly Asked[]): readonly string[] {
  const first = asked.findIndex(({ problem }) => problem !== undefined);
  const error = asked[first]?.problem;
  if (error === undefined) return asked.map(({ id }) => id);
  if (asked.length === 1) throw error;
  const accepted = asked.filter(({ problem }) => problem === undefined).length;
  const { type, title: _, status, detail, why, remedy, ...facts } = error.problem;
  throw new ProblemError({
    status,
    code: type.replace("urn:stint:", ""),
    what: `description ${first + 1} of ${asked.length}: ${detail}`,
    why,
    remedy: accepted === 0 ? remedy : `${remedy}; ${accepted} of the others were accepted and continue`,
    facts: {
      ...facts,
      pointer: `/${first}`,
      ids: asked.map(({ id, problem }) => (problem === undefined ? id : null)),
      errors: asked.flatMap(({ problem }, index) =>
        problem === undefined
          ? []
          : { pointer: `/${index}`, type: problem.problem.type, detail: problem.problem.detail },
      ),
    },
  });
}

/**
 * Consumer of a job that names a virtual organisation: the named path where it is below the caller's, the
 * caller's where that is below the named one, or none is named. @throws ProblemError `notYourOrganisation`
 */
export function consumerOf(path: string, named: string | undefined): string {
  if (named === undefined || isWithin(path, named)) return path;
  if (isWithin(named, path)) return named;
  throw new ProblemError({
    status: 403,
    code: "notYourOrganisation",
    what: `the job cannot be submitted for ${named}`,
    why: `the submitter is ${path}, and ${named} is neither below nor above it`,
    remedy: `name ${path} or a consumer below it, or leave it out; an admin may submit for others with --for`,
    facts: { virtualOrganisation: named, consumer: path, pointer: "/virtualOrganisation" },
  });
}
