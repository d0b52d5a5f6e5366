export { createClient } from "./create-client.ts";
export type {
  BrokerPlace,
  ClientOptions,
  FileView,
  JobFilter,
  JobList,
  JobSubmission,
  JobView,
  NewTokenView,
  ReadOptions,
  SiteSpecWish,
  SiteView,
  SiteWish,
  StintClient,
  TokenView,
  TokenWish,
  WhyView,
} from "./types.ts";
