/**
 * Which rights our account has at a cluster, and what each that it has not would give.
 */
import { readAdminLevel, userCommand } from "../../formats/slurm/index.ts";
import type { SiteCheck } from "../../model/index.ts";
import { askWith, complaint } from "./ask.ts";
import type { Trial } from "./trial.ts";

/** What takes an operator, and what it is good for. */
const FOR_OPERATORS = [
  ["suspending", "jobs that run are suspended and resumed for others"],
  ["raising priorities", "jobs are put before others in the queue; less than they have is possible without"],
  ["making reservations", "resources are set aside for a time"],
] as const;

/** Whoever is root there, or has a level of its own in the accounting. */
export async function rightsChecks({ spec, run }: Trial): Promise<readonly SiteCheck[]> {
  const ask = askWith(run);
  const ours = ownJobs(spec.readOnly);
  try {
    const user = (await ask("user", ["id", "-un"])).trim();
    const level = readAdminLevel(await ask("rights", userCommand(user)));
    const isOperator = user === "root" || level === "Operator" || level === "Administrator";
    const has = user === "root" ? "root" : `${user}, whose AdminLevel is ${level ?? "not known"}`;
    return [ours, ...FOR_OPERATORS.map(([what, gives]) => operatorCheck(what, gives, isOperator, has))];
  } catch (error) {
    const why = `the rights of our account cannot be seen: ${complaint(error)}`;
    const unknown = FOR_OPERATORS.map(([what]) => ({ ...aside(what), works: null, why, remedy: null }));
    return [ours, ...unknown];
  }
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

function aside(what: string): { readonly what: string; readonly isNeeded: boolean } {
  return { what, isNeeded: false };
}
