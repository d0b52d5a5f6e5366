/**
 * The broker itself: its sites, whether it lives, and what it understands.
 */
import { mayDo } from "../../engine/index.ts";
import { whoOf } from "../identity.ts";
import { type Api, answers, forAnyone, forThoseWhoMay, PREFIX, type RouteWorld } from "./api.ts";

/** Adds the routes. */
export function addBroker(api: Api, { door, isReady }: RouteWorld): void {
  api.get(
    `${PREFIX}/sites`,
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        operationId: "listSites",
        summary: "The sites with their load",
        tags: ["sites"],
        response: answers("SiteList", 200),
      },
    },
    async (request) => ({
      items: door.sites().filter(({ name }) => mayDo(whoOf(request), "seeSite", { site: name })),
    }),
  );
  api.get(
    "/healthz",
    {
      config: forAnyone,
      schema: {
        operationId: "health",
        summary: "Whether the broker lives",
        tags: ["broker"],
        response: answers("Status", 200),
      },
    },
    async () => ({ status: "ok" }),
  );
  api.get(
    "/readyz",
    {
      config: forAnyone,
      schema: {
        operationId: "readiness",
        summary: "Whether the broker can work: 503 while it starts and stops",
        tags: ["broker"],
        response: answers("Status", 200, 503),
      },
    },
    async (_, reply) => {
      if (isReady()) return { status: "ok" };
      return reply.code(503).send({ status: "notReady" });
    },
  );
  api.get(
    `${PREFIX}/openapi.json`,
    {
      config: forAnyone,
      schema: { operationId: "openApi", summary: "This document", tags: ["broker"] },
    },
    async () => api.swagger(),
  );
}
