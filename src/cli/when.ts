/** `stint when`: predicts where and when a job would start, before it is submitted. */
import { Command, Option } from "commander";
import type { HypotheticalJob, ProspectView } from "../api/client/index.ts";
import { SITE_SELECTORS, type SiteSelector } from "../model/index.ts";
import type { CommandContext } from "./command-context.ts";
import { withExpressions } from "./expression-options.ts";
import { addHypotheticalJob, type HypotheticalJobOptions, hypotheticalJob } from "./hypothetical-job.ts";
import { matchLines } from "./match-lines.ts";
import { oneOf } from "./option-values.ts";
import {
  isForPeople,
  type Listing,
  listValue,
  type OutputForm,
  outputOption,
  writeItems,
} from "./output-forms.ts";
import { peerLines } from "./peer-lines.ts";
import { inOrderOfStart, PROSPECT_LISTING, percent, prospectLines } from "./prospect-lines.ts";
import { instantAheadValue } from "./quantity-values.ts";
import { printable } from "./text-table.ts";

interface WhenOptions extends HypotheticalJobOptions {
  readonly partition?: string;
  readonly deadline?: number;
  readonly condition?: string;
  readonly select?: SiteSelector;
  readonly output: OutputForm;
}

const EXAMPLES = `
Examples:
  $ stint when -n 8 -t 2h --mem 4G
  $ stint when job.yaml --site alpha beta
  $ stint when -n 8 -t 2h --requirements 'other.GlueCEInfoLRMSType == "slurm"'
  $ stint when -n 64 -t 12h --partition wide --deadline 6h -o wide
  $ stint when -n 8 -t 2h --select cheapest --condition 'Honoured == "now" && FreeProcs >= 16'

One row per site, the earliest start first: the times by which the job will have
started with a probability of 50, 80 and 95 %, predicted by the method that has
been most accurate at that site (schedule, simulation, history or similarity),
and how many of its recent 95 % predictions came true. If no method has a record
at a site, no times are shown for it. ERROR (-o wide) is the median error of the
50 % predictions. RESERVED is the price of a reservation that starts at the 50 %
time, on top of the price of its processor-hours: free if it delays nobody,
empty if no reservation is available; see stint quote. JSON output includes the
predictions of the other methods, and the assumptions of each. Nothing is
submitted or recorded.

-o wide also shows the data for choosing a site: whether the usage policies
would honour the job there now, later or never (POLICY), the fraction that is in
use or requested (USED), free processors, the price of its whole time limit, and
how often the site honoured jobs as predicted when it was chosen (HONOURED, out
of how many placements). --condition is a ClassAd expression over these rows;
sites for which it is true are recommended. Rows have
  Site, Type ("managed", "simulated", "slurm"), TakesJobs, Honoured ("now", "later", "never"), Limit, LimitOf,
  PredictedStart (Unix seconds), Wait (seconds), Price (SU), UsedShare (0.5: half), FreeProcs, HonouredRate
  (0 to 1), Followed; what is not known is undefined, and no condition on it is true.
--select chooses one of the recommended sites. Without it, the selector of the
organisation is used (stint vo), if it has one.

Jobs that other brokers have submitted to a site, and that the site does not
show yet, count in POLICY, USED and free processors (stint peer), but not in the
predicted starts. The age of that information is shown below the table.
`;

/** Command definition of `stint when`. */
export function whenCommand(context: CommandContext): Command {
  const { nowMs } = context.terminal;
  const command = addHypotheticalJob(new Command("when"))
    .summary("predict where and when a job would start")
    .description("Predicts where and when a job that is not submitted would start, with probabilities.")
    .option("--partition <name>", "partition at clusters (default: the one that submitted jobs would use)")
    .option(
      "--deadline <when>",
      "show the probability of a start by this time: 6h, 2026-05-31T14:00Z",
      instantAheadValue("--deadline", nowMs),
    )
    .option("--condition <expression>", "recommend the sites for which this is true")
    .addOption(
      new Option("--select <how>", "how to choose one of the recommended sites")
        .choices(SITE_SELECTORS)
        .argParser(oneOf("--select", SITE_SELECTORS)),
    )
    .addOption(outputOption());
  return withExpressions(command)
    .addHelpText("after", EXAMPLES)
    .action(async (file: string | undefined, options: WhenOptions) => {
      const job = await hypotheticalJob(file, options, { context, one: ONE });
      const client = await context.client();
      const { items: prospects, match } = await client.assess({ ...job, ...questionOf(options) });
      const items = inOrderOfStart(prospects, match);
      const { output: form, select, condition } = options;
      const isChoosing = select !== undefined || condition !== undefined;
      const listing = isChoosing ? CHOICE_LISTING : PROSPECT_LISTING;
      await writeItems(
        { items, form, value: { ...listValue(items), ...(match && { match }) } },
        listing,
        context.terminal,
      );
      if (!isForPeople(form)) return;
      if (items.length === 0) context.terminal.writeError("stint: there is no site to ask\n");
      context.terminal.writeResult(
        [...(isChoosing ? choiceLines(items, select) : []), ...prospectLines(items)]
          .map((line) => `${printable(line)}\n`)
          .join(""),
      );
      const heading = match !== undefined && match.matches.length > 0 ? ["", "it matches:"] : [""];
      const below = match === undefined ? [] : [...heading, ...matchLines(match, { isRanked: true })];
      context.terminal.writeResult(below.map((line) => `${printable(line)}\n`).join(""));
      context.terminal.writeResult(peerLines(items, ({ site }) => site));
    });
}

const ONE = {
  why: "a start is predicted for one job at a time",
  remedy: "write a file with one description, or give its needs as options: stint when -n 8 -t 2h",
};

function questionOf({ partition, deadline, condition, select }: WhenOptions): HypotheticalJob {
  return {
    ...(partition === undefined ? {} : { partition }),
    ...(deadline === undefined ? {} : { deadline: new Date(deadline).toISOString() }),
    ...(condition === undefined ? {} : { condition }),
    ...(select === undefined ? {} : { select }),
  };
}

const [SITE, ...OTHERS] = PROSPECT_LISTING.columns;

/** Table of prospects with the chosen site. */
const CHOICE_LISTING: Listing<ProspectView> = {
  ...PROSPECT_LISTING,
  columns: [SITE, { head: "CHOICE", cell: choiceText }, ...OTHERS],
};

function choiceText({ choice }: ProspectView): string {
  if (choice?.isChosen === true) return "chosen";
  return choice?.isRecommended === true ? "yes" : "no";
}

/** The chosen site with its reason, or that none is recommended. */
function choiceLines(
  prospects: readonly ProspectView[],
  select: SiteSelector | undefined,
): readonly string[] {
  const taken = prospects.find(({ choice }) => choice?.isChosen === true);
  if (taken !== undefined) return [`${printable(taken.site)} is chosen${becauseText(taken, select)}`];
  const count = prospects.filter(({ choice }) => choice?.isRecommended === true).length;
  return count > 0
    ? []
    : ["no site is recommended: none accepts jobs, would honour this one and meets the condition"];
}

function becauseText({ choice }: ProspectView, select: SiteSelector | undefined): string {
  if (choice === undefined || select === undefined) return ", by the selector of its organisation";
  switch (select) {
    case "leastUsed":
      return `: ${percent(choice.usedShare)} of it is in use or requested, the smallest fraction of all`;
    case "cheapest":
      return choice.priceSu === null ? "" : ": the job costs least there";
    case "bestStart":
      return ": the predicted start is the earliest";
    case "leastRecentlyUsed":
      return ": it has gone longest without receiving a job, or never received one";
    case "roundRobin":
      return ": it is next in turn";
    case "random":
      return ", at random";
  }
}
