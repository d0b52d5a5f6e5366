export { attemptNotEnded } from "./attempt-not-ended.ts";
export type {
  AccountView,
  BrokerApi,
  Choice,
  CoReservationQuestion,
  Prospect,
  ProspectQuestion,
  QuoteQuestion,
  RemoveSiteRequest,
  ReservationPage,
  ReservationQuery,
  SiteResponse,
  SiteView,
  VirtualReservationQuestion,
  VirtualReservationQuote,
} from "./broker-api.ts";
export type { Clock } from "./clock.ts";
export type { ThereExplained, ThereQueued } from "./cluster-questions.ts";
export type { DagQuery } from "./dag-questions.ts";
export { checkEnforcementOrder, mayEnforce } from "./enforcement-order.ts";
export {
  type EnforcementAnswer,
  type EnforcementOrder,
  type ForeignSite,
  type PlacedAttempt,
  type ReservationOrder,
  type SharedInputs,
  SITE_ABILITIES,
  type SiteAbility,
  type SiteVerb,
  type SubmitOrder,
  type SurveyQuestion,
} from "./foreign-site.ts";
export type {
  ArrayQuery,
  JobPage,
  JobQuery,
  JobReportQuery,
  JobSums,
  WaitSums,
} from "./job-questions.ts";
export type { LogArchiving, RecordedEvent, RecordedPage } from "./log-questions.ts";
export type {
  ArchivedStretch,
  Commit,
  EventSearch,
  EventToLog,
  Json,
  JsonObject,
  Logbook,
  LoggedEvent,
  Person,
  Receipt,
  ViewChange,
  ViewCondition,
  ViewConditions,
  ViewPage,
  ViewQuery,
  ViewRow,
  ViewSchema,
} from "./logbook.ts";
export type {
  ShareLanguage,
  ShareOrder,
  ShareStanding,
  SharesToCompile,
  SiteShares,
} from "./native-shares.ts";
export type { PayloadState, PilotQuestion, PilotSight } from "./pilots.ts";
export type {
  ActionPage,
  ActionQuery,
  ChangeSharesRequest,
  HostQuestion,
  HostView,
  ReadingsTaken,
  UsageHistory,
  UsageHistoryQuestion,
} from "./policy-questions.ts";
export { descriptionOf, eventOf, projectLog } from "./project-log.ts";
export { checkReservationOrder, checkReservationToken, reservationConflict } from "./reservation-order.ts";
export { createRound, type Round } from "./round.ts";
export type { Sample, SampleBatch, SampledSeries, Samples } from "./samples.ts";
export type { SavedStateFiles } from "./saved-states.ts";
export type { ScheduleQuestion, SiteSchedule } from "./schedule.ts";
export type {
  SimulationOrder,
  SimulationRecord,
  Simulations,
} from "./simulations.ts";
export type {
  AppendedPart,
  EndCause,
  FilePart,
  InputFile,
  LaunchOrder,
  ManagedSite,
  SiteCapacity,
  SiteFiles,
  SiteReport,
} from "./site.ts";
export { stillToAppend } from "./site.ts";
export type { StreamProblem, SubmitStreamRequest } from "./stream-questions.ts";
export { CHUNK_BYTES, CHUNKS_KEPT, MOST_INPUT_BYTES, TERMINAL_FILES, TERMINAL_FOLDER } from "./terminal.ts";
export type { TicketApi, TicketCheck } from "./ticket-questions.ts";
export type { Upload, UploadPiece, Uploads } from "./uploads.ts";
export {
  actionOf,
  arrayOf,
  asJson,
  dagNodeOf,
  dagOf,
  filesOf,
  jobOf,
  policiesOf,
  postingOf,
  READ_WHOLE,
  recordsOf,
  reservationOf,
  rowOf,
  VIEWS,
  VIEWS_VERSION,
} from "./views.ts";
export type { Webhook, WebhookRequest, Webhooks } from "./webhooks.ts";
