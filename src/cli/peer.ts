/** `stint peer`: counts the jobs that other brokers send to the same clusters. */
import { Command, Option } from "commander";
import type { PeerView, StintClient } from "../api/client/index.ts";
import type { CommandContext } from "./command-context.ts";
import { whenText } from "./instant-text.ts";
import { keepAsking } from "./keep-asking.ts";
import { isForPeople, type Listing, type OutputForm, outputOption, writeItems } from "./output-forms.ts";
import { durationValue } from "./quantity-values.ts";
import { askedElsewhere, type ElsewhereOptions, otherVersion, reachElsewhere } from "./reach-elsewhere.ts";
import { printable } from "./text-table.ts";

const FOLLOW_EXAMPLES = `
Examples:
  $ stint token create --role peer --vo west/broker --expires 365d > west.token
  $ stint peer follow http://127.0.0.1:7900 --token-file west.token --name east
  $ stint peer follow http://127.0.0.1:7900 --token-file west.token --name east --once
  $ stint peer follow https://there.example.org --token-file west.token --name east --ca there.pem

An administrator of the other broker runs the first command. The other broker
reports the jobs that it has submitted to clusters and that have not ended: site,
consumer, processors, GPUs, memory, time limit and start. It lists the newest
2000 of them, and gives the number of the others. Clusters are matched by name.

A reported job counts as use when a site is chosen, until the cluster itself
shows it, it has ended, or its expected end has passed. The expected end is its
start plus its time limit; while it waits, the time of the last report plus its
time limit. Enforcers ignore reported jobs: they act only on what the cluster
shows.

Let the other broker follow this one, too. While it does not answer, its last
report continues to count.
`;
const LIST_EXAMPLES = `
Examples:
  $ stint peer list
  $ stint peer list -o json

HEARD is the time of the broker's last report; jobs that it has submitted since are
not known. TOLD is the number of jobs in that report, COUNTED those of them that
count as use here now, and NOT TOLD the number of its jobs that the report left
out.
`;
const FORGET_EXAMPLES = `
Examples:
  $ stint peer forget east

The jobs that it has submitted no longer count. If stint peer follow still polls it,
it returns with the next report.
`;

const LISTING: Listing<PeerView> = {
  columns: [
    { head: "BROKER", cell: ({ peer }) => peer },
    { head: "HEARD", cell: ({ heardAt }, nowMs) => whenText(heardAt, nowMs) },
    { head: "TOLD", align: "right", cell: ({ told }) => String(told) },
    { head: "NOT TOLD", align: "right", cell: ({ leftOut }) => String(leftOut) },
    { head: "COUNTED", isFlexible: true, cell: countedText },
  ],
  fields: ["peer", "heardAt", "told", "leftOut", "counted", "by"],
  record: (peer) => ({ ...peer }),
  name: ({ peer }) => peer,
};

interface FollowOptions extends ElsewhereOptions {
  readonly name: string;
  readonly every: number;
  readonly once: boolean;
}

/** Command definition of `stint peer`. */
export function peerCommand(context: CommandContext): Command {
  return new Command("peer")
    .summary("manage other brokers that use the same clusters")
    .description("Counts and lists the jobs that other brokers have submitted to the same clusters.")
    .addCommand(followCommand(context))
    .addCommand(listCommand(context))
    .addCommand(forgetCommand(context));
}

function followCommand(context: CommandContext): Command {
  return new Command("follow")
    .summary("count the jobs that another broker submits to the same clusters")
    .description("Polls another broker for the jobs that it has submitted to clusters, and counts them here.")
    .argument("<url>", "address of the other broker")
    .requiredOption("--token-file <file>", "a file with a token of the role peer, made at the other broker")
    .requiredOption("--name <name>", "name of the other broker here")
    .option("--ca <file>", "CA certificates that verify it, in PEM (default: the system's)")
    .addOption(
      new Option("--every <time>", "interval between polls of the other broker")
        .argParser(durationValue("--every"))
        .default(60_000, "60s"),
    )
    .option("--once", "poll once, then end", false)
    .addHelpText("after", FOLLOW_EXAMPLES)
    .action(async (url: string, options: FollowOptions) => {
      const there = await reachElsewhere(url, options);
      const here = await context.client();
      try {
        if (options.once) {
          const { told } = await hear({ there, here, url }, options.name);
          context.terminal.writeResult(`${printable(options.name)}: ${told} jobs reported\n`);
          return;
        }
        const once = async () => {
          await hear({ there, here, url }, options.name);
        };
        const meanwhile = "the jobs of its last report count until their expected end";
        await keepAsking(context.terminal, { everyMs: options.every, once, meanwhile });
      } finally {
        there.close();
      }
    });
}

interface Brokers {
  readonly there: StintClient;
  readonly here: StintClient;
  readonly url: string;
}

async function hear({ there, here, url }: Brokers, name: string): Promise<PeerView> {
  const remedy = "see whether it runs, and whether the tunnel to it is open";
  const told = await askedElsewhere(there.dispatches(), { url, remedy });
  if (!("asOf" in told)) throw otherVersion(url);
  return here.hearPeer(name, told);
}

function listCommand(context: CommandContext): Command {
  return new Command("list")
    .summary("list other brokers, their last reports, and which of their jobs count")
    .description(
      "Lists other brokers that use the same clusters, and the jobs that they have submitted there.",
    )
    .addOption(outputOption())
    .addHelpText("after", LIST_EXAMPLES)
    .action(async ({ output: form }: { readonly output: OutputForm }) => {
      const items = await (await context.client()).peers();
      await writeItems({ items, form }, LISTING, context.terminal);
      if (items.length > 0 || !isForPeople(form)) return;
      context.terminal.writeError("stint: no other broker has reported\n");
    });
}

function forgetCommand(context: CommandContext): Command {
  return new Command("forget")
    .summary("stop counting the jobs of another broker")
    .description("Forgets another broker: the jobs that it submitted to clusters no longer count.")
    .argument("<name>", "name of the broker here (stint peer list)")
    .addHelpText("after", FORGET_EXAMPLES)
    .action(async (name: string) => {
      await (await context.client()).forgetPeer(name);
      context.terminal.writeResult(`${printable(name)}: forgotten\n`);
    });
}

function countedText({ counted }: PeerView): string {
  if (counted.length === 0) return "-";
  return counted.map(({ site, jobs, procs }) => `${site}: ${procs} procs in ${jobs}`).join(", ");
}
