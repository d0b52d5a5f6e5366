/**
 * Use of topmost consumers beside the shares of policies (rule SI-87).
 */
import type { ShareDeviation } from "../../model/index.ts";
import { shareTree } from "../../policy/index.ts";
import type { TracePolicies } from "../enforcing/trace-policies.ts";
import { shareDeviation } from "./fairness.ts";
import type { GroupedJob } from "./job-groups.ts";

/** Takes jobs as they end. */
export class PolicyUse {
  readonly #policies: TracePolicies;
  readonly #isTrace: boolean;
  readonly #used = new Map<string, number>();

  constructor(policies: TracePolicies, isTrace: boolean) {
    this.#policies = policies;
    this.#isTrace = isTrace;
  }

  add({ job }: GroupedJob): void {
    const [consumer] = this.#policies.consumerOf(job, this.#isTrace).split("/");
    this.#used.set(consumer, (this.#used.get(consumer) ?? 0) + job.need[0] * job.runtimeMs);
  }

  /** Undefined where no policy gives processors to anybody. */
  deviation(): ShareDeviation | undefined {
    const { policies, site } = this.#policies;
    const nodes = shareTree(policies, site).nodes.get("cpu")?.values() ?? [];
    const topmost = [...nodes].filter(({ parent }) => parent === "");
    const shares = new Map(topmost.map(({ path, epochShare }) => [path, epochShare]));
    return topmost.some(({ epochShare }) => epochShare > 0) ? shareDeviation(shares, this.#used) : undefined;
  }
}
