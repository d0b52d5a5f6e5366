/**
 * `/jobs`: submit and list.
 */

import type { Static } from "@fastify/type-provider-typebox";
import {
  idempotencyHeaders,
  type JobSubmission,
  listQuery,
  submissionsSchema,
  submitQuery,
} from "../../contract/index.ts";
import { jobsWithin } from "../../engine/index.ts";
import { dependencyOf, jobSortOf } from "../../model/index.ts";
import type { JobQuery } from "../../runtime/index.ts";
import { findEither, findWhole, type Looking } from "../find-job.ts";
import { whoOf } from "../identity.ts";
import { conditionsGiven } from "../job-conditions.ts";
import { jobView } from "../job-view.ts";
import { PREFIX } from "../operations.ts";
import { demandOutputs } from "../output-rights.ts";
import { completeDescription, createSubmit, doubledInputs } from "../submit-jobs.ts";
import { invalid } from "../validator.ts";
import { seenOf } from "../within-sight.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { mailNotes } from "./mail-notes.ts";

/** Registers the routes of jobs. */
export function addJobs(api: Api, { brokerApi, guard, mailDomains }: RouteWorld): void {
  const submit = createSubmit(brokerApi);
  api.post(
    urlOf("submitJobs"),
    {
      config: forThoseWhoMay("submit"),
      schema: {
        summary: "Submit a job, or up to 1000 at once",
        description:
          "201 when jobs were submitted; 200 for a repeated request with the same Idempotency-Key.",
        tags: ["jobs"],
        headers: idempotencyHeaders,
        querystring: submitQuery,
        body: submissionsSchema,
        response: answers("Ids", 200, 201),
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { owner, consumer: own } = whoOf(request);
      const consumer = request.query.for ?? own;
      const who = { ...guard.demand(request, "submit", { consumer, owner }), consumer };
      const submissions = Array.isArray(body) ? body : [body];
      const doubled = doubledInputs(submissions, Array.isArray(body));
      if (doubled.length > 0) throw invalid(doubled);
      demandOutputs({ guard, request }, submissions);
      const { ids, isNew } = await submit({
        who,
        descriptions: (await withWholeIds({ brokerApi, guard, request }, submissions)).map(
          completeDescription,
        ),
        key: request.headers["idempotency-key"],
      });
      reply.code(isNew ? 201 : 200);
      if (ids.length === 1) reply.header("location", `${PREFIX}/jobs/${ids[0]}`);
      const notes = mailDomains === undefined ? [] : mailNotes(submissions, owner, mailDomains);
      return notes.length > 0 ? { ids, notes } : { ids };
    },
  );
  api.get(
    urlOf("listJobs"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "List jobs, newest first or in the order of a column",
        tags: ["jobs"],
        querystring: listQuery,
        response: answers("JobList", 200),
      },
    },
    async (request) => {
      const asked = await ofWholeArray({ brokerApi, guard, request }, request.query);
      const query = seenOf(jobQuery(asked), jobsWithin(whoOf(request), "seeJob"));
      if (query === undefined) return { items: [], next: null };
      const { items, next } = await brokerApi.jobs(query);
      return { items: items.map(jobView), next: next ?? null };
    },
  );
}

/** Submissions whose dependencies name whole ids of jobs that the caller may see. */
async function withWholeIds(
  looking: Looking,
  submissions: readonly JobSubmission[],
): Promise<readonly JobSubmission[]> {
  const whole = new Map<string, string>();
  for (const text of new Set(submissions.flatMap(({ after = [] }) => after))) {
    const { on, job } = dependencyOf(text);
    whole.set(text, `${on}:${(await findEither(looking, job)).id}`);
  }
  return submissions.map(({ after, ...same }) =>
    after === undefined ? same : { ...same, after: after.map((text) => whole.get(text) ?? text) },
  );
}

type ListQuery = Static<typeof listQuery>;

/** The query with the whole id of an array or a DAG that the caller may see. */
async function ofWholeArray(looking: Looking, query: ListQuery): Promise<ListQuery> {
  const { array } = query;
  if (array === undefined || array === NO_ARRAY) return query;
  return { ...query, array: (await findWhole(looking, array)).id };
}

/** Of a query: jobs that are of no array. */
const NO_ARRAY = "none";

function jobQuery({ cursor, sort, array, ...same }: ListQuery): JobQuery {
  return {
    ...conditionsGiven(same),
    ...(array !== undefined && { array: array === NO_ARRAY ? null : array }),
    ...(sort !== undefined && { sort: jobSortOf(sort) }),
    ...(cursor !== undefined && { after: cursor }),
  };
}
