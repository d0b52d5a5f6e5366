/**
 * Operations of the broker over HTTP, each once, under its name in the OpenAPI document, with its path,
 * request and response. Schemas are imported as types only, so that a client loads none of them.
 */
import type {
  AccountQuery,
  AccountsView,
  ArchiveRequest,
  ArchiveView,
  BrokerStopView,
  CoReservationOfferRequest,
  CoReservationQuoteRequest,
  CoReservationQuoteView,
  CoReservationView,
  EventFilter,
  EventList,
  ExtensionQuery,
  ExtensionRequestView,
  GrantRequest,
  GrantView,
  HostReportRequest,
  HostView,
  HypotheticalJob,
  Ids,
  JobCheckRequest,
  JobCheckView,
  JobEditRequest,
  JobFilter,
  JobList,
  JobMatchRequest,
  JobMatchView,
  JobReport,
  JobSubmission,
  JobView,
  NewTokenView,
  NewWebhookView,
  OfferRequestView,
  PeriodRequest,
  PricedStartView,
  ProspectListView,
  ProvenanceView,
  QuoteRequest,
  QuoteView,
  ReadingsTakenView,
  ReportFilter,
  ReservationFilter,
  ReservationList,
  ReservationView,
  ScheduleRequest,
  ScheduleView,
  SessionView,
  SignInRequest,
  SimulationChangeGiven,
  SimulationGiven,
  SimulationResultView,
  SimulationSchedule,
  SimulationView,
  SimulationWorkload,
  SiteAdView,
  SiteNoteRequest,
  SiteQueueView,
  SiteRemovalView,
  SiteRequest,
  SiteSpecRequest,
  SiteTestView,
  SiteView,
  SiteWhyView,
  SlotSetView,
  SubmitQuery,
  TicketCheckView,
  TicketKeyRequest,
  TicketKeyView,
  TicketView,
  TokenRequest,
  TokenView,
  UsageHistoryView,
  VirtualReservationQuoteRequest,
  VirtualReservationQuoteView,
  VirtualReservationRequest,
  VoRequest,
  VoView,
  WebhookRequestView,
  WebhookView,
  WhyView,
} from "../contract/index.ts";
import { ARRAY_OPERATIONS } from "./array-operations.ts";
import { BID_OPERATIONS } from "./bid-operations.ts";
import { CHECKPOINT_OPERATIONS } from "./checkpoint-operations.ts";
import { DAG_OPERATIONS } from "./dag-operations.ts";
import { FILE_OPERATIONS } from "./file-operations.ts";
import {
  act,
  create,
  type Items,
  look,
  none,
  type Of,
  type Operation,
  of,
  put,
  question,
  remove,
} from "./operation-shapes.ts";
import { PEER_OPERATIONS } from "./peer-operations.ts";
import { PILOT_OPERATIONS } from "./pilot-operations.ts";
import { POLICY_OPERATIONS } from "./policy-operations.ts";
import { REPLICA_OPERATIONS } from "./replica-operations.ts";
import { STREAM_OPERATIONS } from "./stream-operations.ts";
import { TERMINAL_OPERATIONS } from "./terminal-operations.ts";
import { UPLOAD_OPERATIONS } from "./upload-operations.ts";
import { WORKFLOW_OPERATIONS } from "./workflow-operations.ts";

export { type Items, type Of, type Operation, PREFIX } from "./operation-shapes.ts";

const job = of<JobView>();
const site = of<SiteView>();
const reservation = of<ReservationView>();
const simulation = of<SimulationView>();

/** Table of operations. */
export const OPERATIONS = {
  submitJobs: {
    ...create,
    path: "/jobs",
    query: of<SubmitQuery>(),
    body: of<Submitted>(),
    answer: of<Ids>(),
  },
  listJobs: { ...look, path: "/jobs", query: of<JobFilter>(), answer: of<JobList>() },
  assessJob: {
    ...question,
    path: "/jobs/assess",
    body: of<HypotheticalJob>(),
    answer: of<ProspectListView>(),
  },
  matchJob: {
    ...question,
    path: "/jobs/match",
    body: of<JobMatchRequest>(),
    answer: of<JobMatchView>(),
  },
  checkJobs: {
    ...question,
    path: "/jobs/check",
    body: of<JobCheckRequest>(),
    answer: of<JobCheckView>(),
  },
  getJob: { ...look, path: "/jobs/:id", answer: job },
  ...BID_OPERATIONS,
  ...ARRAY_OPERATIONS,
  ...DAG_OPERATIONS,
  editJob: { ...act, path: "/jobs/:id/edit", body: of<JobEditRequest>(), answer: job },
  getProvenance: { ...look, path: "/jobs/:id/provenance", answer: of<ProvenanceView>() },
  explainJob: { ...look, path: "/jobs/:id/why", answer: of<WhyView>() },
  watchJob: { ...look, path: "/jobs/:id/watch", answer: none },
  cancelJob: { ...act, path: "/jobs/:id/cancel", answer: job },
  holdJob: { ...act, path: "/jobs/:id/hold", answer: job },
  releaseJob: { ...act, path: "/jobs/:id/release", answer: job },
  suspendJob: { ...act, path: "/jobs/:id/suspend", answer: job },
  resumeJob: { ...act, path: "/jobs/:id/resume", answer: job },
  undoEnforcement: { ...act, path: "/jobs/:id/undo", answer: job },
  purgeJob: { ...remove, again: "same", path: "/jobs/:id", answer: job },
  ...FILE_OPERATIONS,
  ...CHECKPOINT_OPERATIONS,

  ...TERMINAL_OPERATIONS,
  ...UPLOAD_OPERATIONS,

  reportJobs: { ...look, path: "/reports/jobs", query: of<ReportFilter>(), answer: of<JobReport>() },
  listEvents: { ...look, path: "/events", query: of<EventFilter>(), answer: of<EventList>() },
  listArchives: { ...look, path: "/archives", answer: of<Items<ArchiveView>>() },
  archiveEvents: {
    ...{ ...act, again: "same" },
    path: "/archives",
    body: of<ArchiveRequest>(),
    answer: of<Items<ArchiveView>>(),
  },
  createWebhook: { ...act, path: "/webhooks", body: of<WebhookRequestView>(), answer: of<NewWebhookView>() },
  listWebhooks: { ...look, path: "/webhooks", answer: of<Items<WebhookView>>() },
  removeWebhook: { ...remove, path: "/webhooks/:id", answer: of<WebhookView>() },
  redeliverWebhook: { ...act, path: "/webhooks/:id/redeliver", answer: of<WebhookView>() },
  watchEvents: { ...look, path: "/events/watch", answer: none },

  signIn: { ...question, path: "/session", body: of<SignInRequest>(), answer: of<SessionView>() },
  getSession: { ...look, path: "/session", answer: of<SessionView>() },
  signOut: { ...remove, again: "same", path: "/session", answer: of<Signed>() },

  createToken: { ...act, path: "/tokens", body: of<TokenRequest>(), answer: of<NewTokenView>() },
  listTokens: { ...look, path: "/tokens", answer: of<Items<TokenView>>() },
  revokeToken: { ...remove, path: "/tokens/:id", answer: of<TokenView>() },

  addSite: { ...create, path: "/sites", body: of<SiteRequest>(), answer: site },
  listSites: { ...look, path: "/sites", answer: of<Items<SiteView>>() },
  getSite: { ...look, path: "/sites/:name", answer: site },
  getSiteAd: { ...look, path: "/sites/:name/ad", answer: of<SiteAdView>() },
  removeSite: {
    ...remove,
    path: "/sites/:name",
    query: of<{ clean?: boolean }>(),
    answer: of<SiteRemovalView>(),
  },
  drainSite: { ...question, path: "/sites/:name/drain", answer: site },
  reopenSite: { ...question, path: "/sites/:name/reopen", answer: site },
  noteSite: { ...put, path: "/sites/:name/note", body: of<SiteNoteRequest>(), answer: site },
  clearSiteNote: { ...remove, again: "same", path: "/sites/:name/note", answer: site },
  testSite: { ...question, path: "/sites/:name/test", answer: of<SiteTestView>() },
  testSiteSpec: {
    ...question,
    path: "/site-tests",
    body: of<{ spec: SiteSpecRequest }>(),
    answer: of<SiteTestView>(),
  },
  listSlots: { ...look, path: "/slots", answer: of<Items<SlotSetView>>() },
  getSiteSchedule: {
    ...look,
    path: "/sites/:name/schedule",
    query: of<ScheduleRequest>(),
    answer: of<ScheduleView>(),
  },
  getSiteSlots: { ...look, path: "/sites/:name/slots", answer: of<SlotSetView>() },
  watchSiteSlots: { ...look, path: "/sites/:name/slots/watch", answer: none },
  explainSiteJob: { ...look, path: "/sites/:name/jobs/:siteJob/why", answer: of<SiteWhyView>() },
  readSiteQueue: { ...look, path: "/sites/:name/queue", answer: of<SiteQueueView>() },

  quoteSlot: { ...question, path: "/quotes", body: of<QuoteRequest>(), answer: of<QuoteView>() },
  quoteTogether: {
    ...question,
    path: "/quotes/together",
    body: of<CoReservationQuoteRequest>(),
    answer: of<CoReservationQuoteView>(),
  },
  quoteVirtual: {
    ...question,
    path: "/quotes/virtual",
    body: of<VirtualReservationQuoteRequest>(),
    answer: of<VirtualReservationQuoteView>(),
  },
  offerSlot: { ...create, path: "/reservations", body: of<OfferRequestView>(), answer: reservation },
  offerTogether: {
    ...create,
    path: "/reservations/together",
    body: of<CoReservationOfferRequest>(),
    answer: of<CoReservationView>(),
  },
  reserveVirtual: {
    ...create,
    path: "/reservations/virtual",
    body: of<VirtualReservationRequest>(),
    answer: job,
  },
  listReservations: {
    ...look,
    path: "/reservations",
    query: of<ReservationFilter>(),
    answer: of<ReservationList>(),
  },
  getReservation: { ...look, path: "/reservations/:id", answer: reservation },
  cancelReservation: { ...remove, path: "/reservations/:id", answer: reservation },
  acceptOffer: { ...act, path: "/reservations/:id/accept", answer: reservation },
  relinquishReservation: { ...act, path: "/reservations/:id/relinquish", answer: reservation },
  quoteExtension: {
    ...look,
    path: "/reservations/:id/extension",
    query: of<ExtensionQuery>(),
    answer: of<PricedStartView>(),
  },
  extendReservation: {
    ...act,
    path: "/reservations/:id/extend",
    body: of<ExtensionRequestView>(),
    answer: reservation,
  },
  getAccounts: { ...look, path: "/accounts", query: of<AccountQuery>(), answer: of<AccountsView>() },
  grant: { ...create, path: "/grants", body: of<GrantRequest>(), answer: of<GrantView>() },

  ...POLICY_OPERATIONS,
  ...PEER_OPERATIONS,
  ...PILOT_OPERATIONS,
  ...REPLICA_OPERATIONS,
  ...STREAM_OPERATIONS,
  ...WORKFLOW_OPERATIONS,

  listTickets: { ...look, path: "/tickets", answer: of<Items<TicketView>>() },
  checkTicket: {
    ...question,
    path: "/tickets/check",
    body: of<{ ticket: string }>(),
    answer: of<TicketCheckView>(),
  },
  listTicketKeys: { ...look, path: "/ticket-keys", answer: of<Items<TicketKeyView>>() },
  trustTicketKey: { ...act, path: "/ticket-keys", body: of<TicketKeyRequest>(), answer: of<TicketKeyView>() },
  revokeTicketKey: { ...remove, path: "/ticket-keys/:id", answer: of<TicketKeyView>() },

  listVos: { ...look, path: "/vos", answer: of<Items<VoView>>() },
  getVo: { ...look, path: "/vos/:name", answer: of<VoView>() },
  changeVo: { ...put, path: "/vos/:name", body: of<VoRequest>(), answer: of<VoView>() },

  getUsageHistory: {
    ...look,
    path: "/sites/:name/usage/history",
    query: of<PeriodRequest & { consumer?: string }>(),
    answer: of<UsageHistoryView>(),
  },
  listHosts: {
    ...look,
    path: "/sites/:name/hosts",
    query: of<PeriodRequest>(),
    answer: of<Items<HostView>>(),
  },
  reportHost: {
    ...question,
    path: "/sensors/reports",
    body: of<HostReportRequest>(),
    answer: of<ReadingsTakenView>(),
  },
  runSimulation: { ...create, path: "/simulations", body: of<SimulationGiven>(), answer: simulation },
  listSimulations: { ...look, path: "/simulations", answer: of<Items<SimulationView>>() },
  getSimulation: { ...look, path: "/simulations/:id", answer: of<SimulationResultView>() },
  changeSimulation: {
    method: "PUT",
    again: "same",
    path: "/simulations/:id",
    body: of<SimulationChangeGiven>(),
    answer: simulation,
  },
  deleteSimulation: { ...remove, path: "/simulations/:id", answer: simulation },
  watchSimulation: { ...look, path: "/simulations/:id/watch", answer: none },
  getSimulationSchedule: {
    ...look,
    path: "/simulations/:id/schedule",
    query: of<{ variant?: number }>(),
    answer: of<SimulationSchedule>(),
  },
  exportSimulation: { ...look, path: "/simulations/:id/jobs.csv", answer: none },
  listSimulationWorkloads: {
    ...look,
    path: "/simulation-workloads",
    answer: of<Items<SimulationWorkload>>(),
  },
  stopBroker: { ...question, path: "/broker/stop", answer: of<BrokerStopView>() },
  openApi: { ...look, path: "/openapi.json", answer: of<object>() },
} as const satisfies Record<string, Operation>;

/** Name of an operation. */
export type OperationId = keyof typeof OPERATIONS;

/** A single description is typed apart, so that places in errors need no index. */
type Submitted = JobSubmission | readonly JobSubmission[];

interface Signed {
  readonly status: "ok";
}

type Row<Id extends OperationId> = (typeof OPERATIONS)[Id];
type ParametersIn<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** Arguments of an operation. */
export type Given<Id extends OperationId> = ([ParametersIn<Row<Id>["path"]>] extends [never]
  ? unknown
  : { readonly params: Readonly<Record<ParametersIn<Row<Id>["path"]>, string>> }) &
  (Row<Id> extends { readonly query: Of<infer Query> } ? { readonly query?: Query } : unknown) &
  (Row<Id> extends { readonly body: Of<infer Body> } ? { readonly body: Body } : unknown);

/** Body of an operation. */
export type BodyOf<Id extends OperationId> = Row<Id> extends { readonly body: Of<infer Body> } ? Body : never;
/** Query of an operation. */
export type QueryOf<Id extends OperationId> =
  Row<Id> extends { readonly query: Of<infer Query> } ? Query : never;

type Answered<Id extends OperationId> =
  Row<Id> extends { readonly answer: Of<infer Answer> } ? Answer : never;

/** Headers beside an operation's arguments. */
export interface CallOptions {
  /** Idempotency key; a new one where absent. */
  readonly idempotencyKey?: string | undefined;
  /** Version that a change is based on. */
  readonly onVersion?: number | undefined;
}

/** Arguments and response of every operation, by its name in the OpenAPI document. */
export type Operations = {
  readonly [Id in OperationId]: {
    readonly asked: unknown extends Given<Id> ? [] : [given: Given<Id>, options?: CallOptions];
    readonly answer: Answered<Id>;
  };
};
