/**
 * A line per request in the server's log: who asked for what, what the answer was, and how long it took. Of
 * the path only the route is written: ids and queries are its callers' business, and tokens are never in it.
 */
import type { FastifyInstance } from "fastify";

/** Logs each answered request, and gives its id to the caller as `x-request-id`. */
export function logRequests(server: FastifyInstance): void {
  server.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  server.addHook("onResponse", async (request, reply) => {
    const { statusCode: status } = reply;
    const { url: route = "none" } = request.routeOptions;
    const { who } = request;
    const fields = {
      ...{ request: request.id, method: request.method, route, status },
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(who && { owner: who.owner, consumer: who.consumer }),
    };
    if (status >= 500) server.log.error(fields, "request");
    else if (status === 401 || status === 403) server.log.warn(fields, "request");
    else server.log.info(fields, "request");
  });
}
