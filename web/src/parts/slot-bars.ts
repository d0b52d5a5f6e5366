import type { ScheduleView, SlotView } from "../app/client.ts";
import type { GanttBar } from "../gantt/bar.ts";
import { lengthText, numberText, suText } from "./format.ts";
import { placeFree } from "./free-rows.ts";
import { instantText } from "./time.tsx";

/** Slots drawn; those that begin later are not. */
export const MOST_SLOTS = 500;

/** The first free slots of a site as bars, in rows that the other bars of the chart leave free. */
export function slotBars(
  slots: readonly SlotView[],
  bars: readonly GanttBar[],
  rows: number,
): readonly GanttBar[] {
  const times = slots.slice(0, MOST_SLOTS).map((slot) => {
    const from = Date.parse(slot.startAt);
    return { from, until: from + 1000 * slot.durationSec, procs: slot.procs };
  });
  return placeFree(times, bars, rows).flatMap((pieces, at): readonly GanttBar[] => {
    const [slot, time] = [slots[at], times[at]];
    if (slot === undefined || time === undefined || pieces.length === 0) return [];
    return [
      {
        ...{ key: slotKey(slot, at), label: slotName(slot), kind: "free", isMine: false },
        ...{ ...time, pieces, rows: pieces[0]?.rows ?? [], consumer: "", partition: "" },
        note: () => noteOf(slot),
      },
    ];
  });
}

/** Processors that a plan leaves free for a time; without an end, for as long as the plan is known. */
export type FreeSpan = ScheduleView["free"][number];

const HOUR_MS = 3_600_000;

/** Bars of free time at a cluster that is only observed; such slots have no price. */
export function observedBars(
  free: readonly FreeSpan[],
  bars: readonly GanttBar[],
  rows: number,
): readonly GanttBar[] {
  const last = bars.reduce((latest, { until }) => Math.max(latest, until), 0);
  const times = free.slice(0, MOST_SLOTS).map(({ from, until, procs }) => {
    const begin = Date.parse(from);
    return {
      from: begin,
      until: until === null ? Math.max(last, begin + HOUR_MS) : Date.parse(until),
      procs,
    };
  });
  return placeFree(times, bars, rows).flatMap((pieces, at): readonly GanttBar[] => {
    const [span, time] = [free[at], times[at]];
    if (span === undefined || time === undefined || pieces.length === 0) return [];
    return [
      {
        ...{ key: `free ${span.from}`, label: slotName(span), kind: "free", isMine: false },
        ...{ ...time, pieces, rows: pieces[0]?.rows ?? [], consumer: "", partition: "" },
        note: () => [
          `free slot · ${numberText(span.procs)} processor${span.procs === 1 ? "" : "s"}`,
          span.until === null
            ? `from ${instantText(span.from)}, without a planned end`
            : `${instantText(span.from)} to ${instantText(span.until)}`,
          "the cluster is only observed: nothing can be reserved here",
        ],
      },
    ];
  });
}

/** Key of the bar of a slot, by its place in the list of slots. */
export function slotKey({ startAt }: SlotView, place: number): string {
  return `free slot ${startAt} ${place}`;
}

/** "12 free". */
export function slotName({ procs }: Pick<SlotView, "procs">): string {
  return `${numberText(procs)} free`;
}

/** "10.5 SU", of the whole slot; of one without a planned end the price of an hour on a processor. */
export function slotPrice({ extensible, priceSu, unitPrice, fixedSu }: SlotView): string {
  const fixed = fixedSu > 0 ? ` and ${suText(fixedSu)} once` : "";
  const unit = `${suText(unitPrice)} per processor-hour`;
  return extensible ? `${unit}${fixed}` : `${suText(priceSu)}, ${unit}${fixed}`;
}

function noteOf(slot: SlotView): string[] {
  const { procs, startAt, durationSec, extensible } = slot;
  const end = Date.parse(startAt) + 1000 * durationSec;
  return [
    `free slot · ${numberText(procs)} processor${procs === 1 ? "" : "s"}`,
    extensible
      ? `from ${instantText(startAt)}, without a planned end`
      : `${instantText(startAt)} to ${instantText(end)}, ${lengthText(1000 * durationSec)}`,
    `price: ${slotPrice(slot)}`,
  ];
}
