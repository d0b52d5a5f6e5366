export { type JobForm, writeJobs } from "./write-jobs.ts";
