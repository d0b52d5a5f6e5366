export { ACCOUNTS_COMMAND, readAccountNames, USED_ACCOUNTS_COMMAND } from "./account-names.ts";
export { associationsCommand, QOS_COMMAND, readAssociations, readQos } from "./accounting.ts";
export { readAdminLevel, userCommand } from "./admin-level.ts";
export { jobDependency } from "./dependency.ts";
export { featureRule } from "./feature-rule.ts";
export { historyCommand, readHistory } from "./history.ts";

export { stateWord } from "./job-states.ts";
export { LICENSES_COMMAND, readLicenses } from "./licenses.ts";
export { NODES_COMMAND, readNodes } from "./nodes.ts";
export { PARTITIONS_COMMAND, readPartitions, withClusterMemory } from "./partitions.ts";
export { pastJobsCommand, pastJobsOf, readPastRuns } from "./past-jobs.ts";
export { PRIORITIES_COMMAND, readPriorities } from "./priorities.ts";
export { QUEUE_AGES_COMMAND, rowsWithAge } from "./queue-ages.ts";
export { RESERVATIONS_COMMAND, readReservations } from "./reservations.ts";
export { sacctCommandLine } from "./sacct-command.ts";
export { SKIP_REASONS, type SkipReason } from "./sacct-counts.ts";
export { accountingLines } from "./sacct-file.ts";
export { type ImportedAccounting, type ImportRules, importAccounting } from "./sacct-import.ts";
export { instantReader } from "./sacct-instants.ts";
export { disguiseWith, keyIn, undisguised } from "./sacct-names.ts";

export { readRuns } from "./sacct-read.ts";
export type { SacctRun } from "./sacct-run.ts";
export { schedulingRules } from "./scheduling-rules.ts";
export { readSettings, SETTINGS_COMMAND } from "./settings.ts";
export {
  type EndedJob,
  type JobMarks,
  type Queue,
  readQueue,
  type SlurmJob,
  SQUEUE_COMMAND,
} from "./squeue.ts";
export { waitReason } from "./wait-reason.ts";
export { FIELD_END, ROW_END, SLURM_ENVIRONMENT } from "./words.ts";
