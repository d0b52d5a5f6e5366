/**
 * What is to be known of bursts at clusters that an enforcer only looks at now and then.
 */
import type { SiteView } from "../api/client/index.ts";
import { enforcementRulesOf, isOnJobs, type Policy } from "../model/index.ts";
import { printable } from "./text-table.ts";

const WHOLE_PPM = 1_000_000;
const SECONDS_PER_MINUTE = 60;

/** A remark for each cluster whose enforcer keeps bursts: how far it can, and what keeps them strictly. */
export function polledBurstLines(sites: readonly SiteView[], policies: readonly Policy[]): string {
  return sites.map((site) => remarkOn(site, policies)).join("");
}

function remarkOn({ name, spec }: SiteView, policies: readonly Policy[]): string {
  if (spec.type !== "slurm" || !enforcementRulesOf(spec).granted.some(isOnJobs)) return "";
  const limited = policies.filter(
    ({ provider, resource, burst }) =>
      provider === name && ON_JOBS.has(resource) && burst.sharePpm < WHOLE_PPM,
  );
  if (limited.length === 0) return "";
  const seconds = Math.ceil(SECONDS_PER_MINUTE / spec.pollsPerMinute);
  const whose = [...new Set(limited.map(({ consumer }) => consumer))].join(", ");
  const remark =
    `remark: ${name} is looked at every ${seconds} s, and jobs that begin in between may pass the burst of ` +
    `${whose}; where it must hold at every instant have Slurm keep it: stint policy compile ${name}`;
  return `${printable(remark)}\n`;
}

/** What jobs occupy; stores and links are kept by Stint itself. */
const ON_JOBS: ReadonlySet<Policy["resource"]> = new Set(["cpu", "gpu", "memory"]);
