/** `stint account`: balances and payments of consumers, and grants to them. */
import { randomUUID } from "node:crypto";
import { Command } from "commander";
import type { AccountLevelView, AccountsView, PostingView, SiteAccountsView } from "../api/client/index.ts";
import { Fault, suText } from "../base/index.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { whenText } from "./instant-text.ts";
import { oneOf, suValue } from "./option-values.ts";
import {
  isForPeople,
  type Listing,
  type OutputForm,
  outputOption,
  tableText,
  writeItems,
} from "./output-forms.ts";
import { printable } from "./text-table.ts";

interface AccountOptions {
  readonly site?: string;
  readonly output: OutputForm;
}

interface GrantOptions {
  readonly site: string;
  readonly output: (typeof GRANT_FORMATS)[number];
}

const GRANT_FORMATS = ["table", "json"] as const;
const EXAMPLES = `
Examples:
  $ stint account
  $ stint account cms/higgs --site far
  $ stint account cms/higgs -o csv > balances.csv
  $ stint account grant cms/higgs 5000 --site far

Shows the balance of each level of a consumer path at each site, in SU (one
processor for one hour), and its newest postings; -o json has everything. Those
who may see a site's accounts also see what the site has earned, how much of the
reserved time was idle, and the total of the priced delays. Until a site has
granted SU to somebody, its accounts only record and never refuse. After the
first grant, the balance of each level must cover its requests.
`;
const GRANT_EXAMPLES = `
Examples:
  $ stint account grant cms/higgs 5000 --site far
  $ stint account grant --site far -- cms/higgs -500     takes back
`;

const LEVEL_LISTING: Listing<AccountLevelView> = {
  columns: [
    { head: "CONSUMER", cell: ({ consumer }) => consumer },
    { head: "SITE", cell: ({ site }) => site },
    { head: "BALANCE", align: "right", cell: ({ balanceProcMs }) => moneyText(balanceProcMs) },
    { head: "GRANTED", cell: ({ granted }) => (granted ? "yes" : "no") },
  ],
  fields: ["consumer", "site", "balanceSu", "balanceProcMs", "granted"],
  record: (level) => ({ ...level }),
  name: ({ consumer }) => consumer,
};

const POSTING_LISTING: Pick<Listing<PostingView>, "columns"> = {
  columns: [
    { head: "AT", cell: ({ at }, nowMs) => whenText(at, nowMs) },
    { head: "SITE", cell: ({ site }) => site },
    { head: "CONSUMER", cell: ({ consumer }) => consumer },
    { head: "AMOUNT", align: "right", cell: ({ procMs }) => suText(procMs) },
    { head: "FOR", cell: ({ kind }) => kind },
    { head: "ABOUT", isFlexible: true, cell: ({ about }) => about },
  ],
};

/** Command definition of `stint account`. */
export function accountCommand(context: CommandContext): Command {
  return (
    new Command("account")
      .summary("show the balances and payments of consumers, in SU")
      .description("Shows a consumer's balance at each site and what it has paid; grants SU to consumers.")
      .argument("[consumer]", "vo/group/user (default: yours)")
      .option("--site <site>", "only at this site")
      .addOption(outputOption())
      .addHelpText("after", EXAMPLES)
      .action(async (consumer: string | undefined, options: AccountOptions) => {
        const { site, output: form } = options;
        const accounts = await (await context.client()).account({
          ...(consumer === undefined ? {} : { consumer }),
          ...(site === undefined ? {} : { site }),
        });
        await writeItems({ items: accounts.levels, form, value: accounts }, LEVEL_LISTING, context.terminal);
        if (isForPeople(form)) tell(accounts, form, context);
      })
      // Else what follows the verb would be taken for the noun's own.
      .enablePositionalOptions()
      .addCommand(grantCommand(context))
  );
}

function tell(
  { consumer, levels, sites, postings }: AccountsView,
  form: "table" | "wide",
  context: CommandContext,
): void {
  const { terminal } = context;
  if (levels.length === 0) terminal.writeError(`stint: nothing was ever posted to ${printable(consumer)}\n`);
  for (const site of sites) terminal.writeResult(`\n${siteLines(site).map(printable).join("\n")}\n`);
  if (postings.length === 0) return;
  terminal.writeResult(`\n${tableText(postings, POSTING_LISTING, form, terminal)}`);
}

/** Income of a site, and the idle and delayed time of its sold reservations; zero amounts are omitted. */
function siteLines({ site, hasGrants, incomeProcMs, reserved, delays }: SiteAccountsView): readonly string[] {
  const { base, delays: forDelays, penalties } = incomeProcMs;
  const rule = hasGrants ? "refuses what accounts cannot cover" : "has granted nothing, and refuses nothing";
  const earned = `${suText(base)} base, ${suText(forDelays)} for delays, ${suText(penalties)} penalties`;
  const { jobs, pricedProcMs, causedProcMs } = delays;
  const started = jobs === 1 ? "1 job has" : `${jobs} jobs have`;
  const [all, idle] = [suText(reserved.procMs), suText(reserved.idleProcMs)];
  const [priced, caused] = [suText(pricedProcMs), suText(causedProcMs)];
  return [
    `${site} ${rule}; it has earned ${earned}`,
    ...(reserved.procMs === 0 ? [] : [`of ${all} in reservations that are over ${idle} were idle`]),
    ...(jobs === 0 ? [] : [`${started} started whose delay was priced at ${priced}; it came to ${caused}`]),
  ];
}

function grantCommand(context: CommandContext): Command {
  return new Command("grant")
    .summary("grant SU to a consumer at a site")
    .description("Grants SU to a consumer at a site, or takes back an earlier grant.")
    .argument("<consumer>", "vo, vo/group, or vo/group/user")
    .argument("<su>", "amount in SU; a negative amount takes SU back", suValue("SU", true))
    .requiredOption("--site <site>", "the site")
    .option("-o, --output <format>", GRANT_FORMATS.join(", "), oneOf("-o", GRANT_FORMATS), "table")
    .addHelpText("after", GRANT_EXAMPLES)
    .action(async (consumer: string, su: number, { site, output }: GrantOptions) => {
      if (su === 0) throw grantOfNothing(consumer);
      const client = await context.client();
      const made = await client.grant({ consumer, su, site }, { idempotencyKey: randomUUID() });
      const text = `${made.consumer} has ${suText(made.balanceProcMs)} at ${made.site}`;
      context.terminal.writeResult(output === "json" ? jsonText(made) : `${printable(text)}\n`);
    });
}

function grantOfNothing(consumer: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "grantOfNothing",
    what: `${consumer} would be given 0 SU`,
    why: "a grant gives SU, or takes an earlier grant back",
    remedy: "give an amount: stint account grant CONSUMER 5000 --site SITE",
  });
}

function moneyText(procMs: number | null): string {
  return procMs === null ? "-" : suText(procMs);
}
