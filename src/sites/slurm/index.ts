export { commandProcess } from "./command-process.ts";
export { connectByHand } from "./connect.ts";
export {
  leaveSlurmSite,
  openSlurmSite,
  slurmCapacity,
  slurmRunner,
  testSlurmSite,
} from "./open-site.ts";
export type { RunCommand } from "./run-command.ts";
export type { RunProcess } from "./run-process.ts";
export { slurmShareLanguage } from "./shares/share-standing.ts";
export type { SlurmSite } from "./slurm-site.ts";
export { startWatchdog } from "./watchdog.ts";
