import { useQuery } from "@tanstack/react-query";
import { client, type JobView } from "../../app/client.ts";
import { wholeRows } from "../../parts/whole-rows.ts";
import { activeWork, endedWork } from "./work.ts";

const ACTIVE = ["WAITING", "READY", "SCHEDULED", "RUNNING", "SUSPENDED", "HELD"] as const;
const OVER = ["DONE", "ABORTED", "CANCELLED", "CLEARED"] as const;
/** Lines shown; the view of all jobs pages through the rest. */
const SHOWN = 30;
const SHOWN_ENDED = 8;

/** The caller's work: what is active, and what has ended last. */
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

/** Jobs of no array and no DAG, and arrays and DAGs that have a job in one of these states. */
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
