import { useQuery } from "@tanstack/react-query";
import { client, type JobView } from "../../app/client.ts";
import { wholeRows } from "../../parts/whole-rows.ts";
import { activeWork, endedWork } from "./work.ts";

const ACTIVE = ["WAITING", "READY", "SCHEDULED", "RUNNING", "SUSPENDED", "HELD"] as const;
const OVER = ["DONE", "ABORTED", "CANCELLED", "CLEARED"] as const;
/** Lines shown; the view of all jobs pages through the rest. */
const SHOWN = 30;
const SHOWN_ENDED = 8;

/** The caller's active work, and the work that ended last. */
export function useMyWork(consumer: string, enabled: boolean) {
  const active = useQuery({
    queryKey: ["jobs", "active", consumer],
    queryFn: () => ask(consumer, ACTIVE, SHOWN),
    enabled,
  });
  const over = useQuery({
    queryKey: ["jobs", "over", consumer],
    queryFn: () => ask(consumer, OVER, SHOWN_ENDED),
    enabled,
  });
  const { jobs = [], wholes = [], hasMore = false } = active.data ?? {};
  const ended = over.data ?? { jobs: [], wholes: [] };
  return {
    ...{ isKnown: active.data !== undefined, error: active.error ?? over.error },
    active: activeWork(jobs, wholes, SHOWN),
    hasMore: hasMore || jobs.length + wholes.length > SHOWN,
    waiting: jobs.filter(({ startedAt }) => startedAt === null),
    ended: endedWork(ended.jobs, ended.wholes, SHOWN_ENDED),
    wholes,
  };
}

/** Arrays and DAGs with a job in one of these states, and jobs in these states that belong to neither. */
async function ask(consumer: string, state: readonly JobView["state"][], limit: number) {
  const filter = { consumer, state: [...state], limit };
  const [jobs, arrays, dags] = await Promise.all([
    client.jobs({ ...filter, array: "none" }),
    client.arrays(filter),
    client.dags(filter),
  ]);
  return {
    jobs: jobs.items,
    wholes: wholeRows(dags.items, arrays.items, [], 0),
    hasMore: [jobs, arrays, dags].some(({ next }) => next !== null),
  };
}
