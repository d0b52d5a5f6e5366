import { QueryClient } from "@tanstack/react-query";
import { Fault } from "./client.ts";

/**
 * What the page has asked, by keys that begin with the subject: `["jobs", …]`, `["job", id, …]`, `["sites"]`,
 * `["site", name, …]`, `["policies", …]`, `["reservations", …]`. Changes that the broker reports make the
 * answers stale (live.ts), so that nothing here is asked on a timer but what depends on the time itself.
 */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // What was refused is refused again; a broker that is away comes back.
      retry: (failures, error) => error instanceof Fault && error.kind === "unreachable" && failures < 5,
    },
    mutations: { retry: false },
  },
});
