/** `stint audit`: lists the jobs that pilots ran, with node, time and account. */
import { Command } from "commander";
import type { AuditView } from "../api/client/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { pastInstantValue } from "./quantity-values.ts";

const EXAMPLES = `
Examples:
  $ stint audit --node n12 --at 2026-05-31T14:00
  $ stint audit --site west -o json

Records are listed latest first: a record for each job that a pilot ran, and for
each job that a site refused by its mapping rules or its ban list. Only the
latest 10,000 records can be listed; the log of the broker keeps all of them.
`;

const LISTING: Listing<AuditView> = {
  columns: [
    { head: "FROM", cell: ({ from }) => instantText(from) },
    { head: "TO", cell: ({ to }) => (to === null ? "-" : instantText(to)) },
    { head: "NODE", cell: ({ node }) => node ?? "-" },
    { head: "JOB", cell: ({ job }) => job },
    { head: "CONSUMER", cell: ({ consumer }) => consumer },
    { head: "PROGRAM", cell: ({ executable }) => executable },
    { head: "DECISION", isFlexible: true, cell: ({ decision }) => decision },
  ],
  fields: [
    ...(["job", "site", "pilot", "node", "owner", "consumer", "executable", "sha256", "mode"] as const),
    ...(["account", "rule", "refused", "from", "to", "cause", "exitCode", "cpuSec"] as const),
  ],
  record: (record) => ({ ...record }),
  name: ({ job, attempt }) => `${job}/${attempt}`,
};

interface AuditOptions {
  readonly node?: string;
  readonly site?: string;
  readonly job?: string;
  readonly at?: number;
  readonly output: OutputForm;
}

/** Command definition of `stint audit`. */
export function auditCommand({ client, terminal }: CommandContext): Command {
  return new Command("audit")
    .summary("list the jobs that pilots ran, with node, time and account")
    .description(
      "Lists the jobs that pilots ran, with node, time and account, and the jobs that sites refused.",
    )
    .option("--node <name>", "only this node")
    .option("--site <name>", "only this site")
    .option("--job <id>", "only this job")
    .option(
      "--at <when>",
      "only jobs that ran, or were refused, at this time",
      pastInstantValue("--at", terminal.nowMs),
    )
    .addOption(outputOption())
    .addHelpText("after", EXAMPLES)
    .action(async ({ output: form, at, ...fixed }: AuditOptions) => {
      const query = { ...fixed, ...(at === undefined ? {} : { at: new Date(at).toISOString() }) };
      const { items } = await (await client()).call("listAudit", { query });
      await writeItems({ items, form, none: "no records match" }, LISTING, terminal);
    });
}
