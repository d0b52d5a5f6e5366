/** Settings of a cluster: `scontrol show config`, limited to scheduling, priorities and privacy. */

/** The command that asks for them. */
export const SETTINGS_COMMAND: readonly string[] = ["scontrol", "show", "config"];

const OF_INTEREST = [
  /^Accounting(StorageEnforce|StorageType|StorageTRES)$/,
  /^(ClusterName|GresTypes|PrivateData|SLURM_VERSION|SlurmctldParameters)$/,
  /^(EnforcePartLimits|KillWait|MessageTimeout|MinJobAge|OverTimeLimit)$/,
  /^(Def(ault)?Mem|Max(ArraySize|JobCount|Mem)|Preempt|Priority|Sched|SelectType)/,
];

/** By name, as Slurm writes them. */
export function readSettings(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const match = /^(\S+)\s*= ?(.*)$/.exec(line);
    if (match !== null && OF_INTEREST.some((it) => it.test(match[1]))) found[match[1]] = match[2].trim();
  }
  return found;
}
