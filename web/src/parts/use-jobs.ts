import { useDebouncedCallback } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { client, type JobView, type Operations } from "../app/client.ts";
import { freshRows, isApart, pageOfRow } from "./fresh-pages.ts";

/** Which jobs are listed. */
export type JobsAsked = NonNullable<Operations["listJobs"]["asked"][0]["query"]>;

/** Number of jobs of each page after the first; larger, because a user who scrolls reads many. */
const LATER_PAGE = 500;
/** Time after which rows that are still visible are read again. */
const SETTLED_MS = 150;
const OLD_MS = 2000;

interface Page {
  readonly items: readonly JobView[];
  readonly next: string | null;
  readonly readAt: number;
}

const NO_PAGES: readonly Page[] = [];

/**
 * Jobs that fit a filter. Pages are read once; when something has changed only those in sight are read
 * again, however many there are.
 */
export function useJobs(filter: JobsAsked) {
  const [sight, setSight] = useState<readonly [first: number, last: number]>([0, 0]);
  const list = useInfiniteQuery({
    queryKey: ["job-pages", filter],
    queryFn: ({ pageParam }) => readPage(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    // Each page more would have all pages before it compared, row by row.
    structuralSharing: false,
  });
  const read = list.data?.pages ?? NO_PAGES;
  const upper = useFreshPage(filter, read, sight[0]);
  const lower = useFreshPage(filter, read, sight[1]);
  const pages = useMemo(() => read.map(({ items }) => items), [read]);
  const jobs = useMemo(() => {
    const again = [[sight[0], upper] as const, [sight[1], lower] as const];
    return freshRows(pages, new Map(again.flatMap(([at, page]) => (page ? [[at, page.items]] : []))));
  }, [pages, sight, upper, lower]);
  const newest = sight[0] === 0 ? upper?.items : undefined;
  const isBehind = newest !== undefined && isApart(newest, pages[0] ?? []);
  const { refetch } = list;
  useEffect(() => {
    if (isBehind) void refetch();
  }, [isBehind, refetch]);
  const known = useRef(pages);
  known.current = pages;
  const settle = useDebouncedCallback(([first, last]: readonly [number, number]) => {
    const now = [pageOfRow(known.current, first), pageOfRow(known.current, last)] as const;
    setSight((was) => (was[0] === now[0] && was[1] === now[1] ? was : now));
  }, SETTLED_MS);
  const onSight = useCallback((rows: readonly [number, number]) => settle(rows), [settle]);
  return { jobs, list, onSight };
}

/** Current content of a page: as first read, until it is read again. */
function useFreshPage(filter: JobsAsked, pages: readonly Page[], at: number): Page | undefined {
  const cursor = pages[at - 1]?.next ?? null;
  const page = pages[at];
  return useQuery({
    queryKey: ["jobs", "list", filter, cursor],
    queryFn: () => readPage(filter, cursor),
    enabled: page !== undefined,
    staleTime: OLD_MS,
    ...(page && { initialData: page, initialDataUpdatedAt: page.readAt }),
  }).data;
}

async function readPage(filter: JobsAsked, cursor: string | null): Promise<Page> {
  const asked = cursor === null ? filter : { ...filter, cursor, limit: LATER_PAGE };
  const { items, next } = await client.jobs(asked);
  return { items, next, readAt: Date.now() };
}
