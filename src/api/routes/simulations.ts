/** `/simulations`: runs and lists simulations; `/simulation-workloads`: the workloads that the broker has. */
import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { idempotencyHeaders, type SimulationGiven, simulationRequestSchema } from "../../contract/index.ts";
import type { SimulationRecord } from "../../runtime/index.ts";
import { seenSimulations } from "../find-simulation.ts";
import { whoOf } from "../identity.ts";
import { inTurn, keyReused } from "../in-turn.ts";
import { derivedId, randomJobId } from "../job-ids.ts";
import { PREFIX } from "../operations.ts";
import { simulationView } from "../simulation-view.ts";
import { orderedWorkload } from "../simulation-workload.ts";
import { invalid } from "../validator.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of simulations in general. */
export function addSimulations(api: Api, world: RouteWorld): void {
  addRun(api, world);
  addLists(api, world);
}

function addRun(api: Api, world: RouteWorld): void {
  const { simulations } = world;
  api.post(
    urlOf("runSimulation"),
    {
      config: forThoseWhoMay("simulate"),
      schema: {
        summary: "Simulate a workload under several variants of the rules",
        description:
          "Runs in the background, a few at a time, by the engine of stint sim. 202 when it was accepted; " +
          "200 with its current state for a repeated request with the same Idempotency-Key. Nothing in the " +
          "broker changes. Simulating the queue of a cluster requires permission to see that queue.",
        tags: ["simulations"],
        headers: idempotencyHeaders,
        body: simulationRequestSchema,
        response: answers("Simulation", 200, 202),
      },
    },
    async (request, reply) => {
      const { owner } = whoOf(request);
      world.guard.demand(request, "simulate", { owner });
      const key = request.headers["idempotency-key"];
      const { record, isNew } =
        key === undefined
          ? { record: await order(world, request, randomJobId()), isNew: true }
          : await inTurn(world.brokerApi, [owner, `simulation ${key}`], () => orderOnce(world, request, key));
      reply.code(isNew ? 202 : 200).header("location", `${PREFIX}/simulations/${record.id}`);
      return simulationView(record, whoOf(request), simulations);
    },
  );
}

/** The simulation under a key, taken now or before. */
async function orderOnce(
  world: RouteWorld,
  request: FastifyRequest,
  key: string,
): Promise<{ readonly record: SimulationRecord; readonly isNew: boolean }> {
  const id = derivedId("simulation", whoOf(request).owner, key);
  const there = world.simulations.find(id);
  if (there === undefined) return { record: await order(world, request, id), isNew: true };
  if (there.fingerprint !== fingerprintOf(request)) throw keyReused(key, "simulation");
  return { record: there, isNew: false };
}

async function order(world: RouteWorld, request: FastifyRequest, id: string): Promise<SimulationRecord> {
  const { name, workload, variants, shared = false } = request.body as SimulationGiven;
  const { owner, consumer } = whoOf(request);
  const ordered = await orderedWorkload(world, request, workload);
  assertVariants(variants);
  return await world.simulations.order({
    ...{ id, name, owner, consumer, isShared: shared, variants, fingerprint: fingerprintOf(request) },
    ...ordered,
  });
}

function fingerprintOf({ body }: FastifyRequest): string {
  return createHash("sha256").update(JSON.stringify(body)).digest("hex");
}

/** Checks of the variants that the schema cannot express. @throws ProblemError with every place */
function assertVariants(variants: SimulationGiven["variants"]): void {
  const places = variants.flatMap(({ name, priority, priorityRules, policies, owners }, at) => {
    const problems = [
      variants.findIndex((other) => other.name === name) < at && ["name", "another variant has this name"],
      priorityRules !== undefined && priority === undefined && ["priorityRules", "it needs a priority"],
      owners !== undefined && policies === undefined && ["owners", "it needs policies"],
    ].filter((problem) => problem !== false);
    return problems.map(([field, detail]) => ({ pointer: `/variants/${at}/${field}`, detail }));
  });
  if (places.length > 0) throw invalid(places);
}

function addLists(api: Api, world: RouteWorld): void {
  const { simulations } = world;
  api.get(
    urlOf("listSimulations"),
    {
      config: forThoseWhoMay("seeSimulation"),
      schema: {
        summary: "List simulations, newest first, without their results",
        tags: ["simulations"],
        response: answers("SimulationList", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      return { items: seenSimulations(world, who).map((one) => simulationView(one, who, simulations)) };
    },
  );
  api.get(
    urlOf("listSimulationWorkloads"),
    {
      config: forThoseWhoMay("simulate"),
      schema: {
        summary: "List the workloads that the broker has for simulations",
        tags: ["simulations"],
        response: answers("SimulationWorkloads", 200),
      },
    },
    async () => ({ items: simulations.workloads }),
  );
}
