/**
 * The typed client of the REST API: what the command line and other programs use.
 *
 * Every submission carries an idempotency key, one of its own where none is given, so that sending it
 * again after a broken connection is the same request.
 */
import { randomUUID } from "node:crypto";
import { type Connection, connect } from "./connection.ts";
import { followFile, watchJob, watchSlots } from "./following.ts";
import { type Items, look, queryText, sitePath } from "./look.ts";
import { peerCalls } from "./peer-calls.ts";
import { policyCalls } from "./policy-calls.ts";
import { reservationCalls } from "./reservation-calls.ts";
import { siteCalls } from "./site-calls.ts";
import type { SiteQueueView } from "./site-queue-types.ts";
import type { SlotSetView } from "./slot-types.ts";
import type { StintClient } from "./stint-client.ts";
import { ticketCalls } from "./ticket-calls.ts";
import type {
  ClientOptions,
  FileView,
  JobFilter,
  JobList,
  JobView,
  NewTokenView,
  ProspectView,
  SiteWhyView,
  TokenView,
  WhyView,
} from "./types.ts";
import { usageCalls } from "./usage-calls.ts";
import { voCalls } from "./vo-calls.ts";

const defaultPatienceMs = 30_000;

/** A client of a broker; connects when it is first used. @throws Fault `urlWrong` */
export function createClient({ patienceMs = defaultPatienceMs, ...place }: ClientOptions): StintClient {
  const connection = connect(place);
  return {
    ...siteCalls(connection),
    ...reservationCalls(connection),
    ...policyCalls(connection),
    ...ticketCalls(connection),
    ...voCalls(connection),
    ...peerCalls(connection),
    ...usageCalls(connection),
    submit: (descriptions, options) => submitJobs(connection, descriptions, options),
    assess: async (thought) => {
      const path = "/api/v1/jobs/assess";
      const answer = await connection.json({ method: "POST", path, body: thought, isRepeatable: true });
      return (answer as Items<ProspectView>).items;
    },
    job: (id) => look<JobView>(connection, jobPath(id)),
    jobs: (filter = {}) => look<JobList>(connection, `/api/v1/jobs${filterText(filter)}`),
    async act(id, verb) {
      await connection.json({ method: "POST", path: `${jobPath(id)}/${verb}`, isRepeatable: false });
    },
    why: (id) => look<WhyView>(connection, `${jobPath(id)}/why`),
    whyThere: (site, siteJob) =>
      look<SiteWhyView>(connection, `${sitePath(site)}/jobs/${encodeURIComponent(siteJob)}/why`),
    queueThere: (site) => look<SiteQueueView>(connection, `${sitePath(site)}/queue`),
    watch: (id, onChange, signal) =>
      watchJob(connection, { path: `${jobPath(id)}/watch`, patienceMs, onChange, signal }),
    readFile: (id, name, options = {}) =>
      followFile(connection, {
        ...options,
        path: `${jobPath(id)}/files/${encodeURIComponent(name)}`,
        patienceMs,
      }),
    files: async (id) => (await look<Items<FileView>>(connection, `${jobPath(id)}/files`)).items,
    clearFiles: async (id) => {
      const path = `${jobPath(id)}/files`;
      const left = await connection.json({ method: "DELETE", path, isRepeatable: true });
      return (left as Items<FileView>).items;
    },
    slots: (site) => look<SlotSetView>(connection, `${sitePath(site)}/slots`),
    allSlots: async () => (await look<Items<SlotSetView>>(connection, "/api/v1/slots")).items,
    watchSlots: (site, onChange, signal) =>
      watchSlots(connection, { path: `${sitePath(site)}/slots/watch`, patienceMs, onChange, signal }),
    createToken: async (request) =>
      (await connection.json({
        method: "POST",
        path: "/api/v1/tokens",
        body: request,
        isRepeatable: false,
      })) as NewTokenView,
    tokens: async () => (await look<Items<TokenView>>(connection, "/api/v1/tokens")).items,
    revokeToken: async (id) =>
      (await connection.json({
        method: "DELETE",
        path: `/api/v1/tokens/${encodeURIComponent(id)}`,
        isRepeatable: false,
      })) as TokenView,
    health: () => look<{ status: "ok" }>(connection, "/healthz"),
    close: () => connection.close(),
  };
}

async function submitJobs(
  connection: Connection,
  descriptions: Parameters<StintClient["submit"]>[0],
  { idempotencyKey = randomUUID(), for: whose }: Parameters<StintClient["submit"]>[1] = {},
): Promise<string[]> {
  if (descriptions.length === 0) return [];
  const { ids } = (await connection.json({
    method: "POST",
    path: whose === undefined ? "/api/v1/jobs" : `/api/v1/jobs?for=${encodeURIComponent(whose)}`,
    // One alone is sent alone, so that places in errors need no index.
    body: descriptions.length === 1 ? descriptions[0] : descriptions,
    headers: { "idempotency-key": idempotencyKey },
    isRepeatable: true,
  })) as { ids: string[] };
  return ids;
}

function jobPath(id: string): string {
  return `/api/v1/jobs/${encodeURIComponent(id)}`;
}

function filterText({ states, sinceMs, ...same }: JobFilter): string {
  const since = sinceMs === undefined ? undefined : new Date(sinceMs).toISOString();
  return queryText({ state: states, since, ...same });
}
