import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client, type ScheduleView, type SlotView } from "../../app/client.ts";
import type { GanttBar, Rectangle } from "../../gantt/bar.ts";
import { MOST_SLOTS, slotBars, slotKey } from "../../parts/slot-bars.ts";

const HOUR_MS = 3_600_000;
const NONE: readonly SlotView[] = [];

/** Free slots of a site, with their prices for the reader. */
export interface FreeSlots {
  /** Slots that are shown: those that begin first. */
  readonly slots: readonly SlotView[];
  readonly bars: readonly GanttBar[];
  /** Rectangles to be priced, by the key of the bar of their slot. */
  readonly rectangles: ReadonlyMap<string, Rectangle>;
  /** Number of slots that begin later and are not shown. */
  readonly leftOut: number;
  readonly error: unknown;
}

/** The free slots of a site, in rows that its bars leave free. */
export function useFreeSlots({ site, rows }: ScheduleView, bars: readonly GanttBar[]): FreeSlots {
  const { data, error } = useQuery({
    queryKey: ["site", site, "slots"],
    queryFn: () => client.call("getSiteSlots", { params: { name: site } }),
    refetchInterval: 15_000,
  });
  const all = data?.slots ?? NONE;
  return useMemo(
    () => ({
      ...{ slots: all.slice(0, MOST_SLOTS), bars: slotBars(all, bars, rows) },
      rectangles: new Map(all.map((slot, at) => [slotKey(slot, at), rectangleOf(slot)])),
      ...{ leftOut: Math.max(0, all.length - MOST_SLOTS), error },
    }),
    [all, bars, rows, error],
  );
}

/** Rectangle to be priced for a slot: all of it, or an hour of a slot without a planned end. */
export function rectangleOf({ startAt, durationSec, extensible, procs }: SlotView): Rectangle {
  const from = Date.parse(startAt);
  return { from, until: from + (extensible ? HOUR_MS : 1000 * durationSec), procs };
}
