export * from "./account.ts";
export * from "./archive.ts";
export * from "./array.ts";
export * from "./audit.ts";
export * from "./bid.ts";
export * from "./broker.ts";
export * from "./change.ts";
export * from "./checkpoint.ts";
export * from "./co-reservation.ts";
export * from "./dag.ts";
export * from "./description.ts";
export * from "./event.ts";
export * from "./explanation.ts";
export { FACT_INSTANTS, type FactsView } from "./facts.ts";
export {
  type HindranceView,
  type Keyed,
  type PriceRulesView,
  type PriceSumView,
  ref,
} from "./fields.ts";
export * from "./job.ts";
export * from "./job-check.ts";
export * from "./matching.ts";
export * from "./organisation.ts";
export * from "./peer.ts";
export * from "./pilot.ts";
export * from "./plan.ts";
export * from "./planning.ts";
export * from "./policy.ts";
export * from "./policy-check.ts";
export * from "./policy-studies.ts";
export * from "./prospect.ts";
export * from "./provenance.ts";
export * from "./quote.ts";
export { RENAMED } from "./renamed.ts";
export * from "./replica.ts";
export * from "./report.ts";
export * from "./reservation.ts";
export * from "./response-times.ts";
export * from "./schedule.ts";
export { sharedSchemas } from "./schemas.ts";
export * from "./session.ts";
export * from "./simulation.ts";
export * from "./site.ts";
export * from "./slot.ts";
export * from "./stream.ts";
export * from "./terminal.ts";
export * from "./ticket.ts";
export * from "./token.ts";
export * from "./upload.ts";
export * from "./usage.ts";
export * from "./virtual-reservation.ts";
export * from "./webhook.ts";
export * from "./workflow.ts";
