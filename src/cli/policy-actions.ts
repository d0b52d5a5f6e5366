/** `stint policy actions`: lists what enforcers did to jobs, or would have done, and why. */
import { Command } from "commander";
import type { EnforcementActionList, EnforcementActionView, StintClient } from "../api/client/index.ts";
import type { CommandContext } from "./command-context.ts";
import { whenText } from "./instant-text.ts";
import { positiveInteger } from "./option-values.ts";
import { isForPeople, type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";

const USUAL_LIMIT = 100;
/** Largest page of the API. */
const PAGE = 1000;
const EXAMPLES = `
Examples:
  $ stint policy actions
  $ stint policy actions --site here -n 20
  $ stint policy actions --job 7f3a -o json

Newest first. DONE is "no" if the enforcer was not granted the action, and only
reported it. stint undo reverses an action on a job; it is listed, too, with the
person who did it.
`;

interface ActionsOptions {
  readonly site?: string;
  readonly job?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly output: OutputForm;
}

const LISTING: Listing<EnforcementActionView> = {
  columns: [
    { head: "AT", cell: ({ at }, nowMs) => whenText(at, nowMs) },
    { head: "SITE", cell: ({ site }) => site },
    { head: "DONE", cell: ({ isAdvice }) => (isAdvice ? "no" : "yes") },
    { head: "WHAT AND WHY", isFlexible: true, cell: ({ text }) => text },
  ],
  fields: ["at", "site", "verb", "job", "cause", "text", "isAdvice"],
  record: (action) => ({ ...action }),
  name: ({ job }) => job,
};

/** Command definition of `stint policy actions`. */
export function policyActionsCommand(context: CommandContext): Command {
  return new Command("actions")
    .summary("list the actions of enforcers on jobs, and why")
    .description(
      "Lists the actions that the enforcers of usage policies took on jobs, or would have taken, " +
        "newest first.",
    )
    .option("--site <site>", "only at this site")
    .option("--job <id>", "only on this job; a unique prefix of its id is enough")
    .option("-n, --limit <n>", `list at most this many (default: ${USUAL_LIMIT})`, positiveInteger("--limit"))
    .option("--cursor <cursor>", "continue a listing: the value of `next` on its last page")
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async (options: ActionsOptions) => {
      const { output: form, limit } = options;
      const { terminal } = context;
      const list = await collect(await context.client(), options);
      await writeItems({ items: list.items, form, value: list }, LISTING, terminal);
      if (!isForPeople(form)) return;
      if (list.items.length === 0) terminal.writeError("stint: no enforcer has done or said anything\n");
      if (list.next !== null && limit === undefined) {
        terminal.writeError(`stint: there are more than ${USUAL_LIMIT}; -n shows more\n`);
      }
    });
}

/** Follows pages up to the limit. */
async function collect(
  client: StintClient,
  { site, job, limit = USUAL_LIMIT, cursor }: ActionsOptions,
): Promise<EnforcementActionList> {
  const of = { ...(site === undefined ? {} : { site }), ...(job === undefined ? {} : { job }) };
  const items: EnforcementActionView[] = [];
  let next: string | null = cursor ?? null;
  do {
    const page: EnforcementActionList = await client.enforcementActions({
      ...of,
      limit: Math.min(PAGE, limit - items.length),
      ...(next === null ? {} : { cursor: next }),
    });
    items.push(...page.items);
    next = page.next;
  } while (next !== null && items.length < limit);
  return { items, next };
}
