/** `/simulations/ID`: its results, schedules and rows; renames, shares and deletes it. */
import type { FastifyRequest } from "fastify";
import { scheduleQuery, simulationChangeSchema, simulationParameters } from "../../contract/index.ts";
import type { SimulationRecord } from "../../runtime/index.ts";
import { findSimulation, unknownSimulation } from "../find-simulation.ts";
import { whoOf } from "../identity.ts";
import { ProblemError } from "../problem.ts";
import { streamSimulation } from "../simulation-stream.ts";
import { simulationView } from "../simulation-view.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, streams, urlOf } from "./api.ts";

/** Registers the routes of one simulation. */
export function addSimulation(api: Api, world: RouteWorld): void {
  addResults(api, world);
  addSchedule(api, world);
  addRows(api, world);
  addChanges(api, world);
}

function addResults(api: Api, world: RouteWorld): void {
  const { simulations } = world;
  api.get(
    urlOf("getSimulation"),
    {
      config: forThoseWhoMay("seeSimulation"),
      schema: {
        summary: "Get a simulation with the results of its variants",
        tags: ["simulations"],
        params: simulationParameters,
        response: answers("SimulationResult", 200),
      },
    },
    async (request) => {
      const record = findSimulation(world, request, request.params.id);
      const results = (await simulations.results(record.id)) ?? null;
      const { version } = record;
      return { ...simulationView(record, whoOf(request), simulations), version, results };
    },
  );
  api.get(
    urlOf("watchSimulation"),
    {
      config: { ...forThoseWhoMay("seeSimulation"), isStream: true },
      schema: {
        summary: "Watch a simulation until it has ended",
        description:
          "Server-sent events called `simulation`, each a simulation without its results; the first is " +
          "its current state.",
        tags: ["simulations"],
        params: simulationParameters,
        response: streams("text/event-stream", "The simulation now and at every change"),
      },
    },
    async (request, reply) => {
      const { id } = findSimulation(world, request, request.params.id);
      const who = whoOf(request);
      reply.hijack();
      await streamSimulation(simulations, { id, who }, reply.raw).catch(() => reply.raw.destroy());
    },
  );
}

function addSchedule(api: Api, world: RouteWorld): void {
  api.get(
    urlOf("getSimulationSchedule"),
    {
      config: forThoseWhoMay("seeSimulation"),
      schema: {
        summary: "Get the starts and ends of the jobs of a variant",
        tags: ["simulations"],
        params: simulationParameters,
        querystring: scheduleQuery,
        response: answers("SimulationSchedule", 200),
      },
    },
    async (request) => {
      const record = findSimulation(world, request, request.params.id);
      const { variant = 0 } = request.query;
      const schedule = await world.simulations.schedule(record.id, variant);
      if (schedule !== undefined) return schedule;
      throw record.state === "done" ? noVariant(record, variant) : noResults(record);
    },
  );
}

function addRows(api: Api, world: RouteWorld): void {
  api.get(
    urlOf("exportSimulation"),
    {
      config: forThoseWhoMay("seeSimulation"),
      schema: {
        summary: "Export a row for each job of each variant as CSV",
        description:
          "Columns variant, job_id, user, group, queue, procs, submit, start, end, wait; times in seconds " +
          "from the beginning. All other results are exported as JSON: see getSimulation.",
        tags: ["simulations"],
        params: simulationParameters,
        response: streams("text/csv", "A row for each job of each variant"),
      },
    },
    async (request, reply) => {
      const record = findSimulation(world, request, request.params.id);
      const rows = await world.simulations.rows(record.id);
      if (rows === undefined) throw noResults(record);
      reply.header("content-disposition", `attachment; filename="stint-simulation-${record.id}.csv"`);
      return reply.type("text/csv; charset=utf-8").send(rows);
    },
  );
}

function addChanges(api: Api, world: RouteWorld): void {
  const { simulations } = world;
  const changeable = (request: FastifyRequest, given: string): SimulationRecord => {
    const record = findSimulation(world, request, given);
    world.guard.demand(request, "changeSimulation", record);
    return record;
  };
  api.put(
    urlOf("changeSimulation"),
    {
      config: forThoseWhoMay("changeSimulation"),
      schema: {
        summary: "Rename a simulation, share it, or end sharing it",
        tags: ["simulations"],
        params: simulationParameters,
        body: simulationChangeSchema,
        response: answers("Simulation", 200),
      },
    },
    async (request) => {
      const { id } = changeable(request, request.params.id);
      const { name, shared } = request.body;
      const changed = await simulations.change(id, {
        ...(name !== undefined && { name }),
        ...(shared !== undefined && { isShared: shared }),
      });
      if (changed === undefined) throw unknownSimulation(request.params.id);
      return simulationView(changed, whoOf(request), simulations);
    },
  );
  api.delete(
    urlOf("deleteSimulation"),
    {
      config: forThoseWhoMay("changeSimulation"),
      schema: {
        summary: "Delete a simulation; if it is running, it is stopped",
        tags: ["simulations"],
        params: simulationParameters,
        response: answers("Simulation", 200),
      },
    },
    async (request) => {
      const record = changeable(request, request.params.id);
      const last = simulationView(record, whoOf(request), simulations);
      if (!(await simulations.remove(record.id))) throw unknownSimulation(request.params.id);
      return last;
    },
  );
}

function noResults({ id, state }: SimulationRecord): ProblemError {
  return new ProblemError({
    status: 409,
    code: "simulationNotDone",
    what: `simulation ${id} has no results`,
    why: state === "failed" ? "it has failed" : `it is ${state}`,
    remedy: state === "failed" ? "run it again; it says why it has failed" : "wait until it is done",
    facts: { simulation: id, state },
  });
}

function noVariant({ id, variants }: SimulationRecord, variant: number): ProblemError {
  return new ProblemError({
    status: 404,
    code: "unknownVariant",
    what: `simulation ${id} has no variant ${variant}`,
    why: `its variants are numbered from 0 to ${variants.length - 1}`,
    remedy: "name one of them",
    facts: { simulation: id, variant },
  });
}
