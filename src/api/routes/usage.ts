/** `/sites/:name/usage/history` and `/sites/:name/hosts`: past use, and readings of sensors. */
import { historyQuery, hostsQuery, MOST_STEPS, siteParameters } from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { type HostJobReading, isWithin } from "../../model/index.ts";
import type { SeriesRequest } from "../../policy/index.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { refusalProblem } from "../problem.ts";
import { hostView, usageHistoryView } from "../usage-view.ts";
import { invalid } from "../validator.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { siteNamed } from "./sites.ts";

/** Registers the routes of use, now and over a period. */
export function addUsage(api: Api, world: RouteWorld): void {
  addHistory(api, world);
  addHosts(api, world);
}

function addHistory(api: Api, { brokerApi, nowMs }: RouteWorld): void {
  api.get(
    urlOf("getUsageHistory"),
    {
      config: forThoseWhoMay("seePolicy"),
      schema: {
        summary: "Show the use of a site over a period against its limits",
        tags: ["policies"],
        params: siteParameters,
        querystring: historyQuery,
        response: answers("UsageHistory", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      const { name: site } = siteNamed(brokerApi, request.params.name);
      const { consumer = "", ...period } = request.query;
      const history = await brokerApi.usageHistory({ site, ...requestOf(period, nowMs()) });
      if (history === undefined) throw refusalProblem({ kind: "unknownSite", site, known: [] }, 404);
      const levels = history.levels.filter(
        (level) =>
          (consumer === "" || isWithin(level.consumer, consumer)) &&
          mayDo(who, "seeUsage", { consumer: level.consumer, site }),
      );
      return usageHistoryView({ ...history, levels });
    },
  );
}

function addHosts(api: Api, { brokerApi, nowMs }: RouteWorld): void {
  api.get(
    urlOf("listHosts"),
    {
      config: forThoseWhoMay("seePolicy"),
      schema: {
        summary: "Show the use of jobs on the hosts of a site, as sensors report it",
        description: "With since, until or everySec, the response also has the history of each.",
        tags: ["sites"],
        params: siteParameters,
        querystring: hostsQuery,
        response: answers("Hosts", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      const { name: site } = siteNamed(brokerApi, request.params.name);
      const isSeriesAsked = Object.keys(request.query).length > 0;
      const course = isSeriesAsked ? requestOf(request.query, nowMs()) : null;
      const hosts = await brokerApi.hosts({ site, course });
      if (hosts === undefined) throw refusalProblem({ kind: "unknownSite", site, known: [] }, 404);
      const isForAll = mayDo(who, "seeUsage", { site });
      const isSeen = async ({ job }: HostJobReading): Promise<boolean> => {
        if (isForAll || job === null) return isForAll;
        const record = await brokerApi.job(job);
        return record !== undefined && mayDo(who, "seeJob", record);
      };
      const items = hosts.map(async (host) => {
        const seen = await Promise.all(host.reading.jobs.map(isSeen));
        return hostView(
          host,
          host.reading.jobs.filter((_, at) => seen[at]),
          nowMs(),
        );
      });
      return { items: await Promise.all(items) };
    },
  );
}

const HOUR_MS = 3_600_000;

interface Period {
  readonly since?: string;
  readonly until?: string;
  readonly everySec?: number;
}

function requestOf({ since, until, everySec }: Period, nowMs: number): SeriesRequest {
  const untilMs = until === undefined ? nowMs : instantGiven(until, { parameter: "until" });
  const fromMs = since === undefined ? untilMs - HOUR_MS : instantGiven(since, { parameter: "since" });
  if (untilMs <= fromMs) throw invalid([{ parameter: "since", detail: "the start must be before the end" }]);
  const stepMs = everySec === undefined ? null : everySec * 1000;
  if (stepMs !== null && (untilMs - fromMs) / stepMs > MOST_STEPS) {
    const detail = `no more than ${MOST_STEPS} steps are told at a time: ask for longer ones, or for less`;
    throw invalid([{ parameter: "everySec", detail }]);
  }
  return { fromMs, untilMs, stepMs };
}
