/**
 * Remarks on what new policies do at sites: whom they lock out, and how strictly a burst is kept.
 *
 * Without policies everybody may use a site; the first policy ends that, so an author of policies for other
 * accounts may lock himself out, and is warned before.
 */
import { enforcementRulesOf, isOnJobs, type Policy, type SiteSpec, voOf } from "../../model/index.ts";
import { hasShare, shareTree } from "../../policy/index.ts";
import type { Remark } from "../yaml/index.ts";

/** A site with its settings. */
export interface NamedSite {
  readonly name: string;
  readonly spec: SiteSpec;
}

/** Policies in effect and policies to apply, as a caller sees them. */
export interface CallersPolicies {
  /** Consumer of the caller; absent from brokers of earlier versions. */
  readonly caller: string | undefined;
  readonly before: readonly Policy[];
  readonly after: readonly Policy[];
}

const WHOLE_PPM = 1_000_000;
const SECONDS_PER_MINUTE = 60;

/** Remarks on bursts that are only polled for, then on sites at which the caller loses all access. */
export function siteRemarks(
  sites: readonly NamedSite[],
  { caller, before, after }: CallersPolicies,
): readonly Remark[] {
  const polled = sites.flatMap((site) => polledBurst(site, after));
  if (caller === undefined) return polled;
  const locked = sites.filter(
    ({ name }) => isLockedOut(after, name, caller) && !isLockedOut(before, name, caller),
  );
  return [...polled, ...locked.map((site) => lockedOut(site, caller))];
}

/** True where the caller may not use the site: a site without policies is open to everybody. */
function isLockedOut(policies: readonly Policy[], site: string, consumer: string): boolean {
  const tree = shareTree(policies, site);
  return tree.nodes.size > 0 && !hasShare(tree, consumer);
}

function lockedOut({ name, spec }: NamedSite, caller: string): Remark {
  const isEnforced = enforcementRulesOf(spec).granted.some((step) => step !== "watch");
  // An enforcer that only watches lets jobs go; reservations go by the policies in any case.
  const what = isEnforced ? "stint run and stint reserve" : "stint reserve";
  return {
    code: "lockedOut",
    what: `under these policies ${caller} has no share at ${name}`,
    why: `${what} will be refused there`,
    remedy: `add one for it, for instance CPU, ${name}, ${voOf(caller)}, (3600, 10)`,
  };
}

function polledBurst({ name, spec }: NamedSite, policies: readonly Policy[]): readonly Remark[] {
  if (spec.type !== "slurm" || !enforcementRulesOf(spec).granted.some(isOnJobs)) return [];
  const limited = policies.filter(
    ({ provider, resource, burst }) =>
      provider === name && ON_JOBS.has(resource) && burst.sharePpm < WHOLE_PPM,
  );
  if (limited.length === 0) return [];
  const seconds = Math.ceil(SECONDS_PER_MINUTE / spec.pollsPerMinute);
  const whose = [...new Set(limited.map(({ consumer }) => consumer))].join(", ");
  return [
    {
      code: "polledBurst",
      what: `${name} is polled every ${seconds} s`,
      why: `jobs that start between polls may exceed the burst share of ${whose}`,
      remedy: `if it must hold at every instant, let Slurm enforce it: stint policy compile ${name}`,
    },
  ];
}

/** Resources that jobs occupy; stores and links are limited by Stint itself. */
const ON_JOBS: ReadonlySet<Policy["resource"]> = new Set(["cpu", "gpu", "memory"]);
