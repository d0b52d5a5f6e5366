/**
 * The client's calls about the history of use, and about hosts.
 */
import type { Connection } from "./connection.ts";
import { type Items, look, queryText, sitePath } from "./look.ts";
import type {
  HostView,
  PeriodRequest,
  ReadingsTakenView,
  UsageCalls,
  UsageHistoryView,
} from "./usage-types.ts";

/** These calls over a connection. */
export function usageCalls(connection: Connection): UsageCalls {
  return {
    usageHistory: (site, { consumer, ...period } = {}) =>
      look<UsageHistoryView>(
        connection,
        `${sitePath(site)}/usage/history${queryText({ ...periodText(period), consumer })}`,
      ),
    hosts: async (site, period) => {
      const query = period === undefined ? "" : queryText(periodText(period));
      return (await look<Items<HostView>>(connection, `${sitePath(site)}/hosts${query}`)).items;
    },
    reportHost: async (body) => {
      const path = "/api/v1/sensors/reports";
      return (await connection.json({ method: "POST", path, body, isRepeatable: true })) as ReadingsTakenView;
    },
  };
}

function periodText({ sinceMs, untilMs, everySec }: PeriodRequest) {
  return { since: isoText(sinceMs), until: isoText(untilMs), everySec };
}

function isoText(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : new Date(atMs).toISOString();
}
