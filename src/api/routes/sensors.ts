/** `/sensors/reports`: reports of host sensors. */

import { hostReportSchema } from "../../contract/index.ts";
import { inMilliseconds } from "../../model/index.ts";
import { instantGiven } from "../instant-given.ts";
import { refusalProblem } from "../problem.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { siteNamed } from "./sites.ts";

/** Adds the route. */
export function addSensors(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    urlOf("reportHost"),
    {
      config: forThoseWhoMay("reportHost"),
      schema: {
        summary: "Report the readings of a sensor on a host; each counts once, by its number",
        tags: ["sites"],
        body: hostReportSchema,
        response: answers("ReadingsTaken", 200),
      },
    },
    async (request) => {
      const { readings, ...same } = request.body;
      const { site } = same;
      guard.demand(request, "reportHost", { site });
      siteNamed(brokerApi, site);
      const taken = await brokerApi.takeReadings({
        ...same,
        readings: readings.map(({ at, ...reading }, index) => ({
          ...inMilliseconds(reading),
          atMs: instantGiven(at, { pointer: `/readings/${index}/at` }),
        })),
      });
      if (taken === undefined) throw refusalProblem({ kind: "unknownSite", site, known: [] }, 404);
      return taken;
    },
  );
}
