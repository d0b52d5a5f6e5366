import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { client, type JobView, type Operations } from "../app/client.ts";
import { freshRows, isApart } from "./fresh-pages.ts";

/** Which jobs are listed. */
export type JobsAsked = NonNullable<Operations["listJobs"]["asked"][0]["query"]>;

/** Jobs on a page where a filter sets no other number. */
const USUAL_PAGE = 100;
const NONE: readonly (readonly JobView[])[] = [];

/**
 * Jobs that fit a filter. Pages are read once; when something has changed only those in sight are read
 * again, however many there are.
 */
export function useJobs(filter: JobsAsked) {
  const [sight, setSight] = useState<readonly [first: number, last: number]>([0, 0]);
  const list = useInfiniteQuery({
    queryKey: ["job-pages", filter],
    queryFn: ({ pageParam }) => client.jobs(atCursor(filter, pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    // Each page more would have all pages before it compared, row by row.
    structuralSharing: false,
  });
  const again = useQueries({
    queries: [...new Set(sight)].map((at) => {
      const cursor = (list.data?.pageParams[at] ?? null) as string | null;
      return {
        queryKey: ["jobs", "list", filter, cursor],
        queryFn: async () => ({ at, items: (await client.jobs(atCursor(filter, cursor))).items }),
        enabled: list.data?.pages[at] !== undefined,
        initialData: () => {
          const page = list.data?.pages[at];
          return page && { at, items: page.items };
        },
        initialDataUpdatedAt: list.dataUpdatedAt,
      };
    }),
    combine: (asked) => asked.flatMap(({ data }) => data ?? []),
  });
  const pages = useMemo(() => list.data?.pages.map(({ items }) => items) ?? NONE, [list.data]);
  const jobs = useMemo(
    () => freshRows(pages, new Map(again.map(({ at, items }) => [at, items]))),
    [pages, again],
  );
  const newest = again.find(({ at }) => at === 0)?.items;
  const isBehind = newest !== undefined && isApart(newest, pages[0] ?? []);
  const { refetch } = list;
  useEffect(() => {
    if (isBehind) void refetch();
  }, [isBehind, refetch]);
  const size = filter.limit ?? USUAL_PAGE;
  const onSight = useCallback(
    ([first, last]: readonly [number, number]) => {
      const now = [Math.floor(first / size), Math.floor(last / size)] as const;
      setSight((was) => (was[0] === now[0] && was[1] === now[1] ? was : now));
    },
    [size],
  );
  return { jobs, list, onSight };
}

function atCursor(filter: JobsAsked, cursor: string | null): JobsAsked {
  return cursor === null ? filter : { ...filter, cursor };
}
