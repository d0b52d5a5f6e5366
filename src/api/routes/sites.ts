/** `/sites`: adds, lists, drains and reopens sites, and sets their notes. */

import { isDeepStrictEqual } from "node:util";
import {
  idempotencyHeaders,
  type SiteRequest,
  type SiteView,
  siteNoteRequestSchema,
  siteParameters,
  siteRequestSchema,
} from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { type Identity, publishesAggregates, type SiteSize } from "../../model/index.ts";
import type { SiteView as DoorSite } from "../../runtime/index.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { isoInstant } from "../iso-instant.ts";
import { PREFIX } from "../operations.ts";
import { ProblemError, refusalProblem } from "../problem.ts";
import { healthView, nodeHealthView } from "../site-health-view.ts";
import { completeSpec } from "../site-request.ts";
import { siteView } from "../site-view.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

/** Registers the routes of sites. */
export function addSites(api: Api, world: RouteWorld): void {
  addCreate(api, world);
  addLooks(api, world);
  addDrain(api, world);
  addNotes(api, world);
}

function addCreate(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("addSite"),
    {
      config: forThoseWhoMay("changeSite"),
      schema: {
        summary: "Add a simulated site, or a cluster under Slurm",
        description:
          "201 if the site was added; 200 if it already existed with the same spec and an Idempotency-Key " +
          "was sent.",
        tags: ["sites"],
        headers: idempotencyHeaders,
        body: siteRequestSchema,
        response: answers("Site", 200, 201),
      },
    },
    async (request, reply) => {
      // Of no site in particular: a trace is a path on the broker's machine, which is its admins' alone.
      guard.demand(request, "changeSite", {});
      const isRepeatable = request.headers["idempotency-key"] !== undefined;
      const isNew = await add(brokerApi, request.body, isRepeatable);
      reply.code(isNew ? 201 : 200).header("location", `${PREFIX}/sites/${request.body.name}`);
      return shown(brokerApi, request.body.name, whoOf(request));
    },
  );
}

/**
 * Adds a site. @returns true where it is new: a site's name is its id, so an idempotency key derives
 * nothing.
 */
async function add(
  brokerApi: RouteWorld["brokerApi"],
  { name, spec: request }: SiteRequest,
  isRepeatable: boolean,
): Promise<boolean> {
  if (request.type === "managed") throw managedSite;
  const spec = completeSpec(request);
  const answer = await brokerApi.ask({ kind: "addSite", site: name, spec });
  if (answer.ok) return true;
  const there = brokerApi.sites().find((site) => site.name === name);
  const said = spec.procs > 0 || there === undefined ? spec : { ...spec, ...sizeOf(there.spec) };
  const isSame = isRepeatable && answer.refusal.kind === "idInUse" && isDeepStrictEqual(there?.spec, said);
  if (isSame) return false;
  throw refusalProblem(answer.refusal);
}

function addLooks(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("listSites"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "List sites with their load and response times",
        description:
          "`responseTimes` is the last prediction, with its instant. If it is older than a minute, a new " +
          "one is computed for later requests; if there is none, or it is ten minutes old, the request " +
          "waits for a new one, at most a second.",
        tags: ["sites"],
        response: answers("SiteList", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      const seen = (name: string): boolean => mayDo(who, "seeSite", { site: name });
      await brokerApi.refreshResponseTimes(namesOf(brokerApi).filter(seen));
      const sites = brokerApi.sites().filter(({ name }) => seen(name));
      return { items: sites.map(({ name }) => shown(brokerApi, name, who)) };
    },
  );
  api.get(
    urlOf("getSite"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "Get a site with its load and response times",
        tags: ["sites"],
        params: siteParameters,
        response: answers("Site", 200),
      },
    },
    async (request) => {
      const { name } = siteNamed(brokerApi, request.params.name);
      await brokerApi.refreshResponseTimes([name]);
      return shown(brokerApi, name, whoOf(request));
    },
  );
}

function namesOf(brokerApi: RouteWorld["brokerApi"]): readonly string[] {
  return brokerApi.sites().map(({ name }) => name);
}

const switches = [
  { kind: "drainSite", summary: "Drain a site: no new job starts there, running jobs continue" },
  { kind: "reopenSite", summary: "Reopen a site" },
] as const;

function addDrain(api: Api, { brokerApi, guard }: RouteWorld): void {
  for (const { kind, summary } of switches) {
    api.post(
      urlOf(kind),
      {
        config: forThoseWhoMay("changeSite"),
        schema: {
          summary,
          tags: ["sites"],
          params: siteParameters,
          response: answers("Site", 200),
        },
      },
      async (request) => {
        const site = request.params.name;
        const { owner } = guard.demand(request, "changeSite", { site });
        siteNamed(brokerApi, site);
        const answer = await brokerApi.ask({ kind, site, by: owner });
        if (!answer.ok) throw refusalProblem(answer.refusal);
        return shown(brokerApi, site, whoOf(request));
      },
    );
  }
}

function addNotes(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.put(
    urlOf("noteSite"),
    {
      config: forThoseWhoMay("noteSite"),
      schema: {
        summary: "Set the note of a site, which is shown with the site and with jobs that wait there",
        tags: ["sites"],
        params: siteParameters,
        body: siteNoteRequestSchema,
        response: answers("Site", 200),
      },
    },
    async (request) => {
      const { name: site } = siteNamed(brokerApi, request.params.name);
      const { owner: by } = guard.demand(request, "noteSite", { site });
      const { text, until } = request.body;
      const untilMs = until === undefined ? null : instantGiven(until, { pointer: "/until" });
      const answer = await brokerApi.ask({ kind: "noteSite", site, text, untilMs, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return shown(brokerApi, site, whoOf(request));
    },
  );
  api.delete(
    urlOf("clearSiteNote"),
    {
      config: forThoseWhoMay("noteSite"),
      schema: {
        summary: "Remove the note of a site",
        tags: ["sites"],
        params: siteParameters,
        response: answers("Site", 200),
      },
    },
    async (request) => {
      const { name: site } = siteNamed(brokerApi, request.params.name);
      const { owner: by } = guard.demand(request, "noteSite", { site });
      const answer = await brokerApi.ask({ kind: "clearSiteNote", site, by });
      if (!answer.ok) throw refusalProblem(answer.refusal);
      return shown(brokerApi, site, whoOf(request));
    },
  );
}

/** A site as it is now, with its note and why it takes few jobs or none. */
function shown(brokerApi: RouteWorld["brokerApi"], name: string, who: Identity): SiteView {
  const note = brokerApi.query("siteNote", name);
  const site = {
    ...siteView(forUsers(siteNamed(brokerApi, name), who)),
    ...healthView(brokerApi.query("siteHealth", name)),
    ...(showsNodes(siteNamed(brokerApi, name), who)
      ? nodeHealthView(brokerApi.query("nodesInTrouble", name))
      : {}),
  };
  if (note === undefined) return site;
  const { text, sinceMs, untilMs, by } = note;
  const until = untilMs === null ? null : isoInstant(untilMs);
  return { ...site, note: { text, since: isoInstant(sinceMs), until, by } };
}

/** A site without the names of its partition and login node, for users of one that publishes aggregates. */
function forUsers(site: DoorSite, who: Identity): DoorSite {
  const { spec } = site;
  if (spec.type !== "slurm" || showsNodes(site, who)) return site;
  const response = site.response === null ? null : { ...site.response, partition: null };
  return { ...site, response, spec: { ...spec, partition: null, sshHost: null } };
}

function showsNodes({ name, spec }: DoorSite, who: Identity): boolean {
  return !publishesAggregates(spec) || mayDo(who, "changeSite", { site: name });
}

/**
 * Site of this name. Everybody sees all sites, so an unknown one may be reported as such. @throws
 * ProblemError `unknownSite`
 */
export function siteNamed(brokerApi: RouteWorld["brokerApi"], name: string): DoorSite {
  const sites = brokerApi.sites();
  const site = sites.find((it) => it.name === name);
  if (site !== undefined) return site;
  // In an address it is the thing itself that is not there; in a description it is a condition.
  throw refusalProblem({ kind: "unknownSite", site: name, known: sites.map((it) => it.name) }, 404);
}

/** Refusal to add this machine as a site. */
export const managedSite = new ProblemError({
  status: 422,
  code: "managedSite",
  what: "this machine cannot be added as a site while the broker runs",
  why: "the broker runs the jobs of a managed site itself, and reads its settings only at startup",
  remedy: "add it to stint.yaml with type: managed, and restart the broker",
});

/** Amounts of a site that its request left to the cluster. */
function sizeOf({ procs, memoryBytes, gpus }: SiteSize): SiteSize {
  return { procs, memoryBytes, ...(gpus === undefined ? {} : { gpus }) };
}
