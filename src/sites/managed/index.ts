export { type FoundAttempt, findAttempts, tellAgain } from "./find-attempts.ts";
export { type ManagedSiteOptions, machineCapacity, openManagedSite } from "./open-site.ts";
