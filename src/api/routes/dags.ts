/** `/dags`: submits, lists and gets DAGs, acts on one or on nodes of it. */
import { isDeepStrictEqual } from "node:util";
import {
  dagActionQuery,
  dagParameters,
  dagRequestSchema,
  dagsQuery,
  idempotencyHeaders,
  submitQuery,
} from "../../contract/index.ts";
import { jobsWithin } from "../../engine/index.ts";
import { type DagPlan, type Identity, type JobVerb, splitSteps } from "../../model/index.ts";
import type { BrokerApi, DagQuery } from "../../runtime/index.ts";
import { dagView, nodeViews, planGiven } from "../dag-view.ts";
import { findDag } from "../find-job.ts";
import { whoOf } from "../identity.ts";
import { inTurn, keyReused } from "../in-turn.ts";
import { conditionsGiven } from "../job-conditions.ts";
import { derivedJobId, randomJobId } from "../job-ids.ts";
import { PREFIX } from "../operations.ts";
import { demandOutputs } from "../output-rights.ts";
import { refusalProblem } from "../problem.ts";
import { consumerOf } from "../submit-jobs.ts";
import { seenOf } from "../within-sight.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

const verbs: Readonly<Record<JobVerb, string>> = {
  cancel: "Cancel a DAG, or nodes of it",
  hold: "Hold the waiting nodes of a DAG",
  release: "Release the held nodes of a DAG",
  suspend: "Suspend the running nodes of a DAG",
  resume: "Resume the suspended nodes of a DAG",
};

/** Registers the routes of DAGs. */
export function addDags(api: Api, world: RouteWorld): void {
  addSubmit(api, world);
  addLooks(api, world);
  addVerbs(api, world);
  addRetry(api, world);
}

function addSubmit(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("submitDag"),
    {
      config: forThoseWhoMay("submit"),
      schema: {
        summary: "Submit a DAG: jobs that depend on each other",
        description: "201; 200 for a repeated request with the same Idempotency-Key.",
        tags: ["jobs"],
        headers: idempotencyHeaders,
        querystring: submitQuery,
        body: dagRequestSchema,
        response: answers("Ids", 200, 201),
      },
    },
    async (request, reply) => {
      const { owner, consumer: own } = whoOf(request);
      const consumer = request.query.for ?? own;
      const who = { ...guard.demand(request, "submit", { consumer, owner }), consumer };
      const plan = planGiven(request.body);
      demandOutputs(
        { guard, request },
        plan.nodes.map(({ description }) => description),
      );
      const { "idempotency-key": key } = request.headers;
      const { id, isNew } =
        key === undefined
          ? await submitNew(brokerApi, who, plan)
          : await inTurn(brokerApi, [owner, key], () => submitKeyed({ brokerApi, who, plan }, key));
      reply.code(isNew ? 201 : 200).header("location", `${PREFIX}/dags/${id}`);
      return { ids: [id] };
    },
  );
}

interface Submission {
  readonly brokerApi: BrokerApi;
  readonly who: Identity;
  readonly plan: DagPlan;
}

async function submitNew(brokerApi: BrokerApi, who: Identity, plan: DagPlan) {
  return submitAs({ brokerApi, who, plan }, randomJobId());
}

async function submitKeyed({ brokerApi, who, plan }: Submission, key: string) {
  const id = derivedJobId(who.owner, key, 0);
  if ((await brokerApi.dag(id)) === undefined) return submitAs({ brokerApi, who, plan }, id);
  const there = (await brokerApi.dagNodes(id)).map(({ node: { inputBytes: _, ...node } }) => node);
  const parts = new Map<string, number>();
  for (const { stepRange } of there) {
    if (stepRange !== undefined) parts.set(stepRange.of, 1 + (parts.get(stepRange.of) ?? 0));
  }
  const { nodes } = splitSteps(plan, ({ name }) => parts.get(name) ?? 0);
  if (!isDeepStrictEqual(there, nodes)) throw keyReused(key, "DAG");
  return { id, isNew: false };
}

async function submitAs({ brokerApi, who, plan }: Submission, dag: string) {
  const named = plan.nodes.find(({ description }) => description.virtualOrganisation !== undefined);
  const consumer = consumerOf(who.consumer, named?.description.virtualOrganisation);
  const by = who.token === undefined ? {} : { isByToken: true };
  const answer = await brokerApi.ask({ kind: "submitDag", dag, plan, consumer, owner: who.owner, ...by });
  if (!answer.ok) throw refusalProblem(answer.refusal);
  return { id: dag, isNew: true };
}

function addLooks(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("listDags"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "List DAGs, newest first",
        description: "If states are given: DAGs that have a node in one of them, or ended in one of them.",
        tags: ["jobs"],
        querystring: dagsQuery,
        response: answers("DagList", 200),
      },
    },
    async (request) => {
      const { cursor, ...conditions } = request.query;
      const asked: DagQuery = {
        ...conditionsGiven(conditions),
        ...(cursor !== undefined && { after: cursor }),
      };
      const query = seenOf(asked, jobsWithin(whoOf(request), "seeJob"));
      if (query === undefined) return { items: [], next: null };
      const { items, next } = await brokerApi.dags(query);
      return { items: items.map(dagView), next: next ?? null };
    },
  );
  api.get(
    urlOf("getDag"),
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        summary: "Get a DAG with its nodes",
        tags: ["jobs"],
        params: dagParameters,
        response: answers("WholeDag", 200),
      },
    },
    async (request) => {
      const dag = await findDag({ brokerApi, guard, request }, request.params.id);
      return { ...dagView(dag), nodes: nodeViews(await brokerApi.dagNodes(dag.id)) };
    },
  );
}

function addVerbs(api: Api, { brokerApi, guard }: RouteWorld): void {
  for (const [verb, summary] of Object.entries(verbs) as [JobVerb, string][]) {
    api.post(
      urlOf(`${verb}Dag`),
      {
        config: forThoseWhoMay(verb),
        schema: {
          summary,
          description: "Nodes in other states are not changed; 409 if none of the nodes can be changed.",
          tags: ["jobs"],
          params: dagParameters,
          querystring: dagActionQuery,
          response: answers("WholeDag", 200),
        },
      },
      async (request) => {
        const { id } = await findDag({ brokerApi, guard, request }, request.params.id, verb);
        const { node: nodes } = request.query;
        const by = whoOf(request).owner;
        const some = nodes === undefined ? {} : { nodes };
        const answer = await brokerApi.ask({ kind: "actOnDag", dag: id, verb, by, ...some });
        if (!answer.ok) throw refusalProblem(answer.refusal);
        return wholeView(brokerApi, id, answer.value.length);
      },
    );
  }
}

function addRetry(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("retryDag"),
    {
      config: forThoseWhoMay("submit"),
      schema: {
        summary: "Rerun the nodes of a DAG that did not succeed",
        description:
          "Nodes that have succeeded are not rerun. With named nodes: only those, and the nodes skipped " +
          "because of them. " +
          "Input files are copied again.",
        tags: ["jobs"],
        params: dagParameters,
        querystring: dagActionQuery,
        response: answers("WholeDag", 200),
      },
    },
    async (request) => {
      const { id, consumer, owner } = await findDag(
        { brokerApi, guard, request },
        request.params.id,
        "release",
      );
      const { token } = guard.demand(request, "submit", { consumer, owner });
      const { node: nodes } = request.query;
      const some = nodes === undefined ? {} : { nodes };
      const by = { by: whoOf(request).owner, ...(token === undefined ? {} : { isByToken: true }) };
      const answer = await brokerApi.ask({ kind: "retryDag", dag: id, ...by, ...some });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      const [event] = answer.value;
      return wholeView(brokerApi, id, event?.kind === "dagRetried" ? event.nodes.length : 0);
    },
  );
}

async function wholeView(brokerApi: BrokerApi, id: string, changed: number) {
  const dag = await brokerApi.dag(id);
  if (dag === undefined) throw refusalProblem({ kind: "unknownDag", dag: id });
  return { ...dagView(dag), nodes: nodeViews(await brokerApi.dagNodes(id)), changed };
}
