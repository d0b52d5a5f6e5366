export {
  checkpoint,
  copyProfile,
  type ProfileCheckpoint,
  rollback,
} from "./checkpoint.ts";
export {
  type EarlierSearch,
  earlierStart,
  earlierStartOneColumn,
  earliest,
  earliestOneColumn,
  fits,
  largestFree,
  type PlacedRectangle,
  shortage,
} from "./earliest.ts";
export { moveEarlierOneColumn, shiftOneColumn } from "./one-column.ts";
export {
  advance,
  beginsAt,
  breakpointCount,
  createProfile,
  freeAt,
  indexAt,
  isSameFrom,
  lastChangeAt,
  type Need,
  type Profile,
  type Shortage,
} from "./profile.ts";
export {
  isAllowed,
  provisionCost,
} from "./provision.ts";
export { giveBack, release, reserve, take } from "./reserve.ts";
export {
  placeOnSlots,
  type SlotTask,
} from "./slot-scheduling.ts";
export {
  HORIZON_MS,
  horizonOf,
  type Slot,
  slotsOf,
} from "./slots.ts";
