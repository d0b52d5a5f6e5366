/**
 * Sites at which new policies leave nothing to the caller who applies them. Without policies everybody may
 * use a site; the first policy ends that, so an author of policies for other accounts may lock himself out,
 * and is warned before.
 */
import type { SiteView } from "../api/client/index.ts";
import { enforcementRulesOf, inMilliseconds, type Policy, voOf } from "../model/index.ts";
import { hasShare, shareTree } from "../policy/index.ts";
import { printable } from "./text-table.ts";

/** Policies in effect and policies to apply, as a caller sees them. */
export interface CallersPolicies {
  /** Consumer of the caller; absent from brokers of earlier versions. */
  readonly caller: string | undefined;
  readonly before: readonly Policy[];
  readonly after: readonly Policy[];
}

/** A remark for each site at which the caller loses all access; none where that was so before. */
export function lockedOutLines(sites: readonly SiteView[], policies: CallersPolicies): string {
  const { caller, before, after } = policies;
  if (caller === undefined) return "";
  return sites
    .filter(({ name }) => isLockedOut(after, name, caller) && !isLockedOut(before, name, caller))
    .map((site) => remarkOn(site, caller))
    .join("");
}

/** True where the caller may use the site: a site without policies is open to everybody. */
function isLockedOut(policies: readonly Policy[], site: string, consumer: string): boolean {
  const tree = shareTree(policies, site);
  return tree.nodes.size > 0 && !hasShare(tree, consumer);
}

function remarkOn({ name, spec }: SiteView, caller: string): string {
  const isEnforced = enforcementRulesOf(inMilliseconds(spec)).granted.some((step) => step !== "watch");
  // An enforcer that only watches lets jobs go; reservations go by the policies in any case.
  const what = isEnforced ? "stint run and stint reserve" : "stint reserve";
  const remark =
    `remark: these policies give ${caller} nothing at ${name}: ${what} will be refused there; ` +
    `add one for it, for instance CPU, ${name}, ${voOf(caller)}, (3600, 10)`;
  return `${printable(remark)}\n`;
}
