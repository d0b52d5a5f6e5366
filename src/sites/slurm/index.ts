export { commandProcess } from "./command-process.ts";
export { connectByHand } from "./connect.ts";
export { endOfAttempt, rowOfReport } from "./ends.ts";
export {
  leaveSlurmSite,
  openSlurmSite,
  slurmCapacity,
  slurmRunner,
  testSlurmSite,
} from "./open-site.ts";
export { checkToken } from "./own-jobs.ts";
export { openRecordFolder, type RecordFolder } from "./record-folder.ts";
export type { RunCommand } from "./run-command.ts";
export type { RunProcess } from "./run-process.ts";
export { runProcess } from "./run-process.ts";
export { slurmShareLanguage } from "./shares/share-standing.ts";
export { AttemptFiles } from "./site-files.ts";
export type { SlurmSite } from "./slurm-site.ts";
export { checkSubmission } from "./submission.ts";
export { startWatchdog } from "./watchdog.ts";
export { scriptUnderSignals } from "./wrapper-script.ts";
