export {
  type CombinedChoice,
  combinedChoice,
  idleProcMs,
  isVirtualReservationWorthwhile,
} from "./combined.ts";
export {
  type NoVirtualReservationPlan,
  VIRTUAL_RULES,
  type VirtualReservationPlan,
  type VirtualReservationRules,
  virtualReservation,
  type WantedVirtualReservation,
} from "./virtual-reservation.ts";
