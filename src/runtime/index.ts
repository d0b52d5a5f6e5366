export { attemptNotEnded } from "./attempt-not-ended.ts";
export type { Clock } from "./clock.ts";
export type {
  AccountView,
  Door,
  JobPage,
  JobQuery,
  Prospect,
  ProspectQuestion,
  QuoteQuestion,
  RemoveSiteWish,
  ReservationPage,
  ReservationQuery,
  SiteView,
  ThereExplained,
  TogetherQuestion,
} from "./door.ts";
export {
  type ForeignSite,
  type PlacedAttempt,
  type ReservationOrder,
  type ReservationToken,
  SITE_ABILITIES,
  type SiteAbility,
  type SiteVerb,
  type SubmitOrder,
} from "./foreign-site.ts";
export type {
  Commit,
  EventToLog,
  Json,
  JsonObject,
  Logbook,
  LoggedEvent,
  Person,
  Receipt,
  ViewChange,
  ViewCondition,
  ViewPage,
  ViewQuery,
  ViewRow,
  ViewSchema,
} from "./logbook.ts";
export { projectLog } from "./project-log.ts";
export { checkReservationOrder, checkReservationToken, reservationConflict } from "./reservation-order.ts";
export { createRound, type Round, type RoundWorld } from "./round.ts";
export type {
  AttemptToken,
  EndCause,
  FilePart,
  InputFile,
  LaunchOrder,
  ManagedSite,
  SiteCapacity,
  SiteFiles,
  SiteReport,
} from "./site.ts";
export {
  balanceOf,
  jobOf,
  postingOf,
  reservationOf,
  rowOf,
  siteOf,
  tokenOf,
  VIEWS,
  VIEWS_VERSION,
} from "./views.ts";
