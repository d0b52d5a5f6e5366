/**
 * The REST API: routes that call a `BrokerApi` and decide nothing. Built on Fastify with TypeBox schemas,
 * which are JSON Schema: the same ones validate requests and become the OpenAPI document. Responses are
 * written by plain `JSON.stringify`; the tests compare them with their schemas, which costs the running
 * broker nothing.
 */

import { randomBytes } from "node:crypto";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from "fastify";
import createFastify, { LogController } from "fastify";
import { isWholeText } from "../base/index.ts";
import { sharedSchemas } from "../contract/index.ts";
import type { BrokerApi, LogArchiving, Simulations, Webhooks } from "../runtime/index.ts";
import type { Certificate } from "./certificate.ts";
import { boundConnections, type ConnectionLimits, USUAL_CONNECTIONS } from "./connections.ts";
import { addPage, describe } from "./describe.ts";
import { type Denial, guard, type Identify, whereOf } from "./identity.ts";
import { metricsOf } from "./metrics.ts";
import { noArchiving } from "./no-archiving.ts";
import { noSimulations } from "./no-simulations.ts";
import { noWebhooks } from "./no-webhooks.ts";
import { addPageFiles } from "./page-files.ts";
import { noStudies, type PolicyStudies } from "./policy-studies.ts";
import {
  BODY_LIMIT_BYTES,
  internalError,
  type Problem,
  ProblemError,
  type ProblemPlace,
  problemOf,
  unknownRoute,
} from "./problem.ts";
import { limitRate, type RequestRate, USUAL_RATE } from "./rate-limit.ts";
import { logRequests } from "./request-log.ts";
import { addAccounts } from "./routes/accounts.ts";
import { nameOperations, type RouteWorld } from "./routes/api.ts";
import { addArchives } from "./routes/archives.ts";
import { addArrays } from "./routes/arrays.ts";
import { addAssess } from "./routes/assess.ts";
import { addAudit } from "./routes/audit.ts";
import { addBids } from "./routes/bids.ts";
import { addBroker } from "./routes/broker.ts";
import { addCheckJobs } from "./routes/check-jobs.ts";
import { addCheckpoints } from "./routes/checkpoints.ts";
import { addCoReservation } from "./routes/co-reservation.ts";
import { addDags } from "./routes/dags.ts";
import { addEnforcement } from "./routes/enforcement.ts";
import { addEvents } from "./routes/events.ts";
import { addFiles } from "./routes/files.ts";
import { addJob } from "./routes/job.ts";
import { addJobs } from "./routes/jobs.ts";
import { addMatching } from "./routes/matching.ts";
import { addPeers } from "./routes/peers.ts";
import { addPilots } from "./routes/pilots.ts";
import { addPlans } from "./routes/plans.ts";
import { addPolicies } from "./routes/policies.ts";
import { addPolicyStudies } from "./routes/policy-studies.ts";
import { addProvenance } from "./routes/provenance.ts";
import { addQuotes } from "./routes/quotes.ts";
import { addReplicas } from "./routes/replicas.ts";
import { addReports } from "./routes/reports.ts";
import { addReservations } from "./routes/reservations.ts";
import { addSchedule } from "./routes/schedule.ts";
import { addSensors } from "./routes/sensors.ts";
import { addSession } from "./routes/session.ts";
import { addSimulation } from "./routes/simulation.ts";
import { addSimulations } from "./routes/simulations.ts";
import { addSiteCare } from "./routes/site-care.ts";
import { addSiteJobs } from "./routes/site-jobs.ts";
import { addSites } from "./routes/sites.ts";
import { addSlots, addSlotWatch } from "./routes/slots.ts";
import { addStreams } from "./routes/streams.ts";
import { addTerminal } from "./routes/terminal.ts";
import { addTickets } from "./routes/tickets.ts";
import { addTokens } from "./routes/tokens.ts";
import { addUploads } from "./routes/uploads.ts";
import { addUsage } from "./routes/usage.ts";
import { addVirtualReservation } from "./routes/virtual-reservation.ts";
import { addVos } from "./routes/vos.ts";
import { addWebhooks } from "./routes/webhooks.ts";
import { addWorkflows } from "./routes/workflows.ts";
import { admitCookies } from "./session-cookie.ts";
import { compileValidator, invalid } from "./validator.ts";
import { noPlanning, type WorkflowPlanning } from "./workflow-planning.ts";

/** Options of a server. */
export interface ServerOptions {
  readonly identify: Identify;
  /** The program's version, for the OpenAPI document. */
  readonly version: string;
  /** Called for every denied request. */
  readonly onDenial?: (denial: Denial) => void;
  /** Called for internal errors, which answer 500 without their text. */
  readonly onError?: (error: unknown) => void;
  /** Domains to which mail about jobs may be sent; empty: none is sent. Default: not checked. */
  readonly mailDomains?: readonly string[];
  /** True where the broker can work now; default: it can. */
  readonly isReady?: () => boolean;
  /** Log of requests; default: none. */
  readonly log?: FastifyBaseLogger;
  /** Begins the stop of the broker; default: nothing happens. */
  readonly stop?: () => void;
  /**
   * True where only requests to a name of this machine are answered: for a server on the loopback address.
   */
  readonly isLoopback?: boolean;
  /** Archiving of old events; default: none is done. */
  readonly archiving?: LogArchiving;
  /** Webhooks; default: there are none. */
  readonly webhooks?: Webhooks;
  /** Answers from the log; default: none can be given. */
  readonly studies?: PolicyStudies;
  /** Plans of workflows; default: none are made. */
  readonly planning?: WorkflowPlanning;
  /** Certificate; absent: clear text. */
  readonly tls?: Certificate | undefined;
  /** Unix time, for expiry; default: the system's. */
  readonly nowMs?: () => number;
  /** Rate limit per caller; default {@link USUAL_RATE}. */
  readonly rate?: RequestRate;
  /** Limits on connections; absent ones are those of {@link USUAL_CONNECTIONS}. */
  readonly connections?: Partial<ConnectionLimits>;
  /** Directory of the page, as it was built; absent: no page and no sessions of browsers. */
  readonly pageDirectory?: string;
  /** Simulations that the broker runs for people; default: it runs none. */
  readonly simulations?: Simulations;
  /** Interval between polls of a followed file; default 200 ms. */
  readonly pollMs?: number;
}

/** Limit on the headers of one request, in bytes. */
const headerLimitBytes = 16 * 1024;
/** Time limit for the arrival of a request. */
const requestTimeoutMs = 60_000;
/** Time limit for a new connection: for its first request, or the TLS handshake. */
const headersTimeoutMs = 20_000;
const handshakeTimeoutMs = 10_000;

/** A server for `brokerApi`, not listening yet. */
export function createServer(brokerApi: BrokerApi, options: ServerOptions): FastifyInstance {
  const server = bareServer(options);
  server.setValidatorCompiler(compileValidator);
  server.setSerializerCompiler(() => (value) => JSON.stringify(value));
  server.setErrorHandler((error, _, reply) => {
    const problem = problemOf(error);
    if (problem === undefined) options.onError?.(error);
    answerProblem(reply, problem ?? internalError);
  });
  const { pageDirectory } = options;
  const pageAnswer = pageDirectory === undefined ? undefined : addPageFiles(server, pageDirectory);
  server.setNotFoundHandler((request, reply) => {
    const page = pageAnswer?.(request);
    if (page === undefined) answerProblem(reply, unknownRoute(request.method, request.url));
    else reply.headers(page.headers).type("text/html; charset=utf-8").send(page.body);
  });
  for (const [$id, schema] of Object.entries(sharedSchemas)) server.addSchema({ $id, ...schema });
  const onDenial = options.onDenial ?? (() => {});
  const nowMs = options.nowMs ?? Date.now;
  const archiving = options.archiving ?? noArchiving;
  const metrics = metricsOf(brokerApi, archiving);
  if (options.isLoopback) refuseForeignHosts(server, onDenial);
  metrics.observe(server);
  logRequests(server);
  if (pageDirectory !== undefined) admitCookies(server, onDenial);
  const routesGuard = guard(server, options.identify, onDenial);
  // After the guard: it is a caller who is known that is counted.
  limitRate(server, options.rate ?? USUAL_RATE, nowMs);
  refuseHalfCharacters(server);
  addRoutes(
    server,
    {
      brokerApi,
      guard: routesGuard,
      metrics,
      nowMs,
      pollMs: options.pollMs ?? 200,
      isReady: options.isReady ?? (() => true),
      stop: options.stop ?? (() => {}),
      version: options.version,
      simulations: options.simulations ?? noSimulations,
      studies: options.studies ?? noStudies,
      planning: options.planning ?? noPlanning,
      archiving,
      webhooks: options.webhooks ?? noWebhooks,
      mailDomains: options.mailDomains,
    },
    options.version,
  );
  return server;
}

function bareServer({ tls, connections, log }: ServerOptions): FastifyInstance {
  const limits = { ...USUAL_CONNECTIONS, ...connections };
  return createFastify({
    bodyLimit: BODY_LIMIT_BYTES,
    // Watchers hold their connections for as long as a job lives; closing ends them.
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1024 },
    // One line per request is written by `logRequests`, with the route instead of the path.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomBytes(6).toString("hex"),
    ...(log === undefined ? { logger: false } : { loggerInstance: log }),
    serverFactory: (answer: RequestListener) => {
      const { listener, watch } = boundConnections(limits, answer);
      const server =
        tls === undefined
          ? createPlainServer(protocolLimits, listener)
          : createTlsServer(
              { ...protocolLimits, handshakeTimeout: handshakeTimeoutMs, cert: tls.cert, key: tls.key },
              listener,
            );
      watch(server);
      return server;
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket),
    frameworkErrors: (error, _, reply) => {
      answerProblem(reply, problemOf(error) ?? internalError);
    },
  });
}

/** Defaults of Node that Fastify does not set on a given server. */
const protocolLimits = {
  maxHeaderSize: headerLimitBytes,
  requestTimeout: requestTimeoutMs,
  headersTimeout: headersTimeoutMs,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 5000,
};

function addRoutes(server: FastifyInstance, world: RouteWorld, version: string): void {
  describe(server, version);
  nameOperations(server);
  server.register(async (scope) => {
    const api = scope.withTypeProvider<TypeBoxTypeProvider>();
    addJobs(api, world);
    addArrays(api, world);
    addDags(api, world);
    addAssess(api, world);
    addBids(api, world);
    addCheckJobs(api);
    addMatching(api, world);
    addProvenance(api, world);
    addJob(api, world);
    addWebhooks(api, world);
    addEvents(api, world);
    addArchives(api, world);
    addPilots(api, world);
    addAudit(api, world);
    addReplicas(api, world);
    addCheckpoints(api, world);
    addReports(api, world);
    addFiles(api, world);
    addTerminal(api, world);
    addUploads(api, world);
    addTokens(api, world);
    addSites(api, world);
    addStreams(api, world);
    addSiteCare(api, world);
    addSchedule(api, world);
    addSlots(api, world);
    addSlotWatch(api, world);
    addSiteJobs(api, world);
    addQuotes(api, world);
    addReservations(api, world);
    addCoReservation(api, world);
    addVirtualReservation(api, world);
    addAccounts(api, world);
    addPlans(api, world);
    addPolicies(api, world);
    addPolicyStudies(api, world);
    addEnforcement(api, world);
    addPeers(api, world);
    addTickets(api, world);
    addVos(api, world);
    addUsage(api, world);
    addSensors(api, world);
    addSession(api, world);
    addSimulations(api, world);
    addSimulation(api, world);
    addWorkflows(api, world);
    addBroker(api, world);
  });
  addPage(server);
}

function answerProblem(reply: FastifyReply, { problem }: ProblemError): void {
  // As bytes, to which Fastify adds no charset: the media type has none.
  const body = Buffer.from(JSON.stringify(problem));
  if (problem.status === 401) reply.header("www-authenticate", "Bearer");
  if (typeof problem.retryAfterSec === "number") reply.header("retry-after", String(problem.retryAfterSec));
  reply.code(problem.status).type("application/problem+json").send(body);
}

/** Answers what is not HTTP, or has too large headers: it never reaches a route. */
function refuseUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  // Who speaks no TLS to a server of TLS cannot be told so: what is sent would be encrypted.
  if (!socket.writable || error.code === "ECONNRESET" || error.code?.startsWith("ERR_SSL")) {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const { problem }: { problem: Problem } = new ProblemError({
    status: isTooLarge ? 431 : 400,
    code: isTooLarge ? "headersTooLarge" : "badRequest",
    what: "the request cannot be parsed",
    why: isTooLarge ? "its headers are larger than 16 KiB" : "it is not valid HTTP/1.1",
    remedy: isTooLarge ? "send shorter headers" : "see /api/v1/openapi.json for valid requests",
  });
  const body = JSON.stringify(problem);
  const status = isTooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

// The loopback address, for programs of this machine with a token. Any user of the machine, and any web
// page in a browser on it, can send requests here. So a token is always required, and a page whose own
// name resolves to 127.0.0.1 (DNS rebinding) is refused by the name in `Host`. TLS does not need that:
// such a page would require a certificate of its own name.

const localNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

/** Refuses requests that name another host, before any other check. */
function refuseForeignHosts(server: FastifyInstance, onDenial: (denial: Denial) => void): void {
  server.addHook("onRequest", async (request) => {
    if (localNames.test(request.headers.host ?? "")) return;
    onDenial({ ...whereOf(request), owner: undefined, why: "foreignHost" });
    throw foreignHost;
  });
}

const foreignHost = new ProblemError({
  status: 421,
  code: "foreignHost",
  what: "this broker does not serve that host name",
  why: "the request names a host other than localhost, 127.0.0.1 and [::1]",
  remedy: "use the URL that stint up prints",
});

// Refuses half surrogate pairs in any text of a request, before a route sees it: JSON can contain one
// (`"\ud800"`), but neither the log nor a file can. One place for every field of every schema, so that
// none can be forgotten.

/** Limit on nesting, deeper than any schema, which protects the stack. */
const DEEPEST = 100;
const DETAIL = "has half of a surrogate pair, which is no character";

/** Checks the body, the path, the query and the headers of every request. */
function refuseHalfCharacters(server: FastifyInstance): void {
  server.addHook("preValidation", async ({ body, params, query, headers }) => {
    const pointer = body instanceof Readable ? undefined : placeOfHalf(body, "");
    if (pointer !== undefined) throw invalid([{ pointer, detail: DETAIL }]);
    const place = parameterWithHalf([params, query, headers]);
    if (place !== undefined) throw invalid([place]);
  });
}

function parameterWithHalf(parts: readonly unknown[]): ProblemPlace | undefined {
  for (const part of parts) {
    const pointer = placeOfHalf(part, "");
    if (pointer !== undefined) return { parameter: pointer.split("/")[1] ?? "", detail: DETAIL };
  }
  return undefined;
}

/** JSON pointer of the first invalid text; for a name, of the object that has it. */
function placeOfHalf(value: unknown, at: string, depth = 0): string | undefined {
  if (typeof value === "string") return isWholeText(value) ? undefined : at;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return undefined;
  if (depth === DEEPEST) throw invalid([{ detail: `it is nested more than ${DEEPEST} levels deep` }]);
  for (const [name, within] of Object.entries(value)) {
    // The name itself cannot be written.
    if (!isWholeText(name)) return at;
    const found = placeOfHalf(within, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
