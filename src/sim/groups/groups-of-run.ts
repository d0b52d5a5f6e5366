/**
 * All groupings that a simulation of one workload is asked for, and the use beside shares of its policies.
 */
import type { SimulationReport, SimulationRequest } from "../../model/index.ts";
import type { TracePolicies } from "../enforcing/trace-policies.ts";
import { type GroupedJob, JobGroups } from "./job-groups.ts";
import { PolicyUse } from "./policy-use.ts";

/** Takes jobs as they end. */
export class GroupsOfRun {
  readonly #groups: readonly JobGroups[];
  readonly #use: PolicyUse | undefined;

  /** @param isTrace whether users and groups are numbers of a trace in SWF */
  constructor(
    { by = [], classLimits }: Pick<SimulationRequest, "by" | "classLimits">,
    policies: TracePolicies | undefined,
    isTrace: boolean,
  ) {
    this.#groups = by.map((grouping) => new JobGroups(grouping, classLimits));
    this.#use = policies && new PolicyUse(policies, isTrace);
  }

  add(done: GroupedJob): void {
    for (const groups of this.#groups) groups.add(done);
    this.#use?.add(done);
  }

  /** Of all jobs taken; at least one. */
  summary(): Pick<SimulationReport, "grouped" | "shares"> {
    const shares = this.#use?.deviation();
    return {
      grouped: this.#groups.map((groups) => groups.summary()),
      ...(shares === undefined ? {} : { shares }),
    };
  }
}
