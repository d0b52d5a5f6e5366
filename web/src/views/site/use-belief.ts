import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client, type ScheduleView } from "../../app/client.ts";
import type { GanttBar } from "../../gantt/bar.ts";
import { barsOf } from "../../parts/site-bars.ts";
import { type Difference, differencesOf, isMoved, spansOf, withDifferences } from "../../parts/spans.ts";
import { clockText } from "../../parts/time.tsx";

/** While the line is moved, nothing is asked. */
const SETTLE_MS = 300;

/** What was believed at an instant of the past, beside what happened. */
export interface Belief {
  readonly schedule: ScheduleView;
  readonly names: readonly [believed: string, happened: string];
  readonly bars: readonly GanttBar[];
  readonly differences: readonly Difference[];
  readonly different: ReadonlySet<string>;
}

/** The schedule of a site as it was believed at an instant; undefined while the line of now is in place. */
export function useBelief(
  happened: ScheduleView,
  then: number | undefined,
): { readonly belief: Belief | undefined; readonly error: unknown; readonly isAsking: boolean } {
  const { site } = happened;
  const [asked] = useDebouncedValue(then, SETTLE_MS);
  const { data, error, isFetching } = useQuery({
    queryKey: ["believed", site, asked],
    queryFn: () =>
      client.call("getSiteSchedule", {
        params: { name: site },
        query: { asOf: new Date(asked ?? 0).toISOString() },
      }),
    enabled: asked !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const belief = useMemo(() => (data === undefined ? undefined : beliefOf(data, happened)), [data, happened]);
  return { belief: then === undefined ? undefined : belief, error, isAsking: isFetching };
}

function beliefOf(schedule: ScheduleView, happened: ScheduleView): Belief {
  const atMs = Date.parse(schedule.at);
  const names = [`predicted at ${clockText(atMs)}`, "happened"] as const;
  // What had ended by then was a fact already.
  const [believed, real] = [schedule, happened].map((it) =>
    spansOf(it).filter(({ until }) => until === null || until > atMs),
  );
  const differences = differencesOf(believed ?? [], real ?? []);
  const different = new Set(differences.filter(isMoved).map(({ key }) => key));
  return {
    schedule,
    names,
    bars: withDifferences(barsOf(schedule), differences, names),
    differences,
    different,
  };
}
