export { type ManagedSiteOptions, openManagedSite } from "./open-site.ts";
