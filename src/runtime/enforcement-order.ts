/** Checks of an enforcer's order, common to all sites. */
import { Fault } from "../base/index.ts";
import {
  type EnforcementRules,
  type EnforcementStep,
  type EnforcementVerb,
  isOnJobs,
} from "../model/index.ts";
import type { EnforcementOrder } from "./foreign-site.ts";

/** Grant required for a verb; null for verbs that give back, which any grant permits. */
const STEPS: Readonly<Record<EnforcementVerb, EnforcementStep | null>> = {
  hold: "hold",
  release: null,
  raise: "priority",
  lower: "priority",
  requeue: "requeue",
  suspend: "suspend",
  resume: null,
};

/** True where an enforcer was granted more than `watch`. */
export function mayEnforce(rules: EnforcementRules | undefined): boolean {
  return (rules?.granted ?? []).some(isOnJobs);
}

/**
 * Refuses orders without their grant. Release and resume are never refused: the site decides what they give
 * back, and without any grant that is what was taken under an earlier one.
 *
 * @throws Fault `enforcementNotGranted`
 */
export function checkEnforcementOrder(
  site: string,
  { verb }: EnforcementOrder,
  rules: EnforcementRules | undefined,
): void {
  const step = STEPS[verb];
  if (step === null || rules?.granted.includes(step) === true) return;
  throw new Fault({
    kind: "notAllowed",
    code: "enforcementNotGranted",
    what: `cannot ${verb} jobs at site ${site}`,
    why: `its enforcer was not granted ${step}`,
    remedy: `grant ${step} to it in the site's settings; until then it only reports what it would do`,
  });
}
