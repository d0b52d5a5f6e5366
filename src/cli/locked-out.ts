/**
 * At which sites policies that are to be applied leave nothing to whoever applies them.
 *
 * The first policy of a site ends that everybody may use it: whoever wrote it for other people's accounts
 * is refused there from then on, and is told before.
 */
import type { SiteView } from "../api/client/index.ts";
import { enforcementRulesOf, inMilliseconds, type Policy, voOf } from "../model/index.ts";
import { hasShare, shareTree } from "../policy/index.ts";
import { printable } from "./text-table.ts";

/** Policies that hold and those that are to, as a caller sees them. */
export interface CallersPolicies {
  /** The consumer that the caller is; absent where the broker is too old to say. */
  readonly caller: string | undefined;
  readonly before: readonly Policy[];
  readonly after: readonly Policy[];
}

/** A remark for each site at which the caller loses all; none where that was so before. */
export function lockedOutLines(sites: readonly SiteView[], policies: CallersPolicies): string {
  const { caller, before, after } = policies;
  if (caller === undefined) return "";
  return sites
    .filter(({ name }) => isLockedOut(after, name, caller) && !isLockedOut(before, name, caller))
    .map((site) => remarkOn(site, caller))
    .join("");
}

/** Where no policy concerns a site, everybody may use it. */
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
