/** `/platform` and `/workflows`: what workflows are planned on, and their execution. */
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { MS_PER_SECOND } from "../../base/index.ts";
import {
  idempotencyHeaders,
  type PlatformView,
  platformQuery,
  type WorkflowView,
  workflowFileParameters,
  workflowParameters,
  workflowRequestSchema,
} from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import type { Identity, Refusal, WorkflowRecord } from "../../model/index.ts";
import type { Platform } from "../../plan/index.ts";
import type { BrokerApi } from "../../runtime/index.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { derivedId, randomJobId } from "../job-ids.ts";
import { refusalProblem } from "../problem.ts";
import { workflowCommand } from "../start-workflow.ts";
import { consumerOf } from "../submit-jobs.ts";
import { workflowSummary, workflowView } from "../workflow-view.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, streams, urlOf } from "./api.ts";
import { demandSites } from "./quotes.ts";

/** A workflow of some ten thousand tasks. */
const MOST_BODY_BYTES = 32 * 2 ** 20;

/** Registers the routes of workflows. */
export function addWorkflows(api: Api, world: RouteWorld): void {
  addPlatform(api, world);
  addStart(api, world);
  addLooks(api, world);
  addResults(api, world);
  addVerbs(api, world);
}

function addStart(api: Api, { brokerApi, guard, nowMs }: RouteWorld): void {
  api.post(
    urlOf("startWorkflow"),
    {
      config: forThoseWhoMay("submit"),
      bodyLimit: MOST_BODY_BYTES,
      schema: {
        summary: "Execute a workflow: by its plan, or as best effort",
        description:
          "All reservations of the plan are made, or none; then pilots run its tasks. 409: a slot is taken.",
        tags: ["workflows"],
        headers: idempotencyHeaders,
        body: workflowRequestSchema,
        response: answers("Workflow", 200, 201),
      },
    },
    async (request, reply): Promise<WorkflowView> => {
      const { virtualOrganisation } = request.body;
      const { consumer = consumerOf(whoOf(request).consumer, virtualOrganisation) } = request.body;
      const { owner } = guard.demand(request, "submit", { consumer, owner: whoOf(request).owner });
      const { reservations = [] } = request.body;
      if (reservations.length > 0) guard.demand(request, "reserve", { consumer, owner });
      const key = request.headers["idempotency-key"];
      const workflow = key === undefined ? randomJobId() : derivedId("workflow", owner, key);
      const isThere = brokerApi.query("workflows").some(({ id }) => id === workflow);
      if (!isThere) {
        const isByToken = whoOf(request).token !== undefined;
        const command = workflowCommand(request.body, { workflow, owner, consumer, isByToken }, nowMs());
        const answer = await brokerApi.ask(command);
        if (!answer.ok) throw refusalProblem(answer.refusal);
      }
      reply.code(isThere ? 200 : 201);
      return viewOf(brokerApi, workflow, nowMs());
    },
  );
}

function addLooks(api: Api, { brokerApi, guard, nowMs }: RouteWorld): void {
  api.get(
    urlOf("listWorkflows"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "List executed workflows, newest first",
        tags: ["workflows"],
        response: answers("WorkflowList", 200),
      },
    },
    async (request) => {
      const seen = brokerApi.query("workflows").filter((one) => guard.permits(request, "seeJob", one));
      return {
        items: seen.toReversed().map((one) => workflowSummary(one, brokerApi.query("workflowTasks", one.id))),
      };
    },
  );
  api.get(
    urlOf("getWorkflow"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "Get an executed workflow with its tasks",
        tags: ["workflows"],
        params: workflowParameters,
        response: answers("Workflow", 200),
      },
    },
    async (request) => {
      const { id } = found({ brokerApi, guard }, request, "seeJob");
      return viewOf(brokerApi, id, nowMs());
    },
  );
}

function addResults(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("readWorkflowFile"),
    {
      config: { ...forThoseWhoMay("seeJob"), isStream: true },
      schema: {
        summary: "Read a result of a workflow",
        tags: ["workflows"],
        params: workflowFileParameters,
        response: streams("application/octet-stream", "The bytes as they are"),
      },
    },
    async (request, reply) => {
      const { id } = found({ brokerApi, guard }, request, "seeJob");
      const { name } = request.params;
      const bytes = brokerApi.readWorkflowFile(id, name);
      if (bytes === undefined) throw refusalProblem(withoutBytes(brokerApi, id, name));
      reply.header("x-content-type-options", "nosniff").type("application/octet-stream");
      return reply.send(Readable.from(bytes, { objectMode: false }));
    },
  );
}

/** Why the broker has no bytes of a result. */
function withoutBytes(brokerApi: RouteWorld["brokerApi"], workflow: string, name: string): Refusal {
  const file = brokerApi.query("workflowFiles", workflow).find((one) => one.name === name);
  if (file?.overLimitBytes === undefined) return { kind: "unknownWorkflowFile", workflow, file: name };
  const { bytes, overLimitBytes: mostBytes, copies } = file;
  const sites = [...new Set(copies.map(({ site }) => site))];
  return { kind: "workflowResultTooLarge", workflow, file: name, bytes, mostBytes, sites };
}

const VERBS = {
  cancel: "Cancel a workflow: its jobs end, and its reservations are given up",
  continue: "Continue a workflow that failed or was cancelled; what is done is not repeated",
} as const;

function addVerbs(api: Api, { brokerApi, guard, nowMs }: RouteWorld): void {
  for (const verb of ["cancel", "continue"] as const) {
    const action = verb === "cancel" ? "cancel" : "submit";
    api.post(
      urlOf(`${verb}Workflow`),
      {
        config: forThoseWhoMay(action),
        schema: {
          summary: VERBS[verb],
          tags: ["workflows"],
          params: workflowParameters,
          response: answers("Workflow", 200),
        },
      },
      async (request) => {
        const { id: workflow } = found({ brokerApi, guard }, request, action);
        const answer = await brokerApi.ask({ kind: `${verb}Workflow`, workflow, by: whoOf(request).owner });
        if (!answer.ok) throw refusalProblem(answer.refusal);
        return viewOf(brokerApi, workflow, nowMs());
      },
    );
  }
}

/** The workflow of a request, by its id or a unique prefix. @throws ProblemError `unknownWorkflow` */
function found(
  { brokerApi, guard }: Pick<RouteWorld, "brokerApi" | "guard">,
  request: FastifyRequest,
  action: "seeJob" | "cancel" | "submit",
): WorkflowRecord {
  const { id } = request.params as { readonly id: string };
  const seen = brokerApi.query("workflows").filter((one) => guard.permits(request, "seeJob", one));
  const named = seen.filter((one) => one.id === id || one.id.startsWith(id));
  const [one] = named;
  if (one === undefined || named.length > 1) {
    throw refusalProblem({ kind: "unknownWorkflow", workflow: id });
  }
  guard.demand(request, action, one);
  return one;
}

async function viewOf(brokerApi: BrokerApi, id: string, nowMs: number): Promise<WorkflowView> {
  const find = (): WorkflowRecord => {
    const record = brokerApi.query("workflows").find((one) => one.id === id);
    if (record === undefined) throw refusalProblem({ kind: "unknownWorkflow", workflow: id });
    return record;
  };
  const reservations = await Promise.all(
    find().pilots.map(({ reservation }) => brokerApi.reservation(reservation)),
  );
  // It may have been planned again meanwhile.
  const record = find();
  const tasks = brokerApi.query("workflowTasks", id);
  return workflowView(record, { tasks, files: brokerApi.query("workflowFiles", id) }, reservations, nowMs);
}

/**
 * Slots that the caller may still reserve, at the given sites or at all visible ones.
 *
 * @throws ProblemError `unknownSite`
 */
export async function platformFor(
  brokerApi: BrokerApi,
  who: Identity,
  sites?: readonly string[],
): Promise<{ readonly platform: Platform; readonly beginMs: number }> {
  const seen = brokerApi.sites().filter(({ name }) => mayDo(who, "seeSite", { site: name }));
  const only = sites ?? seen.map(({ name }) => name);
  demandSites(brokerApi, only);
  const asked = seen.filter(({ name }) => only.includes(name));
  const sets = await Promise.all(asked.map(({ name }) => brokerApi.slots(name)));
  return brokerApi.query("livePlatform", {
    sets: sets.filter((set) => set !== undefined),
    consumer: who.consumer,
  });
}

function addPlatform(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("getPlatform"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "Get the sites as input for workflow planners",
        description:
          "Free slots that the caller may still reserve, from the beginning of a plan on. Sites that " +
          "accept no new jobs are omitted. Advisory: nothing is held.",
        tags: ["workflows"],
        querystring: platformQuery,
        response: answers("Platform", 200),
      },
    },
    async (request): Promise<PlatformView> => {
      const { platform, beginMs } = await platformFor(brokerApi, whoOf(request), request.query.site);
      const { latencyMs = 0, bytesPerSec = 0 } = platform.link ?? {};
      return {
        beginAt: isoInstant(beginMs),
        sites: platform.sites.map(({ name, procs, speed, price, marginMs = 0, slots = [], ...site }) => ({
          ...{ name, procs, memoryBytes: site.memoryBytes ?? 0, gpus: site.gpus ?? 0 },
          ...{ speed, price, marginSec: marginMs / MS_PER_SECOND },
          freeBeside: (site.freeBeside ?? []).map(({ fromMs, ...free }) => ({
            fromSec: fromMs / MS_PER_SECOND,
            ...free,
          })),
          slots: slots.map((slot) => ({
            startSec: slot.startMs / MS_PER_SECOND,
            durationSec: slot.durationMs / MS_PER_SECOND,
            ...{ procs: slot.procs, price: slot.price, fixedSu: slot.fixedSu },
          })),
        })),
        link: { latencySec: latencyMs / MS_PER_SECOND, bytesPerSec },
      };
    },
  );
}
