/** Allocation and backfill rules from Slurm's settings. Source: slurm.conf(5). */
import type { SchedulingRules } from "../../model/index.ts";

/** Scheduling rules; the default of an unknown setting is noted at each field. */
export function schedulingRules(settings: Readonly<Record<string, string>>): SchedulingRules {
  const select = settings.SelectTypeParameters;
  const enforced = settings.AccountingStorageEnforce;
  return {
    // Where the setting is not known memory counts: a shortage too many is better than one too few.
    countsMemory: select === undefined || /memory/i.test(select),
    givesWholeMemory: /memory/i.test(select ?? ""),
    countsCores: /core/i.test(select ?? ""),
    wholeNodesOnly: /linear/.test(settings.SelectType ?? ""),
    enforcesLimits: enforced === undefined || /limits|safe|all/i.test(enforced),
    discipline: disciplineOf(settings),
  };
}

function disciplineOf({
  SchedulerType = "",
  SchedulerParameters = "",
}: Readonly<Record<string, string>>): SchedulingRules["discipline"] {
  if (/builtin/.test(SchedulerType)) return "fcfs";
  const plansOne = SchedulerParameters.split(",").includes("bf_job_part_count_reserve=1");
  return plansOne ? "easy" : "conservative";
}
