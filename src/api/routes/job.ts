/** `/jobs/:id`: gets one job, explains it, watches it, acts on it. */
import { type JobView, jobEditSchema, jobParameters } from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { explanationText, type JobRecord, type JobVerb } from "../../model/index.ts";
import type { BrokerApi } from "../../runtime/index.ts";
import { factsView } from "../facts-view.ts";
import { findJob, vanished } from "../find-job.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { endReason, jobView } from "../job-view.ts";
import { linesOfPeers } from "../peer-view.ts";
import { refusalProblem } from "../problem.ts";
import { suOf } from "../reservation-view.ts";
import { wholeMs } from "../submit-jobs.ts";
import { streamJob } from "../watch-stream.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, streams, urlOf } from "./api.ts";

const verbs: Readonly<Record<JobVerb, string>> = {
  cancel: "Cancel the job",
  hold: "Keep the job from starting",
  release: "Let a held job go on",
  suspend: "Stop the running job's processes",
  resume: "Let a suspended job go on",
};

/** Registers the routes of one job. */
export function addJob(api: Api, world: RouteWorld): void {
  addLooks(api, world);
  addWatch(api, world);
  addVerbs(api, world);
  addEdit(api, world);
}

function addLooks(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("getJob"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "Get a job",
        tags: ["jobs"],
        params: jobParameters,
        response: answers("Job", 200),
      },
    },
    async (request) => {
      const job = await findJob({ brokerApi, guard, request }, request.params.id);
      return { ...jobView(job), ...(await chargeOf(brokerApi, job)) };
    },
  );
  api.get(
    urlOf("explainJob"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "Explain the state of a job",
        tags: ["jobs"],
        params: jobParameters,
        response: answers("Why", 200),
      },
    },
    async (request) => {
      const job = await findJob({ brokerApi, guard, request }, request.params.id);
      const { id, site } = job;
      const explanation = await brokerApi.explain(id);
      if (explanation === undefined) throw vanished(id);
      const lines = explanationText(explanation, isoInstant);
      const peers = linesOfPeers(brokerApi.query("peers"), site);
      const reason = endReason(job);
      return { ...factsView(explanation), lines: [...lines, ...(reason === null ? [] : [reason]), ...peers] };
    },
  );
}

/** Charge for the last run of a job; nothing before that. */
async function chargeOf(
  brokerApi: BrokerApi,
  { id, attempt, endedAtMs }: JobRecord,
): Promise<Partial<JobView>> {
  const posting = endedAtMs === null ? undefined : await brokerApi.posting(`${id}/${attempt}`);
  if (posting === undefined) return {};
  const chargedProcMs = posting.procMs === 0 ? 0 : -posting.procMs;
  return { chargedSu: suOf(chargedProcMs), chargedProcMs };
}

function addWatch(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("watchJob"),
    {
      config: { ...forThoseWhoMay("seeJob"), isStream: true },
      schema: {
        summary: "Watch a job until it ends, as server-sent events",
        tags: ["jobs"],
        params: jobParameters,
        response: streams("text/event-stream", "Events named `job`, each with a job as its data"),
      },
    },
    async (request, reply) => {
      const { id } = await findJob({ brokerApi, guard, request }, request.params.id);
      reply.hijack();
      await streamJob(brokerApi, id, reply.raw).catch(() => reply.raw.destroy());
    },
  );
}

function addVerbs(api: Api, { brokerApi, guard }: RouteWorld): void {
  for (const [verb, summary] of Object.entries(verbs) as [JobVerb, string][]) {
    api.post(
      urlOf(`${verb}Job`),
      {
        config: forThoseWhoMay(verb),
        schema: {
          summary,
          tags: ["jobs"],
          params: jobParameters,
          response: answers("Job", 200),
        },
      },
      async (request) => {
        const { id } = await findJob({ brokerApi, guard, request }, request.params.id, verb);
        const answer = await brokerApi.ask({ kind: verb, job: id, by: whoOf(request).owner });
        if (!answer.ok) throw refusalProblem(answer.refusal);
        const job = await brokerApi.job(id);
        if (job === undefined) throw vanished(id);
        return jobView(job);
      },
    );
  }
}

function addEdit(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("editJob"),
    {
      config: forThoseWhoMay("hold"),
      schema: {
        summary: "Change a job that has not started",
        description:
          "A job whose requirements change is placed again. One in the queue of a cluster has the change " +
          "as its `pendingChange` until the cluster has removed it from its queue; the change is dropped " +
          "if the job starts there first. 409 for a job that has started.",
        tags: ["jobs"],
        params: jobParameters,
        body: jobEditSchema,
        response: answers("Job", 200),
      },
    },
    async (request) => {
      const { id, site } = await findJob({ brokerApi, guard, request }, request.params.id, "hold");
      const { wallTimeSec, ...values } = request.body;
      const change = wallTimeSec === undefined ? values : { ...values, wallTimeMs: wholeMs(wallTimeSec) };
      const who = whoOf(request);
      // Whoever may undo what an enforcer did there may also put a job before those of others.
      const mayRaise = mayDo(who, "undoEnforcement", { site });
      const answer = await brokerApi.ask({ kind: "editJob", job: id, change, by: who.owner, mayRaise });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      const job = await brokerApi.job(id);
      if (job === undefined) throw vanished(id);
      return jobView(job);
    },
  );
}
