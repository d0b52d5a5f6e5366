export { commandProcess } from "./command-process.ts";
export { type Connected, connectByHand } from "./connect.ts";
export {
  leaveSlurmSite,
  openSlurmSite,
  type SlurmSiteOptions,
  slurmCapacity,
  slurmRunner,
  testSlurmSite,
} from "./open-site.ts";
export type { RunCommand } from "./run-command.ts";
export type { RunProcess } from "./run-process.ts";
export { slurmShareLanguage } from "./shares/share-standing.ts";
export type { SlurmSite } from "./slurm-site.ts";
export { type StartWatchdog, startWatchdog } from "./watchdog.ts";
