/** `/jobs/:id/files`: output of a job, while it runs and after. */

import { Readable } from "node:stream";
import { fileParameters, jobParameters, readQuery } from "../../contract/index.ts";
import { isFinal } from "../../model/index.ts";
import { fileBytes, isThere } from "../file-bytes.ts";
import { findJob } from "../find-job.ts";
import { whoOf } from "../identity.ts";
import { jobView } from "../job-view.ts";
import { refusalProblem } from "../problem.ts";
import { unknownFile } from "../unknown-file.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, streams, urlOf } from "./api.ts";

/** Registers the routes of the files of jobs. */
export function addFiles(api: Api, world: RouteWorld): void {
  const { brokerApi, guard, pollMs } = world;
  addClearing(api, world);
  addPurging(api, world);
  api.get(
    urlOf("listFiles"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "List the files in the job's directory",
        tags: ["files"],
        params: jobParameters,
        response: answers("FileList", 200),
      },
    },
    async (request) => {
      const { id } = await findJob({ brokerApi, guard, request }, request.params.id);
      return { items: await brokerApi.listFiles(id) };
    },
  );
  api.get(
    urlOf("readFile"),
    {
      config: { ...forThoseWhoMay("seeJob"), isStream: true },
      schema: {
        summary: "Read a file",
        tags: ["files"],
        params: fileParameters,
        querystring: readQuery,
        response: streams("application/octet-stream", "The bytes as they are"),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const job = await findJob({ brokerApi, guard, request }, params.id);
      const { id, state } = job;
      const { name } = params;
      const { from = 0, follow = false } = query;
      const mayStillCome = follow && !isFinal(state);
      if (!mayStillCome && !(await isThere(brokerApi, { id, name }))) throw unknownFile(job, name);
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const bytes = fileBytes(brokerApi, { id, name, from, follow, pollMs, signal: gone.signal });
      reply.header("x-content-type-options", "nosniff").type("application/octet-stream");
      // Whoever follows a job that has written nothing yet knows at once that it is being followed.
      reply.raw.once("pipe", () => reply.raw.flushHeaders());
      return reply.send(Readable.from(bytes, { objectMode: false }));
    },
  );
}

function addPurging(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.delete(
    urlOf("purgeJob"),
    {
      config: forThoseWhoMay("cancel"),
      schema: {
        summary: "Purge an ended job",
        description:
          "Removes its files at its site, and marks it as PURGED. Its accounting and its provenance stay.",
        tags: ["jobs"],
        params: jobParameters,
        response: answers("Job", 200),
      },
    },
    async (request) => {
      const job = await findJob({ brokerApi, guard, request }, request.params.id, "cancel");
      const answer = await brokerApi.purgeJob(job.id, whoOf(request).owner);
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return jobView((await brokerApi.job(job.id)) ?? job);
    },
  );
}

function addClearing(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.delete(
    urlOf("clearFiles"),
    {
      config: forThoseWhoMay("cancel"),
      schema: {
        summary: "Remove the job's files at its site",
        description: "For an ended job; its files no longer count against storage policies.",
        tags: ["files"],
        params: jobParameters,
        response: answers("FileList", 200),
      },
    },
    async (request) => {
      const { id } = await findJob({ brokerApi, guard, request }, request.params.id, "cancel");
      const answer = await brokerApi.clearFiles(id, whoOf(request).owner);
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return { items: await brokerApi.listFiles(id) };
    },
  );
}
