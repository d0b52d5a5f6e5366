/**
 * The client's calls about sites.
 */
import { randomUUID } from "node:crypto";
import type { Connection } from "./connection.ts";
import { type Items, look, sitePath } from "./look.ts";
import type { StintClient } from "./stint-client.ts";
import type { SiteRemovalView, SiteTestView, SiteView } from "./types.ts";

type SiteCall =
  | ("sites" | "site" | "addSite" | "drainSite" | "reopenSite")
  | ("testSite" | "testSiteSpec" | "removeSite");

/** These calls over a connection. */
export function siteCalls(connection: Connection): Pick<StintClient, SiteCall> {
  /** What is the same however often it is sent. */
  const post = async <Answer>(path: string, body?: object, headers: Record<string, string> = {}) =>
    (await connection.json({ method: "POST", path, body, headers, isRepeatable: true })) as Answer;
  return {
    sites: async () => (await look<Items<SiteView>>(connection, "/api/v1/sites")).items,
    site: (name) => look<SiteView>(connection, sitePath(name)),
    addSite: (request, { idempotencyKey = randomUUID() } = {}) =>
      post<SiteView>("/api/v1/sites", request, { "idempotency-key": idempotencyKey }),
    // A site drained twice is as drained as once.
    drainSite: (name) => post<SiteView>(`${sitePath(name)}/drain`),
    reopenSite: (name) => post<SiteView>(`${sitePath(name)}/reopen`),
    testSite: (name) => post<SiteTestView>(`${sitePath(name)}/test`),
    testSiteSpec: (spec) => post<SiteTestView>("/api/v1/site-tests", { spec }),
    removeSite: async (name, { clean = false } = {}) =>
      (await connection.json({
        method: "DELETE",
        path: `${sitePath(name)}${clean ? "?clean=true" : ""}`,
        isRepeatable: false,
      })) as SiteRemovalView,
  };
}
