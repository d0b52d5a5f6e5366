export {
  type AccountLevelView,
  type AccountQuery,
  type AccountsView,
  accountQuery,
  type GrantRequest,
  type GrantView,
  grantRequestSchema,
  type IncomeView,
  type PostingView,
  type PricedDelaysView,
  type ReservedTimeView,
  type SiteAccountsView,
} from "./account.ts";
export {
  type CoReservationOfferRequest,
  type CoReservationPartRequest,
  type CoReservationPartView,
  type CoReservationQuoteRequest,
  type CoReservationQuoteView,
  type CoReservationStartView,
  type CoReservationView,
  coReservationOfferRequestSchema,
  coReservationQuoteRequestSchema,
} from "./co-reservation.ts";
export {
  type JobSubmission,
  type SubmitQuery,
  submissionsSchema,
  submitQuery,
} from "./description.ts";
export type {
  SiteQueueView,
  SiteWhyView,
  WhyView,
} from "./explanation.ts";
export { FACT_INSTANTS, type FactsView } from "./facts.ts";
export {
  type HindranceView,
  type Keyed,
  type PriceRulesView,
  type PriceSumView,
  ref,
} from "./fields.ts";
export {
  type FileView,
  fileParameters,
  type Ids,
  idempotencyHeaders,
  type JobFilter,
  type JobList,
  type JobView,
  jobParameters,
  listQuery,
  readQuery,
  type VirtualReservationJobView,
} from "./job.ts";
export {
  type VoRequest,
  type VoView,
  voParameters,
  voRequestSchema,
} from "./organisation.ts";
export {
  type DispatchesView,
  dispatchesSchema,
  type PeerAtSiteView,
  type PeerView,
  peerParameters,
} from "./peer.ts";
export {
  type ActionFilter,
  type AmountsView,
  actionsQuery,
  type CompiledPoliciesView,
  type EnforcementActionList,
  type EnforcementActionView,
  type FollowerRequest,
  followerParameters,
  followerRequestSchema,
  ifMatchHeaders,
  type LevelUsageView,
  type PoliciesRequest,
  type PoliciesView,
  type PolicyEntry,
  type PolicyFollowerView,
  type PolicySetView,
  policiesRequestSchema,
  type ShareStepsView,
  type SiteEnforcerView,
  type SiteUsageView,
  takeBackQuery,
} from "./policy.ts";

export {
  type ChoiceView,
  type ForecastView,
  type HypotheticalJob,
  type ProspectView,
  thoughtOfSchema,
  type UnrecordedView,
} from "./prospect.ts";
export {
  type PricedStartView,
  type QuoteRequest,
  type QuoteView,
  quoteRequestSchema,
  type RuleUseView,
  type SiteQuoteView,
  type SlotSizeRequest,
} from "./quote.ts";
export { RENAMED } from "./renamed.ts";
export {
  type ExtensionQuery,
  type ExtensionRequestView,
  extensionQuery,
  extensionRequestSchema,
  type OfferRequestView,
  offerRequestSchema,
  type ReservationFilter,
  type ReservationList,
  type ReservationStepView,
  type ReservationView,
  reservationParameters,
  reservationQuery,
} from "./reservation.ts";

export type { ResponseTimesView, ResponseTimeView } from "./response-times.ts";
export { sharedSchemas } from "./schemas.ts";
export {
  removalQuery,
  type SimulatedSiteRequest,
  type SiteCheckView,
  type SiteRemovalView,
  type SiteRequest,
  type SiteSpecRequest,
  type SiteTestView,
  type SiteView,
  siteJobParameters,
  siteParameters,
  siteRequestSchema,
  siteTrialSchema,
} from "./site.ts";

export type {
  FreeTimeView,
  ResourceSlotsView,
  SlotSetView,
  SlotView,
} from "./slot.ts";
export {
  type TicketCheckView,
  type TicketFacts,
  type TicketKeyRequest,
  type TicketKeyView,
  type TicketView,
  ticketCheckRequestSchema,
  ticketKeyParameters,
  ticketKeyRequestSchema,
} from "./ticket.ts";
export {
  type NewTokenView,
  type TokenRequest,
  type TokenView,
  tokenParameters,
  tokenRequestSchema,
} from "./token.ts";
export {
  type HostJobView,
  type HostReportRequest,
  type HostView,
  historyQuery,
  hostReportSchema,
  hostsQuery,
  type LevelHistoryView,
  MOST_STEPS,
  type PeriodRequest,
  type ReadingsTakenView,
  type StepsView,
  type StepView,
  type UsageHistoryView,
} from "./usage.ts";
export {
  type VirtualReservationPlanView,
  type VirtualReservationQuoteRequest,
  type VirtualReservationQuoteView,
  type VirtualReservationRequest,
  type VirtualReservationSiteView,
  virtualReservationQuoteRequestSchema,
  virtualReservationRequestSchema,
} from "./virtual-reservation.ts";
