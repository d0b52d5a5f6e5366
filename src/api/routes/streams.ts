/** `/streams`: submits, shows and changes streams, each of which is a job too. */
import {
  idempotencyHeaders,
  jobParameters,
  streamChangeSchema,
  streamRequestSchema,
} from "../../contract/index.ts";
import type { Answer } from "../../engine/index.ts";
import { inMilliseconds, type StreamRecord } from "../../model/index.ts";
import { findJob } from "../find-job.ts";
import { whoOf } from "../identity.ts";
import { derivedJobId, randomJobId } from "../job-ids.ts";
import { PREFIX } from "../operations.ts";
import { refusalProblem } from "../problem.ts";
import { streamView } from "../stream-view.ts";
import { doubledInputs } from "../submit-jobs.ts";
import { invalid } from "../validator.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of streams. */
export function addStreams(api: Api, world: RouteWorld): void {
  addSubmit(api, world);
  addLooks(api, world);
  addChange(api, world);
}

function addSubmit(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("submitStream"),
    {
      config: forThoseWhoMay("submit"),
      schema: {
        summary: "Submit a stream: a job that waits for processors, bandwidth and storage together",
        description: "201 when it was submitted; 200 for a repeated request with the same Idempotency-Key.",
        tags: ["streams"],
        headers: idempotencyHeaders,
        body: streamRequestSchema,
        response: answers("Stream", 200, 201),
      },
    },
    async (request, reply) => {
      const { owner, consumer: own, token } = whoOf(request);
      const { site, stream, virtualOrganisation, inputSandbox = [] } = request.body;
      const doubled = doubledInputs([{ executable: "", inputSandbox }], false);
      if (doubled.length > 0) throw invalid(doubled);
      const consumer = virtualOrganisation ?? own;
      guard.demand(request, "submit", { consumer, owner });
      const key = request.headers["idempotency-key"];
      const job = key === undefined ? randomJobId() : derivedJobId(owner, key, 0);
      const known = brokerApi.query("stream", job);
      if (known === undefined) {
        const asked = { job, site, stream: inMilliseconds(stream), inputSandbox, owner, consumer };
        demand(await brokerApi.submitStream({ ...asked, isByToken: token !== undefined }));
      }
      reply.code(known === undefined ? 201 : 200).header("location", `${PREFIX}/streams/${job}`);
      return shown({ brokerApi }, job);
    },
  );
}

function addLooks(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("listStreams"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "List the streams that wait, run, or ended recently",
        tags: ["streams"],
        response: answers("StreamList", 200),
      },
    },
    async (request) => {
      const items: StreamRecord[] = [];
      for (const { job: id } of brokerApi.query("streams")) {
        const job = await brokerApi.job(id);
        if (job === undefined || !guard.permits(request, "seeJob", job)) continue;
        await brokerApi.noteStreamEnd(id);
        const record = brokerApi.query("stream", id);
        if (record !== undefined) items.push(record);
      }
      return {
        items: items.map((it) => {
          const problem = brokerApi.streamProblem(it.job);
          return streamView(it, brokerApi.streamFigures(it.job), { problem });
        }),
      };
    },
  );
  api.get(
    urlOf("getStream"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "Get a stream with its current rates and storage",
        tags: ["streams"],
        params: jobParameters,
        response: answers("Stream", 200),
      },
    },
    async (request) => {
      const { id } = await findJob({ brokerApi, guard, request }, request.params.id);
      return shown({ brokerApi }, id);
    },
  );
}

function addChange(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("changeStream"),
    {
      config: forThoseWhoMay("changeStream"),
      schema: {
        summary: "Pause, resume or drain a stream, or change its weight or maximum bandwidth",
        tags: ["streams"],
        params: jobParameters,
        body: streamChangeSchema,
        response: answers("Stream", 200),
      },
    },
    async (request) => {
      const job = await findJob({ brokerApi, guard, request }, request.params.id);
      const { owner: by } = guard.demand(request, "changeStream", job);
      const { paused, draining, ...same } = request.body;
      const change = {
        ...same,
        ...(paused === undefined ? {} : { isPaused: paused }),
        ...(draining === undefined ? {} : { isDraining: draining }),
      };
      demand(await brokerApi.ask({ kind: "changeStream", job: job.id, by, ...change }));
      return shown({ brokerApi }, job.id);
    },
  );
}

/** @throws ProblemError with the reason of a refusal */
function demand(answer: Answer): void {
  if (!answer.ok) throw refusalProblem(answer.refusal);
}

async function shown({ brokerApi }: Pick<RouteWorld, "brokerApi">, job: string) {
  await brokerApi.noteStreamEnd(job);
  const record = brokerApi.query("stream", job);
  if (record === undefined) throw refusalProblem({ kind: "unknownStream", job });
  return streamView(record, brokerApi.streamFigures(job), {
    classRates: brokerApi.query("streamClassRates", job),
    problem: brokerApi.streamProblem(job),
  });
}
