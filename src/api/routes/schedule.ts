/** `/sites/NAME/schedule`: what ran, runs, waits and is reserved at a site. */
import { Readable } from "node:stream";
import { siteParameters, siteScheduleQuery } from "../../contract/index.ts";
import { type Bar, mayDo } from "../../engine/index.ts";
import type { Identity } from "../../model/index.ts";
import { whoOf } from "../identity.ts";
import { instantGiven } from "../instant-given.ts";
import { refusalProblem } from "../problem.ts";
import { scheduleParts } from "../schedule-view.ts";
import { invalid } from "../validator.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { siteNamed } from "./sites.ts";

const HOUR_MS = 3_600_000;

/** Registers the route of schedules. */
export function addSchedule(api: Api, { brokerApi, nowMs }: RouteWorld): void {
  api.get(
    urlOf("getSiteSchedule"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "Get the schedule of a site: ended, running and waiting jobs, and reservations",
        description:
          "Waiting jobs are at their planned starts, as in `explainJob`, which assumes that every job " +
          "uses its whole limit and that no more jobs arrive. Jobs that the caller may not see have no " +
          "names; if the site hides jobs from its users, only their sum is shown. For a past instant, the " +
          "schedule is computed from the log: the jobs that ran and waited then, with the starts that " +
          "were planned then.",
        tags: ["sites"],
        params: siteParameters,
        querystring: siteScheduleQuery,
        response: answers("Schedule", 200),
      },
    },
    async (request, reply) => {
      const who = whoOf(request);
      const { name: site } = siteNamed(brokerApi, request.params.name);
      const { since, until, asOf } = request.query;
      const asOfMs = asOf === undefined ? null : instantGiven(asOf, { parameter: "asOf" });
      if (asOfMs !== null && asOfMs > nowMs()) {
        throw invalid([{ parameter: "asOf", detail: "it must be an instant of the past" }]);
      }
      const beginMs = (asOfMs ?? nowMs()) - HOUR_MS;
      const sinceMs = since === undefined ? beginMs : instantGiven(since, { parameter: "since" });
      const untilMs = until === undefined ? null : instantGiven(until, { parameter: "until" });
      if (untilMs !== null && untilMs <= sinceMs) {
        throw invalid([{ parameter: "until", detail: "the end must be after the start" }]);
      }
      const reader = JSON.stringify([who.role, who.owner, who.consumer, who.site]);
      const schedule = await brokerApi.schedule({
        site,
        sinceMs,
        untilMs,
        asOfMs,
        reader,
        sees: (bar) => maySee(who, bar),
      });
      // A site that went meanwhile is told as one that is not there.
      if (schedule === undefined) throw refusalProblem({ kind: "unknownSite", site, known: [] }, 404);
      return reply.type("application/json").send(Readable.from(scheduleParts(schedule, who)));
    },
  );
}

function maySee(who: Identity, { whose, facts }: Bar): boolean {
  return mayDo(who, facts?.reservation === undefined ? "seeJob" : "seeReservation", whose ?? {});
}
