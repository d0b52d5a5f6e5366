export { attemptNotEnded } from "./attempt-not-ended.ts";
export type { Clock } from "./clock.ts";
export type {
  Door,
  JobPage,
  JobQuery,
  Prospect,
  ProspectQuestion,
  RemoveSiteWish,
  SiteView,
  ThereExplained,
} from "./door.ts";
export {
  type ForeignSite,
  type PlacedAttempt,
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
export { jobOf, rowOf, siteOf, tokenOf, VIEWS, VIEWS_VERSION } from "./views.ts";
