/**
 * What every site asks of an enforcer's order before it does anything.
 */
import { Fault } from "../base/index.ts";
import {
  type EnforcementRules,
  type EnforcementStep,
  type EnforcementVerb,
  isOnJobs,
} from "../model/index.ts";
import type { EnforcementOrder } from "./foreign-site.ts";

/** What has to be granted for a verb; null: it gives back, and every grant will do. */
const STEPS: Readonly<Record<EnforcementVerb, EnforcementStep | null>> = {
  hold: "hold",
  release: null,
  raise: "priority",
  lower: "priority",
  requeue: "requeue",
  suspend: "suspend",
  resume: null,
};

/** Whether an enforcer was granted more than to say what it would do. */
export function mayEnforce(rules: EnforcementRules | undefined): boolean {
  return (rules?.granted ?? []).some(isOnJobs);
}

/**
 * Refuses what is not granted at a site. Release and resume are refused nowhere: what they may give back is
 * the site's to say, and without any grant it is what was taken under an earlier one.
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
    remedy: `grant ${step} to it in the site's settings; until then it only says what it would do`,
  });
}
