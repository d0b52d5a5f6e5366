export {
  combinedChoice,
  idleProcMs,
  isVirtualReservationWorthwhile,
} from "./combined.ts";
export {
  type NoVirtualReservationPlan,
  VIRTUAL_RULES,
  type VirtualReservationPlan,
  virtualReservation,
  type WantedVirtualReservation,
} from "./virtual-reservation.ts";
