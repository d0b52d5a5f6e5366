/** `/pilots`: lists, shows and drains pilots. */
import { type PilotView, pilotParameters, pilotQuery } from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { type Identity, type PilotRecord, publishesAggregates } from "../../model/index.ts";
import type { BrokerApi } from "../../runtime/index.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { refusalProblem } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes. */
export function addPilots(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.get(
    urlOf("listPilots"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "List pilots that are queued or running, or that ended within the last day",
        ...{ tags: ["sites"], querystring: pilotQuery, response: answers("PilotList", 200) },
      },
    },
    async (request) => {
      const { site } = request.query;
      const all = brokerApi.query("pilots").filter((it) => site === undefined || it.site === site);
      return { items: all.map((record) => viewOf(brokerApi, record, whoOf(request))) };
    },
  );
  api.get(
    urlOf("getPilot"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "Show a pilot with the jobs that it runs",
        ...{ tags: ["sites"], params: pilotParameters, response: answers("Pilot", 200) },
      },
    },
    async (request) => viewOf(brokerApi, pilotOf(brokerApi, request.params.id), whoOf(request)),
  );
  api.post(
    urlOf("drainPilot"),
    {
      config: forThoseWhoMay("drainPilot"),
      schema: {
        summary: "Drain a pilot: it accepts no more jobs, and ends when those that it runs have ended",
        ...{ tags: ["sites"], params: pilotParameters, response: answers("Pilot", 200) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { site } = pilotOf(brokerApi, id);
      guard.demand(request, "drainPilot", { site });
      const answer = await brokerApi.ask({ kind: "drainPilot", pilot: id, why: "request" });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return viewOf(brokerApi, pilotOf(brokerApi, id), whoOf(request));
    },
  );
}

function pilotOf(brokerApi: BrokerApi, id: string): PilotRecord {
  const found = brokerApi.query("pilots").find(({ job }) => job === id);
  if (found === undefined) throw refusalProblem({ kind: "unknownPilot", pilot: id });
  return found;
}

/** A pilot; for users of a site that publishes aggregates, without its node and the jobs of others. */
function viewOf(brokerApi: BrokerApi, { job: id, ...pilot }: PilotRecord, who: Identity): PilotView {
  const jobs = brokerApi.query("payloads", id);
  const { site, state, procs, memoryBytes, gpus, node, drained, taken, claimed = null } = pilot;
  const spec = brokerApi.sites().find(({ name }) => name === site)?.spec;
  const isPublished = spec !== undefined && !publishesAggregates(spec);
  const isWhole = isPublished || mayDo(who, "changeSite", { site });
  const seen = isWhole ? jobs : jobs.filter((job) => mayDo(who, "seeJob", job));
  return {
    ...{ id, site, state, procs, memoryBytes, gpus, drained, taken, claimed },
    node: isWhole ? node : null,
    procsBusy: jobs.reduce((sum, { description }) => sum + description.procs, 0),
    submittedAt: isoInstant(pilot.submittedAtMs),
    openedAt: instantOf(pilot.openedAtMs),
    until: instantOf(pilot.untilMs),
    endedAt: instantOf(pilot.endedAtMs),
    jobs: seen.map((one) => one.id),
  };
}

function instantOf(atMs: number | null): string | null {
  return atMs === null ? null : isoInstant(atMs);
}
