/** Free slots of sites. */
import { Type } from "typebox";
import { RESOURCE_KINDS } from "../model/index.ts";
import { instant, procMs, ref, type Shape, strict } from "./fields.ts";

const freeTime = {
  startAt: instant,
  durationSec: Type.Number({ minimum: 0 }),
  divisible: Type.Boolean({
    description: "Whether a part of the slot may be reserved; always true for slots of sites",
  }),
  extensible: Type.Boolean({ description: "True if no scheduled event ends it" }),
  priceSu: Type.Number({
    description: "Price of the whole slot in SU: its processor-hours at the unit price, plus the fixed price",
  }),
  priceProcMs: procMs,
  fixedSu: Type.Number({
    description: "Fixed price in SU of a reservation of any part of it; it delays no job",
  }),
  fixedProcMs: procMs,
  unitPrice: Type.Number({ description: "Unit price at its start: SU per processor-hour" }),
};

const slot = Type.Object({ ...freeTime, procs: Type.Integer({ minimum: 1 }) }, strict);

const resourceSlots = Type.Object(
  {
    kind: Type.Enum([...RESOURCE_KINDS]),
    name: Type.String(),
    slots: Type.Array(Type.Object({ ...freeTime, amount: Type.Integer({ minimum: 1 }) }, strict)),
  },
  { ...strict, description: "Free bytes of a store, free bytes per second of a link" },
);

/** Capacity that a site's queue leaves free. */
export const slotSetSchema = Type.Object(
  {
    site: Type.String(),
    sequence: Type.Integer({
      description: "Increases when slots or prices change, but not with the passage of time alone",
    }),
    at: instant,
    slots: Type.Array(slot),
    resources: Type.Array(resourceSlots, { description: "Free parts of its stores and links" }),
  },
  { ...strict, description: "Capacity that a site's queue leaves free; advisory" },
);

/** Free slots of every site. */
export const slotSetListSchema = Type.Object(
  { items: Type.Array(ref<SlotSetView>("SlotSet")) },
  { ...strict, description: "Capacity that the queue of each site leaves free" },
);

const freeTimeSchema = Type.Object(freeTime, strict);

/** Begin and length of a free slot, and the price for the caller. */
export type FreeTimeView = Shape<typeof freeTimeSchema>;
/** A free rectangle of a site. */
export type SlotView = Shape<typeof slot>;
/** Free slots of a store or of a link; amounts are bytes, or bytes per second. */
export type ResourceSlotsView = Shape<typeof resourceSlots>;
/** Capacity that a site's queue leaves free; advisory. */
export type SlotSetView = Shape<typeof slotSetSchema>;
