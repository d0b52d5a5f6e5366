/** The broker itself: health, metrics, its stop, and the OpenAPI document. */
import { hostname } from "node:os";
import { jobsLeft } from "../jobs-left.ts";
import { type Api, answers, forAnyone, forThoseWhoMay, type RouteWorld, streams, urlOf } from "./api.ts";

/** The document is sent as bytes, which no schema writes. */
const openApiResponse: object = {
  200: { description: "This document, OpenAPI 3.1", type: "object", additionalProperties: true },
};

/** Registers the routes that stop the broker and report its state. */
export function addBroker(api: Api, world: RouteWorld): void {
  addHealth(api, world);
  addStop(api, world);
  addDocument(api);
}

function addHealth(api: Api, { isReady, metrics }: RouteWorld): void {
  api.get(
    "/healthz",
    {
      config: forAnyone,
      schema: {
        operationId: "health",
        summary: "Check that the broker is running",
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
        summary: "Check that the broker is ready: 503 while it starts and stops",
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
    "/metrics",
    {
      // Owners and paths are in none of them, but how much everybody does is for who may see the log.
      config: forThoseWhoMay("seeLog"),
      schema: {
        operationId: "metrics",
        summary: "Get metrics of jobs, sites and requests in Prometheus' text format",
        tags: ["broker"],
        response: streams("text/plain", "Prometheus' text format, version 0.0.4"),
      },
    },
    async (_, reply) => {
      reply.type("text/plain; version=0.0.4; charset=utf-8");
      return reply.send(Buffer.from(await metrics.text()));
    },
  );
}

function addStop(api: Api, { brokerApi, stop }: RouteWorld): void {
  api.post(
    urlOf("stopBroker"),
    {
      config: forThoseWhoMay("stopBroker"),
      schema: {
        summary: "Stop the broker; its jobs continue",
        description:
          "The response lists what continues. The broker ends soon after it; its log is then closed.",
        tags: ["broker"],
        response: answers("BrokerStop", 200),
      },
    },
    async (_, reply) => {
      const left = await jobsLeft(brokerApi);
      // The stop closes this connection too, so the answer goes first.
      reply.raw.once("close", stop);
      return { process: process.pid, host: hostname(), left };
    },
  );
}

function addDocument(api: Api): void {
  let document: Buffer | undefined;
  api.get(
    urlOf("openApi"),
    {
      config: forAnyone,
      schema: {
        summary: "Get this document",
        tags: ["broker"],
        response: openApiResponse,
      },
    },
    async (_, reply) => {
      // Made once: anyone may ask for it, and it is large.
      document ??= Buffer.from(JSON.stringify(api.swagger()));
      return reply.type("application/json; charset=utf-8").send(document);
    },
  );
}
