/** `stint pause`: pauses the enforcers of sites, also while no broker runs. */
import { Command } from "commander";
import type { StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { eachJob } from "./each-job.ts";
import { printable } from "./text-table.ts";

/**
 * Saves pause requests for a broker that is not running; it reads them when it starts, before it decides
 * anything.
 */
export interface LeftPauses {
  /**
   * File of the request; undefined where no broker has used this state directory, or the broker is elsewhere.
   */
  readonly leave: (site: string) => Promise<string | undefined>;
  /** True where there was a request. */
  readonly takeBack: (site: string) => Promise<boolean>;
}

const EXAMPLES = `
Examples:
  $ stint pause here
  $ stint pause here --continue

Jobs that the enforcer has held are released into the queue, jobs that it has
suspended are resumed, and it takes no further action until --continue. This
works without the broker, too: if it does not answer, the request is saved in
its state directory; the broker reads it when it starts, before it decides
anything.
`;

/** Command definition of `stint pause`. */
export function pauseCommand(
  load: (() => Promise<LeftPauses>) | undefined,
  context: CommandContext,
): Command {
  return new Command("pause")
    .summary("pause enforcement at sites; --continue resumes it")
    .description(
      "Pauses the enforcement of usage policies at sites: all held and suspended jobs are released.",
    )
    .argument("<site...>", "sites, as stint site list shows them")
    .option("--continue", "resume enforcement", false)
    .addHelpText("after", EXAMPLES)
    .action(async (sites: readonly string[], { continue: isGoingOn }: { readonly continue: boolean }) => {
      const one = (site: string): Promise<void> =>
        isGoingOn ? goOn(site, load, context) : pause(site, load, context);
      await eachJob(sites, one, context);
    });
}

async function pause(site: string, load: (() => Promise<LeftPauses>) | undefined, context: CommandContext) {
  const file = await told(site, context, (client) => client.pauseEnforcement(site)).catch(async (error) => {
    const left = isUnanswered(error) ? await (await load?.())?.leave(site) : undefined;
    if (left === undefined) throw error;
    return left;
  });
  if (file === undefined) return;
  const why = "the broker does not answer; it will pause it when it starts, before it decides anything";
  context.terminal.writeResult(printable(`${site}: ${why} (${file})`).concat("\n"));
}

async function goOn(site: string, load: (() => Promise<LeftPauses>) | undefined, context: CommandContext) {
  await told(site, context, (client) => client.continueEnforcement(site)).catch(async (error) => {
    const isTakenBack = isUnanswered(error) && (await (await load?.())?.takeBack(site)) === true;
    if (isTakenBack)
      context.terminal.writeError(`stint: the pause left for ${printable(site)} is taken back\n`);
    throw error;
  });
}

/** Sends the request, and prints the resulting state of the enforcer. */
async function told(
  site: string,
  { client, terminal }: CommandContext,
  ask: (client: StintClient) => ReturnType<StintClient["pauseEnforcement"]>,
): Promise<undefined> {
  const { isPaused } = await ask(await client());
  terminal.writeResult(`${printable(site)}: ${isPaused ? "paused" : "resumed"}\n`);
  return undefined;
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Fault && error.kind === "unreachable";
}
