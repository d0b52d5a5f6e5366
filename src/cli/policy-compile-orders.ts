/** `stint policy compile --apply` and `--take-back`: changes a cluster's own shares, and undoes that. */
import type { CompiledPoliciesView, ShareStepsView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { ShareStep, ShareStepResult } from "../model/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { type Listing, tableText } from "./output-forms.ts";
import { printable } from "./text-table.ts";

const LISTING: Pick<Listing<ShareStep>, "columns"> = {
  columns: [
    { head: "DONE", cell: ({ result }) => WORDS[result] },
    { head: "CHANGE", cell: ({ change: { kind, entity } }) => `${kind} ${entity}` },
    { head: "NAME", cell: ({ change: { name } }) => name },
    { head: "WHY", isFlexible: true, cell: ({ why }) => why ?? "" },
  ],
};

const WORDS: Readonly<Record<ShareStepResult, string>> = {
  made: "made",
  failed: "failed",
  unknown: "unknown",
  notTried: "not tried",
  takenBack: "taken back",
  already: "was not there",
  left: "left",
};

/** Output format of the results. */
export type StepsOutput = "table" | "json";

/** Makes the changes shown before, once the user has agreed. @throws Fault where one failed */
export async function applyCompiled(
  context: CommandContext,
  { site, changes }: CompiledPoliciesView,
  { isAgreed, output }: { readonly isAgreed: boolean; readonly output: StepsOutput },
): Promise<void> {
  const { terminal } = context;
  if (changes.length === 0) return;
  if (!isAgreed && terminal.askPerson === undefined) throw nobodyToAsk(site);
  if (!isAgreed && !(await terminal.askPerson?.(printable(`Change the shares of ${site} itself?`)))) {
    terminal.writeError("stint: nothing was changed\n");
    return;
  }
  const done = await (await context.client()).applyCompiledPolicies(site);
  tell(context, done, output);
  const failed = done.steps.filter(({ result }) => result !== "made");
  if (failed.length > 0) throw notMade(site, done);
}

/** Undoes the changes. @throws Fault where one of them stays */
export async function takeBackCompiled(
  context: CommandContext,
  site: string,
  { isForced, output }: { readonly isForced: boolean; readonly output: StepsOutput },
): Promise<void> {
  const done = await (await context.client()).takeBackCompiledPolicies(site, isForced);
  tell(context, done, output);
  if (done.steps.every(({ result }) => result === "takenBack" || result === "already")) return;
  throw stays(site, done);
}

function tell({ terminal }: CommandContext, done: ShareStepsView, output: StepsOutput): void {
  if (output === "json") terminal.writeResult(jsonText(done));
  else if (done.steps.length === 0) terminal.writeResult(`${printable(done.site)}: nothing was to be done\n`);
  else terminal.writeResult(tableText(done.steps, LISTING, "table", terminal));
}

function nobodyToAsk(site: string): Fault {
  return new Fault({
    kind: "refused",
    code: "notConfirmed",
    what: "nothing was changed",
    why: `it would change the shares of ${site}, and without a terminal you cannot be asked to confirm`,
    remedy: "confirm these changes with --yes",
  });
}

function notMade(site: string, { steps }: ShareStepsView): Fault {
  const made = steps.filter(({ result }) => result === "made").length;
  const first = steps.find(({ result }) => result !== "made");
  return new Fault({
    kind: "refused",
    code: "sharesNotMade",
    what: `${made} of ${steps.length} changes were made at ${site}`,
    why: first?.why ?? "one was not made",
    remedy:
      "resolve that and run --apply again, which makes the remaining changes; or undo the changes made: " +
      `stint policy compile ${site} --take-back`,
  });
}

function stays(site: string, { steps }: ShareStepsView): Fault {
  const left = steps.filter(({ result }) => result !== "takenBack" && result !== "already");
  return new Fault({
    kind: "refused",
    code: "sharesStay",
    what: `${left.length} of ${steps.length} changes stay at ${site}`,
    why: left[0]?.why ?? "they were not undone",
    remedy: "use --force to undo values that others have changed since; otherwise run --take-back again",
  });
}
