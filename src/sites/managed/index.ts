export { type ManagedSiteOptions, machineCapacity, openManagedSite } from "./open-site.ts";
