/**
 * The loopback address: for programs of this machine that come with a token.
 *
 * Any user of the machine, and any web page in a browser on it, can send requests here. So a token is
 * always asked for, and a page that has its own name resolve to 127.0.0.1 (DNS rebinding) is refused by
 * the name in `Host`.
 */
import type { FastifyInstance } from "fastify";
import { Fault } from "../base/index.ts";
import { type Denial, whereOf } from "./identity.ts";
import { ProblemError } from "./problem.ts";

/** Where a broker listens unless told otherwise. */
export const DEFAULT_PORT = 7846;

const localNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/**
 * Listens on 127.0.0.1; port 0 is any that is free.
 *
 * @returns the URL
 * @throws Fault `portInUse`, `portForbidden`, `portImpossible`
 */
export async function listenOnLoopback(server: FastifyInstance, port: number): Promise<string> {
  try {
    return await server.listen({ host: "127.0.0.1", port });
  } catch (error) {
    throw portFault(port, error);
  }
}

/** Refuses requests that name another host, before anything else is asked. */
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

function portFault(port: number, cause: unknown): Fault {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "EADDRINUSE") {
    return new Fault({
      kind: "refused",
      code: "portInUse",
      what: `port ${port} cannot be listened on`,
      why: "another program listens there, perhaps another broker",
      remedy: "choose another: stint up --port 0 takes any that is free, --no-tcp none",
      cause,
    });
  }
  return new Fault({
    kind: code === "EACCES" ? "notAllowed" : "failed",
    code: code === "EACCES" ? "portForbidden" : "portImpossible",
    what: `port ${port} cannot be listened on`,
    why: code === "EACCES" ? "the system keeps low ports for itself" : String(cause),
    remedy: "choose another with stint up --port, or none with --no-tcp",
    cause,
  });
}
