/**
 * Listening on TCP: on the loopback address in the clear, elsewhere over TLS (AP-20).
 */
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { Fault } from "../base/index.ts";
import type { Certificate } from "./certificate.ts";

/** Default host and port. */
export const DEFAULT_PORT = 7846;
const LOOPBACK = "127.0.0.1";

/** Address to listen on, and the server's certificate; undefined: clear text. */
export interface TcpPlace {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly certificate?: Certificate | undefined;
}

/** Listens on 127.0.0.1; port 0 is any free one. @returns the URL @throws Fault as {@link listenOnTcp} */
export function listenOnLoopback(server: FastifyInstance, port: number): Promise<string> {
  return listenOnTcp(server, { host: LOOPBACK, port });
}

/**
 * Listens.
 *
 * @returns the URL to use, by a name that the certificate is for where there is one
 * @throws Fault `portInUse`, `portForbidden`, `portImpossible`, `hostNotHere`
 */
export async function listenOnTcp(server: FastifyInstance, place: TcpPlace): Promise<string> {
  // Two addresses of one name would be two servers, of which one alone would be told of a new certificate.
  const host = place.host === "localhost" ? LOOPBACK : place.host;
  try {
    // The address is in the notice that the broker is ready; Fastify's own would name http under TLS.
    await server.listen({ host, port: place.port, listenTextResolver: () => "listening on TCP" });
  } catch (error) {
    throw listenFault({ host, port: place.port }, error);
  }
  const { port } = server.server.address() as AddressInfo;
  const scheme = place.certificate === undefined ? "http" : "https";
  return `${scheme}://${urlHost(host, place.certificate)}:${port}`;
}

/** Name of a certificate that leads to the server's address; the address itself where none does. */
function urlHost(host: string, certificate: Certificate | undefined): string {
  const names = certificate?.names.filter((name) => !name.startsWith("*")) ?? [];
  const written = host.includes(":") ? `[${host}]` : host;
  if (certificate === undefined || names.includes(host)) return written;
  if (everywhere.includes(host)) return names[0] ?? written;
  return host === LOOPBACK && names.includes("localhost") ? "localhost" : written;
}

const everywhere = ["0.0.0.0", "::"];

/** Options of reloading a certificate. */
export interface Following {
  /** Certificate in use. */
  readonly served: Pick<Certificate, "cert" | "key">;
  readonly read: () => Promise<Certificate>;
  /** Interval of reading; default 10 s. */
  readonly everyMs?: number;
  /** Called for each new certificate, and once for an invalid pair; then the previous one stays. */
  readonly onRead: (read: Certificate | Fault) => void;
}

/**
 * Rereads a certificate at intervals, and uses a new one for later connections. Contents are compared, not
 * modification times: a renewal may fall between the first reading and the first check. @returns a function
 * that ends it
 */
export function followCertificate(server: FastifyInstance, following: Following): () => void {
  const { read, everyMs = 10_000, onRead } = following;
  const tlsServer = server.server as typeof server.server & Partial<SecureContext>;
  let { served } = following;
  let trouble = "";
  const look = async (): Promise<void> => {
    try {
      const certificate = await read();
      trouble = "";
      if (certificate.cert === served.cert && certificate.key === served.key) return;
      served = certificate;
      tlsServer.setSecureContext?.({ cert: certificate.cert, key: certificate.key });
      onRead(certificate);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.message !== trouble) onRead(error);
      trouble = error.message;
    }
  };
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

interface SecureContext {
  readonly setSecureContext: (pair: Pick<Certificate, "cert" | "key">) => void;
}

function listenFault({ host, port }: TcpPlace, cause: unknown): Fault {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "EADDRINUSE") {
    return new Fault({
      kind: "refused",
      code: "portInUse",
      what: `cannot listen on port ${port}`,
      why: "another program is using it, perhaps another broker",
      remedy: "choose another port; stint up --port 0 uses any free one, --no-tcp none",
      cause,
    });
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new Fault({
      kind: "badInput",
      code: "hostNotHere",
      what: `cannot listen on ${host}`,
      why: "it is neither an address of this machine nor a name that resolves to one",
      remedy: "set host to an address of this machine, or to 0.0.0.0 for all of them",
      cause,
    });
  }
  return new Fault({
    kind: code === "EACCES" ? "notAllowed" : "failed",
    code: code === "EACCES" ? "portForbidden" : "portImpossible",
    what: `cannot listen on port ${port}`,
    why: code === "EACCES" ? "the system reserves low ports for privileged programs" : String(cause),
    remedy: "choose another port with stint up --port, or none with --no-tcp",
    cause,
  });
}
