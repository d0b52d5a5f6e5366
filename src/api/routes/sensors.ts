/**
 * `/sensors/reports`: what host sensors send.
 */

import { instantGiven } from "../instant-given.ts";
import { refusalProblem } from "../problem.ts";
import { hostReportSchema } from "../schemas/usage.ts";
import { type Api, answers, forThoseWhoMay, PREFIX, type RouteWorld } from "./api.ts";
import { siteNamed } from "./sites.ts";

/** Adds the route. */
export function addSensors(api: Api, { brokerApi, guard }: RouteWorld): void {
  api.post(
    `${PREFIX}/sensors/reports`,
    {
      config: forThoseWhoMay("reportHost"),
      schema: {
        operationId: "reportHost",
        summary: "What a sensor saw on a host; each reading counts once, by its number",
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
          ...reading,
          atMs: instantGiven(at, { pointer: `/readings/${index}/at` }),
        })),
      });
      if (taken === undefined) throw refusalProblem({ kind: "unknownSite", site, known: [] }, 404);
      return taken;
    },
  );
}
