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
  SiteView,
  StintClient,
  TokenView,
  TokenWish,
  WhyView,
} from "./types.ts";
