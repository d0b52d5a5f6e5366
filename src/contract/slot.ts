/**
 * The slots of sites: what their queues leave free.
 */
import { Type } from "typebox";
import { RESOURCE_KINDS } from "../model/index.ts";
import { instant, procMs, ref, type Shape, strict } from "./fields.ts";

const freeTime = {
  startAt: instant,
  durationSec: Type.Number({ minimum: 0 }),
  divisible: Type.Boolean({ description: "Whether a part of it may be had; sites sell parts of every slot" }),
  extensible: Type.Boolean({ description: "Whether nothing scheduled ends it" }),
  priceSu: Type.Number({ description: "All of it, in SU: its time at the unit price, and the fixed price" }),
  priceProcMs: procMs,
  fixedSu: Type.Number({ description: "In SU, however much of it is had: f₀, as nobody is delayed" }),
  fixedProcMs: procMs,
  unitPrice: Type.Number({ description: "SU for an SU, c, at its start" }),
};

const slot = Type.Object({ ...freeTime, procs: Type.Integer({ minimum: 1 }) }, strict);

const resourceSlots = Type.Object(
  {
    kind: Type.Enum([...RESOURCE_KINDS]),
    name: Type.String(),
    slots: Type.Array(Type.Object({ ...freeTime, amount: Type.Integer({ minimum: 1 }) }, strict)),
  },
  { ...strict, description: "What is free of a store in bytes, of a link in bytes per second" },
);

/** What a site's whole queue leaves free. */
export const slotSetSchema = Type.Object(
  {
    site: Type.String(),
    sequence: Type.Integer({ description: "Grows when the set has changed, not when time has passed" }),
    at: instant,
    slots: Type.Array(slot),
    resources: Type.Array(resourceSlots, { description: "Of its stores and links" }),
  },
  { ...strict, description: "What a site's whole queue leaves free; advisory" },
);

/** The slots of every site. */
export const slotSetListSchema = Type.Object(
  { items: Type.Array(ref<SlotSetView>("SlotSet")) },
  { ...strict, description: "What the queue of each site leaves free" },
);

const freeTimeSchema = Type.Object(freeTime, strict);

/** When something is free, for how long, and what reserving it would cost whoever asks. */
export type FreeTimeView = Shape<typeof freeTimeSchema>;
/** A free rectangle of a site. */
export type SlotView = Shape<typeof slot>;
/** The slots of a store or of a link; amounts are bytes, or bytes a second. */
export type ResourceSlotsView = Shape<typeof resourceSlots>;
/** What a site's whole queue leaves free; advisory. */
export type SlotSetView = Shape<typeof slotSetSchema>;
