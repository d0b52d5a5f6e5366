export { checkAdapter } from "./adapter-checks.ts";
export { execCapacity, openExecSite } from "./open-site.ts";
