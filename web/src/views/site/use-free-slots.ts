import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client, type ScheduleView, type SlotView } from "../../app/client.ts";
import type { GanttBar, Rectangle } from "../../gantt/bar.ts";
import { type FreeSpan, MOST_SLOTS, observedBars, slotBars, slotKey } from "../../parts/slot-bars.ts";

const HOUR_MS = 3_600_000;
const NONE: readonly SlotView[] = [];

/** Free slots of a site, with their prices for the reader. */
export interface FreeSlots {
  /** Slots that are shown: those that begin first. */
  readonly slots: readonly SlotView[];
  readonly bars: readonly GanttBar[];
  /** Rectangles to be priced, by the key of the bar of their slot. */
  readonly rectangles: ReadonlyMap<string, Rectangle>;
  /** True at a cluster that is only observed: what is free there cannot be reserved. */
  readonly isObserved: boolean;
  /** Free times at such a cluster. */
  readonly spans: readonly FreeSpan[];
  /** Number of slots that begin later and are not shown. */
  readonly leftOut: number;
  readonly error: unknown;
}

/** The free slots of a site, in rows that its bars leave free. */
export function useFreeSlots({ site, rows, free }: ScheduleView, bars: readonly GanttBar[]): FreeSlots {
  const sites = useQuery({ queryKey: ["sites"], queryFn: client.sites });
  const isObserved = sites.data?.some(({ name, state }) => name === site && state === "read-only") ?? false;
  const { data, error } = useQuery({
    queryKey: ["site", site, "slots"],
    queryFn: () => client.call("getSiteSlots", { params: { name: site } }),
    refetchInterval: 15_000,
  });
  const all = data?.slots ?? NONE;
  return useMemo(
    () => ({
      ...{ isObserved, slots: all.slice(0, MOST_SLOTS) },
      spans: isObserved ? free.slice(0, MOST_SLOTS) : [],
      bars: isObserved ? observedBars(free, bars, rows) : slotBars(all, bars, rows),
      rectangles: new Map(all.map((slot, at) => [slotKey(slot, at), rectangleOf(slot)])),
      ...{ leftOut: Math.max(0, (isObserved ? free : all).length - MOST_SLOTS), error },
    }),
    [all, bars, rows, error, free, isObserved],
  );
}

/** Rectangle to be priced for a slot: all of it, or an hour of a slot without a planned end. */
export function rectangleOf({ startAt, durationSec, extensible, procs }: SlotView): Rectangle {
  const from = Date.parse(startAt);
  return { from, until: from + (extensible ? HOUR_MS : 1000 * durationSec), procs };
}
