export { type FoundAttempt, findAttempts, repeatEnd } from "./find-attempts.ts";
export { type ManagedSiteOptions, machineCapacity, openManagedSite } from "./open-site.ts";
