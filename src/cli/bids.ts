/** `stint bids`: requests bids on a job from all sites, or shows how accurate earlier bids were. */
import { Command, Option } from "commander";
import type { BidScoreView, BidView } from "../api/client/index.ts";
import { lengthText, suText } from "../base/index.ts";
import { lateText, rankingValue } from "./bid-option.ts";
import type { CommandContext } from "./command-context.ts";
import { withExpressions } from "./expression-options.ts";
import { addHypotheticalJob, type HypotheticalJobOptions, hypotheticalJob } from "./hypothetical-job.ts";
import { whenText } from "./instant-text.ts";
import { isForPeople, type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { bidsOfBoth, type PeerBid, type PeerOptions, peerOf, withPeerOptions } from "./peer-bids.ts";
import { percent } from "./prospect-lines.ts";
import { durationValue } from "./quantity-values.ts";
import { printable } from "./text-table.ts";

interface BidsOptions extends HypotheticalJobOptions, PeerOptions {
  /** Weight of the cost. */
  readonly by: number;
  /** In ms. */
  readonly within?: number;
  readonly scores: boolean;
  readonly output: OutputForm;
}

const EXAMPLES = `
Examples:
  $ stint bids job.yaml
  $ stint bids -n 8 -t 2h --by cost
  $ stint bids job.yaml --by alpha=0.5 -o wide
  $ stint bids job.yaml --peer https://east.example.org:7846 --token-file east.token
  $ stint bids --scores
  $ stint submit --by time job.yaml

Each site answers from its own state within two seconds (--within): when the job
would start and end, and what its whole time limit would cost. START is the
likely start (50 %), 95 % the time by which it will have started with this
probability; empty if the site does not predict one. RESERVED is the price of a
reservation at the likely start. No capacity is held, and nothing is submitted.
stint submit --by accepts the best bid and submits the job to its site. A bid is valid for a minute.

--by cost puts the cheapest bid first, --by time the one with the earliest end,
--by alpha=A the one with the smallest A x cost + (1 - A) x end, both scaled to 0
to 1 over the bids.

--peer also requests bids from another broker, at which you have a token; BROKER is
its address. stint submit --by ORDER --peer URL --token-file FILE submits the job to
the broker with the better bid. No broker passes a job on by itself.

--scores shows how accurate the accepted bids of each site were: the fraction of
jobs that started by the promised time, the mean error of the likely start and
end, and the costs that were bid and charged.
`;

const LISTING: Listing<PeerBid> = {
  columns: [
    { head: "SITE", cell: ({ site }) => site },
    { head: "START", cell: ({ starts: [likely] }, nowMs) => (likely ? whenText(likely.startAt, nowMs) : "") },
    { head: "95 %", cell: (bid, nowMs) => sureText(bid, nowMs) },
    { head: "END", cell: ({ endAt }, nowMs) => whenText(endAt, nowMs) },
    { head: "COST", align: "right", cell: ({ costProcMs }) => suText(costProcMs) },
    {
      ...{ head: "RESERVED", align: "right", isOptional: true },
      cell: ({ reserved }) => (reserved === null ? "" : suText(reserved.priceProcMs)),
    },
    { head: "VALID UNTIL", isWide: true, cell: ({ validUntil }, nowMs) => whenText(validUntil, nowMs) },
    { head: "BID", isWide: true, cell: ({ id }) => id },
    { head: "CONDITIONS", isWide: true, cell: ({ conditions }) => conditions.join("; ") },
  ],
  fields: [
    "site",
    "kind",
    "starts",
    "endAt",
    "costSu",
    "costProcMs",
    "reserved",
    "validUntil",
    "id",
    "conditions",
    "broker",
  ],
  record: (bid) => ({ ...bid }),
  name: ({ site }) => site,
};

/** With the broker of each bid. */
const OF_BOTH: Listing<PeerBid> = {
  ...LISTING,
  columns: [{ head: "BROKER", isOptional: true, cell: ({ broker }) => broker ?? "" }, ...LISTING.columns],
};

const SCORES: Listing<BidScoreView> = {
  columns: [
    { head: "SITE", cell: ({ site }) => site },
    { head: "SCORED", align: "right", cell: ({ scored }) => String(scored) },
    { head: "NOT BEGUN", align: "right", cell: ({ notBegun }) => String(notBegun) },
    { head: "50 %", align: "right", cell: (score) => keptText(score, 0.5) },
    { head: "80 %", align: "right", cell: (score) => keptText(score, 0.8) },
    { head: "95 %", align: "right", cell: (score) => keptText(score, 0.95) },
    { head: "START ERROR", align: "right", cell: ({ meanStartErrorSec }) => errorText(meanStartErrorSec) },
    { head: "END ERROR", align: "right", cell: ({ meanEndErrorSec }) => errorText(meanEndErrorSec) },
    { head: "BID", align: "right", cell: ({ bidSu }) => `${bidSu.toFixed(2)} SU` },
    { head: "DUE", align: "right", cell: ({ dueSu }) => `${dueSu.toFixed(2)} SU` },
  ],
  fields: [
    ...["site", "scored", "notBegun", "promises", "meanStartErrorSec", "meanEndErrorSec", "bidSu", "dueSu"],
  ],
  record: (score) => ({ ...score }),
  name: ({ site }) => site,
};

/** Command definition of `stint bids`. */
export function bidsCommand(context: CommandContext): Command {
  const command = addHypotheticalJob(new Command("bids"))
    .summary("request bids on a job from all sites, without submitting it")
    .description(
      "Requests bids on a job from all sites, without submitting it: start, end and cost at each site.",
    )
    .addOption(
      new Option("--by <order>", "order of the bids: cost, time or alpha=0.5")
        .argParser(rankingValue)
        .default(0, "time"),
    )
    .option(
      "--within <time>",
      "deadline for the answers of sites, up to 30s (default: 2s)",
      durationValue("--within"),
    )
    .option("--scores", "show how accurate earlier bids were", false)
    .addOption(outputOption());
  return withExpressions(withPeerOptions(command))
    .addHelpText("after", EXAMPLES)
    .action(async (file: string | undefined, options: BidsOptions) => {
      if (options.scores) await showScores(context, options.output);
      else await showBids(file, options, context);
    });
}

async function showScores(context: CommandContext, form: OutputForm): Promise<void> {
  const { items } = await (await context.client()).call("listBidScores");
  const none = "no job that took a bid has ended yet";
  await writeItems({ items, form, none }, SCORES, context.terminal);
}

async function showBids(
  file: string | undefined,
  options: BidsOptions,
  context: CommandContext,
): Promise<void> {
  const { within, by: alpha, output: form } = options;
  const answerWithin = within === undefined ? {} : { answerWithinSec: within / 1000 };
  const body = { ...(await hypotheticalJob(file, options, { context, one: ONE })), ...answerWithin, alpha };
  const { terminal } = context;
  const peer = await peerOf(options);
  const called = await bidsOfBoth(await context.client(), peer, body, terminal).finally(() =>
    peer?.client.close(),
  );
  const { items, refusals, late } = called;
  const listing = peer === undefined ? LISTING : OF_BOTH;
  await writeItems({ items, form, value: called, none: "no site bids for the job" }, listing, terminal);
  if (!isForPeople(form)) return;
  const silent = [
    ...refusals.map(({ site, text }) => `${site} makes no bid: ${text}`),
    ...late.map(lateText),
  ];
  terminal.writeResult(silent.map((line) => `${printable(line)}\n`).join(""));
}

const ONE = {
  why: "sites bid on one job at a time",
  remedy: "write a file with one description, or give its needs as options: stint bids -n 8 -t 2h",
};

/** The last start that is promised, where there is more than the likely one. */
function sureText({ starts }: BidView, nowMs: number): string {
  const sure = starts.find(({ probability }) => probability === 0.95);
  return sure === undefined ? "" : whenText(sure.startAt, nowMs);
}

function keptText({ promises }: BidScoreView, probability: number): string {
  const found = promises.find((it) => it.probability === probability);
  return found === undefined ? "-" : percent(found.kept / found.promised);
}

function errorText(sec: number | null): string {
  return sec === null ? "-" : lengthText(sec);
}
