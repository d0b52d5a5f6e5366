/**
 * From the rules of a priority to the scheme that computes it.
 */
import type { PriorityRules } from "../../model/index.ts";
import { condorScheme } from "./condor.ts";
import { mauiScheme } from "./maui.ts";
import { plainScheme } from "./plain.ts";
import type { PriorityScheme } from "./scheme.ts";
import { slurmScheme } from "./slurm.ts";

/** The scheme of these rules on a machine of `procs` processors; nothing has happened on it yet. */
export function createScheme(rules: PriorityRules, procs: number): PriorityScheme {
  switch (rules.kind) {
    case "slurm":
      return slurmScheme(rules, procs);
    case "maui":
      return mauiScheme(rules);
    case "condor":
      return condorScheme(rules);
    default:
      return plainScheme(rules);
  }
}
