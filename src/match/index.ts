export { applicationFor } from "./application-range.ts";
export { changedRequirements } from "./change-requirements.ts";
export {
  asksForPrice,
  asksForResponse,
  asksForView,
  type MatchedJob,
  type MatchTable,
  matchingNames,
  matchTable,
  rankedNames,
  rankOf,
} from "./choose.ts";
export { decidingAttributes } from "./deciding-attributes.ts";
export { unreadableAttribute } from "./given-attributes.ts";
export { glue2Of } from "./glue2.ts";
export { applicationIn, changesStatus, classKeyOf, hasRequirements, isOfStatus } from "./job-ad.ts";
export { problemOfDescription, uselessRetry } from "./judge-description.ts";
export {
  adText,
  type GlueStatus,
  type OrganisationView,
  type SiteFacts,
  siteAdOf,
  withGiven,
} from "./site-ad.ts";
