/**
 * The policies of one site, and whose the jobs of a trace are.
 */
import type { AccountedOwner } from "../../formats/evidence/index.ts";
import type { EnforcementRules, Policy } from "../../model/index.ts";
import type { TraceJob } from "../trace-job.ts";

/** Policies with all that it takes to play under them. */
export interface TracePolicies {
  /** The site that they are of. */
  readonly site: string;
  readonly policies: readonly Policy[];
  readonly form: EnforcementRules["form"];
  readonly consumerOf: (job: Pick<TraceJob, "user" | "group">) => string;
  /** Consumer of a job, for a workload with names of users and accounts. */
  readonly consumerNamed: (owner: AccountedOwner) => string;
}
