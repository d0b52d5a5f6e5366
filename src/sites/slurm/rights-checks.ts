/** Rights of our account at a cluster, and the use of each missing one. */
import { readAdminLevel, userCommand } from "../../formats/slurm/index.ts";
import { isOnJobs, type SiteCheck } from "../../model/index.ts";
import { askWith, failureReason } from "./ask.ts";
import type { Trial } from "./trial.ts";

const SUSPENDING = "suspending";
const RESERVING = "making reservations";
const ENFORCING = "enforcing policies";
/** Operations that need an operator. */
const FOR_OPERATORS = [
  [SUSPENDING, "jobs that run are suspended and resumed for others"],
  ["raising priorities", "jobs are put before others in the queue; less than they have is possible without"],
  [RESERVING, "processors are set aside for a time, and offers that are accepted are kept"],
  [ENFORCING, "jobs of anybody are put off, moved in the queue, requeued and suspended, as far as granted"],
] as const;

/**
 * Checks whether the account is root or has an admin level in the accounting.
 *
 * @param settings the cluster's, if they can be read
 */
export async function rightsChecks(
  { spec, run }: Trial,
  settings: Readonly<Record<string, string>>,
): Promise<readonly SiteCheck[]> {
  const ask = askWith(run);
  const ours = ownJobs(spec.readOnly);
  try {
    const user = (await ask("user", ["id", "-un"])).trim();
    const level = readAdminLevel(await ask("rights", userCommand(user)));
    const isOperator = user === "root" || level === "Operator" || level === "Administrator";
    const has = user === "root" ? "root" : `${user}, whose AdminLevel is ${level ?? "not known"}`;
    const checks = FOR_OPERATORS.map(([what, gives]) => operatorCheck(what, gives, isOperator, has));
    return [
      ours,
      ...checks.map((check) => {
        if (check.what === RESERVING) return byCores(check, settings);
        return check.what === ENFORCING ? asGranted(check, spec) : check;
      }),
    ];
  } catch (error) {
    const why = `the rights of our account cannot be seen: ${failureReason(error)}`;
    const unknown = FOR_OPERATORS.map(([what]) => ({ ...aside(what), works: null, why, remedy: null }));
    return [ours, ...unknown];
  }
}

/** True if the checks show an operator, an administrator or root. */
export function isOperator(rights: readonly SiteCheck[]): boolean {
  return rights.some(({ what, works }) => what === SUSPENDING && works === true);
}

function ownJobs(isReadOnly: boolean): SiteCheck {
  const about = { what: "own jobs", isNeeded: !isReadOnly };
  if (!isReadOnly) {
    const why = "their owner may cancel, hold, release, signal and requeue them";
    return { ...about, works: true, why, remedy: null };
  }
  const why = "the site is read-only: none is submitted, and no order is given";
  return { ...about, works: false, why, remedy: "grant it: --no-read-only --submit-directory PATH" };
}

function operatorCheck(what: string, gives: string, isOperator: boolean, has: string): SiteCheck {
  const why = `commands are run as ${has}`;
  if (isOperator) return { ...aside(what), works: true, why, remedy: null };
  const remedy = `an operator's rights (sacctmgr modify user … set AdminLevel=Operator): ${gives}`;
  return { ...aside(what), works: false, why, remedy };
}

/** Warns if the cluster's way to select resources does not support reservations by processors. */
function byCores(check: SiteCheck, { SelectType }: Readonly<Record<string, string>>): SiteCheck {
  if (SelectType === undefined || !SelectType.endsWith("/linear")) return check;
  const why = `it has SelectType=${SelectType}, with which Slurm can reserve whole nodes only`;
  return {
    ...check,
    works: false,
    why,
    remedy: "with SelectType=select/cons_tres Slurm can reserve processors",
  };
}

/** Adapts the verdict to the grants: without a grant the right is not needed, with one it is required. */
function asGranted(check: SiteCheck, { enforcement }: Trial["spec"]): SiteCheck {
  const steps = enforcement?.granted.filter(isOnJobs) ?? [];
  if (steps.length > 0) {
    return {
      ...check,
      isNeeded: true,
      why: `${check.why}; granted in the site's settings: ${steps.join(", ")}`,
    };
  }
  if (check.works !== true) return check;
  const remedy = "enforcement.grant in the site's settings grants it step by step: hold, priority, …";
  return { ...check, why: `${check.why}; the site's settings only permit observation`, remedy };
}

function aside(what: string): { readonly what: string; readonly isNeeded: boolean } {
  return { what, isNeeded: false };
}
