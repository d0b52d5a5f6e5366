/**
 * The policies of one site, and whose the jobs of a trace are.
 */
import type { EnforcementRules, Policy } from "../../model/index.ts";
import type { WorkloadJob } from "../workload/workload.ts";

/** Policies with all that it takes to play under them. */
export interface TracePolicies {
  /** The site that they are of. */
  readonly site: string;
  readonly policies: readonly Policy[];
  readonly form: EnforcementRules["form"];
  /** @param isTrace whether users and groups are numbers of a trace in SWF, and no names */
  readonly consumerOf: (job: Pick<WorkloadJob, "user" | "group">, isTrace: boolean) => string;
}
