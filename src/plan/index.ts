export { type CombinedChoice, combinedChoice, idleProcMs, isVirtualWorthwhile } from "./combined.ts";
export {
  type NoVirtualPlan,
  VIRTUAL_RULES,
  type VirtualPlan,
  type VirtualRules,
  virtualReservation,
  type WantedVirtual,
} from "./virtual-reservation.ts";
