/** `stint down`: stops the broker, and says what continues without it. */
import { Command, Option } from "commander";
import type { BrokerStopView } from "../api/client/index.ts";
import { counted } from "../base/index.ts";
import { durationValue } from "./quantity-values.ts";
import { printable } from "./text-table.ts";

/**
 * Stops the broker of the environment; resolves when it has ended.
 *
 * @throws Fault `noBroker`, `brokerSilent`, `brokerOfAnother`, `brokerStillRuns`
 */
export type StopBroker = (patienceMs: number) => Promise<BrokerStopView>;

const EXAMPLES = `
Examples:
  $ stint down
  $ STINT_STATE_DIR=/var/lib/stint stint down
  $ stint down --wait 5m

Stops the broker of the state directory ($STINT_STATE_DIR, else server.stateDir in stint.yaml, else
~/.local/state/stint), or with STINT_URL and STINT_TOKEN the one at that address, for which the token must be
an admin's. The command ends when the log is closed. Running jobs continue; the next stint up finds them.

Exit codes: 69 if no broker is running, 4 if it belongs to another user.
`;

/** Command definition of `stint down`. */
export function downCommand(
  load: () => Promise<StopBroker>,
  { writeResult }: { readonly writeResult: (text: string) => void },
): Command {
  return new Command("down")
    .summary("stop the broker; its jobs continue")
    .description("Stops the broker, waits until it has stopped, and shows what continues without it.")
    .addOption(
      new Option("--wait <time>", "how long to wait until the broker has stopped")
        .argParser(durationValue("--wait"))
        .default(60_000, "60s"),
    )
    .addHelpText("after", EXAMPLES)
    .action(async ({ wait }: { readonly wait: number }) => {
      const stop = await load();
      writeResult(stopText(await stop(wait)));
    });
}

/** Text about a stopped broker and its active jobs. */
export function stopText({ process, host, left }: BrokerStopView): string {
  const lines = left.length === 0 ? ["no job is active"] : left.map(leftLine);
  return [`the broker has ended (process ${process} on ${printable(host)})`, ...lines, ""].join("\n");
}

function leftLine({ site, type, running, waiting }: BrokerStopView["left"][number]): string {
  const sum = running + waiting;
  if (site === null) return `${counted(sum, "job")} at no site yet, until the next stint up`;
  const parts: string[] = [];
  if (running > 0)
    parts.push(`${counted(running, "running job")} ${running === 1 ? "continues" : "continue"}`);
  if (waiting > 0) {
    const until = type === "managed" ? "until the next stint up" : "in the queue of the cluster";
    parts.push(`${counted(waiting, "other")} ${waiting === 1 ? "waits" : "wait"} ${until}`);
  }
  return `${printable(site)}: ${parts.join(", ")}`;
}
