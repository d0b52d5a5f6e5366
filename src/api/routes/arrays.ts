/** `/arrays`: lists arrays of jobs, gets one, acts on all jobs of one. */
import { arrayParameters, arraysQuery, scoutDecisionBody } from "../../contract/index.ts";
import { jobsWithin } from "../../engine/index.ts";
import type { JobVerb } from "../../model/index.ts";
import type { ArrayQuery } from "../../runtime/index.ts";
import { arrayView } from "../array-view.ts";
import { findArray } from "../find-job.ts";
import { whoOf } from "../identity.ts";
import { conditionsGiven } from "../job-conditions.ts";
import { refusalProblem } from "../problem.ts";
import { seenOf } from "../within-sight.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

const verbs: Readonly<Record<JobVerb, string>> = {
  cancel: "Cancel all jobs of the array",
  hold: "Hold all waiting jobs of the array",
  release: "Release all held jobs of the array",
  suspend: "Suspend all running jobs of the array",
  resume: "Resume all suspended jobs of the array",
};

/** Registers the routes of arrays. */
export function addArrays(api: Api, world: RouteWorld): void {
  addLooks(api, world);
  addVerbs(api, world);
  addScouts(api, world);
}

function addLooks(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("listArrays"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "List arrays of jobs, newest first",
        description: "If states are given: arrays that have a job in one of them.",
        tags: ["jobs"],
        querystring: arraysQuery,
        response: answers("JobArrayList", 200),
      },
    },
    async (request) => {
      const { cursor, ...conditions } = request.query;
      const asked: ArrayQuery = {
        ...conditionsGiven(conditions),
        ...(cursor !== undefined && { after: cursor }),
      };
      const query = seenOf(asked, jobsWithin(whoOf(request), "seeJob"));
      if (query === undefined) return { items: [], next: null };
      const { items, next } = await brokerApi.arrays(query);
      return { items: items.map(arrayView), next: next ?? null };
    },
  );
  api.get(
    urlOf("getArray"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "Get an array of jobs",
        tags: ["jobs"],
        params: arrayParameters,
        response: answers("JobArray", 200),
      },
    },
    async (request) => arrayView(await findArray({ brokerApi, guard, request }, request.params.id)),
  );
}

function addVerbs(api: Api, { brokerApi, guard }: RouteWorld): void {
  for (const [verb, summary] of Object.entries(verbs) as [JobVerb, string][]) {
    api.post(
      urlOf(`${verb}Array`),
      {
        config: forThoseWhoMay(verb),
        schema: {
          summary,
          description: "Jobs in other states are not changed; 409 if none of the jobs can be changed.",
          tags: ["jobs"],
          params: arrayParameters,
          response: answers("JobArray", 200),
        },
      },
      async (request) => {
        const { id } = await findArray({ brokerApi, guard, request }, request.params.id, verb);
        const answer = await brokerApi.ask({ kind: "actOnArray", array: id, verb, by: whoOf(request).owner });
        if (!answer.ok) throw refusalProblem(answer.refusal);
        const array = await brokerApi.array(id);
        if (array === undefined) throw refusalProblem({ kind: "unknownArray", array: id });
        return { ...arrayView(array), changed: answer.value.length };
      },
    );
  }
}

function addScouts(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("decideScouts"),
    {
      config: forThoseWhoMay("release"),
      schema: {
        summary: "Apply or decline the proposal of a sweep's scouts",
        description: "Concerns the jobs that have no site yet; 409 while scouts run.",
        tags: ["jobs"],
        params: arrayParameters,
        body: scoutDecisionBody,
        response: answers("JobArray", 200),
      },
    },
    async (request) => {
      const { id } = await findArray({ brokerApi, guard, request }, request.params.id, "release");
      const by = whoOf(request).owner;
      const answer = await brokerApi.ask({ kind: "decideScouts", array: id, isUsed: request.body.use, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      const array = await brokerApi.array(id);
      if (array === undefined) throw refusalProblem({ kind: "unknownArray", array: id });
      return arrayView(array);
    },
  );
}
