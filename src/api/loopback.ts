/**
 * The loopback address, for programs of this machine with a token. Any user of the machine, and any web page
 * in a browser on it, can send requests here. So a token is always required, and a page whose own name
 * resolves to 127.0.0.1 (DNS rebinding) is refused by the name in `Host`. TLS does not need that: such a page
 * would require a certificate of its own name.
 */
import type { FastifyInstance } from "fastify";
import { type Denial, whereOf } from "./identity.ts";
import { ProblemError } from "./problem.ts";

const localNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Refuses requests that name another host, before any other check. */
export function refuseForeignHosts(server: FastifyInstance, onDenial: (denial: Denial) => void): void {
  server.addHook("onRequest", async (request) => {
    if (localNames.test(request.headers.host ?? "")) return;
    onDenial({ ...whereOf(request), owner: undefined, why: "foreignHost" });
    throw foreignHost;
  });
}

const foreignHost = new ProblemError({
  status: 421,
  code: "foreignHost",
  what: "this broker does not answer under that name",
  why: "the request names a host other than localhost, 127.0.0.1 and [::1]",
  remedy: "use the URL that stint up prints",
});
