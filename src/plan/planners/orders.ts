/**
 * Other orders of tasks than HEFT's, with the same placement: CPOP's and PEFT's.
 *
 * Of the tasks whose parents come before, the one with the highest rank is next, unless others have a larger
 * priority. CPOP ranks by the longest
 * path through a task (Topcuoglu, Hariri, Wu 2002), PEFT by the optimistic cost of what follows (Arabnejad,
 * Barbosa 2014). Departs from both: sites are chosen as by HEFT, each task where it ends first.
 */
import type { Instance } from "../platform/index.ts";
import { downwardRanks, optimisticRanks, upwardRanks } from "./ranks.ts";
import { workflowList } from "./search/lists.ts";

/** The order of tasks by CPOP or PEFT. */
export function orderBy(how: "cpop" | "peft", instance: Instance): Int32Array {
  const ranks = how === "cpop" ? throughRanks(instance) : optimisticRanks(instance);
  return workflowList(
    instance.workflow,
    ranks.map((rank) => -rank),
  );
}

function throughRanks(instance: Instance): Float64Array {
  const down = downwardRanks(instance).scaled;
  return upwardRanks(instance).scaled.map((up, task) => up + down[task]);
}
