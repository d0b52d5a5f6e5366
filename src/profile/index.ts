export { checkpoint, copyProfile, type ProfileCheckpoint, rollback } from "./checkpoint.ts";
export {
  earlierStart,
  earliest,
  earliestOneColumn,
  fits,
  largestFree,
  type PlacedRectangle,
  shortage,
} from "./earliest.ts";
export {
  advance,
  beginsAt,
  breakpointCount,
  createProfile,
  freeAt,
  lastChangeAt,
  type Need,
  type Profile,
  type Shortage,
} from "./profile.ts";
export { isAllowed, type Provision, provisionCost, type SlotPrice } from "./provision.ts";
export { release, reserve } from "./reserve.ts";
export { placeOnSlots, type SlotPlacement, type SlotTask } from "./slot-scheduling.ts";
export { bySlotOrder, HORIZON_MS, horizonOf, type Slot, slotsOf } from "./slots.ts";
