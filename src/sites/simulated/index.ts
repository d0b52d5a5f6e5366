export { openSimulatedSite } from "./open-site.ts";
export { IMITATED_EXIT_CODE, IMITATED_RUNTIME } from "./own-job.ts";
