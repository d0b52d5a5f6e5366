/** Checks on the policies of a request, each and among each other (files have the same, with lines). */

import { isConsumerPath, isWithin, type Policy } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import type { ProblemPlace } from "./problem.ts";
import { invalid } from "./validator.ts";

/**
 * Checks that every policy can hold beside the others. @throws ProblemError `invalidRequest` with each that
 * cannot
 */
export function demandUsable(policies: readonly Policy[], brokerApi: Pick<BrokerApi, "query">): void {
  const sites = brokerApi.query("providers");
  const consumers = new Set(policies.map(({ consumer }) => consumer));
  const seen = new Map<string, number>();
  const places = policies.flatMap((policy, index): ProblemPlace[] => {
    const { resource, provider, consumer, epoch, burst } = policy;
    const key = [resource, provider, consumer].join(" ");
    const other = seen.get(key);
    seen.set(key, index);
    const isSite = sites.some((site) => isWithin(provider, site));
    const misfit = !isSite && consumers.has(provider) && !consumer.startsWith(`${provider}/`);
    return [
      ...(isConsumerPath(consumer) ? [] : [place(index, "consumer", "it is no consumer path")]),
      ...(misfit ? [place(index, "consumer", "it is not below its provider, a consumer itself")] : []),
      ...(burst.sharePpm < epoch.sharePpm
        ? [place(index, "burst/sharePpm", "the burst is below the epoch share")]
        : []),
      ...(other === undefined
        ? []
        : [place(index, "", `policy ${other} says already what this consumer has of this provider`)]),
    ];
  });
  if (places.length > 0) throw invalid(places);
}

function place(index: number, field: string, detail: string): ProblemPlace {
  return { pointer: `/policies/${index}${field === "" ? "" : `/${field}`}`, detail };
}
