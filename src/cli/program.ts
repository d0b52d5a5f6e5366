/** The `stint` program: its commands, and its answers to wrong usage. */

import { Command, CommanderError } from "commander";
import { Fault } from "../base/index.ts";
import type { Capabilities } from "./capabilities.ts";
import { shareClient } from "./command-context.ts";
import { type CommandWorld, commandsFor, isHidden, subcommandTerm } from "./commands.ts";
import {
  asFault,
  demandNames,
  EXIT_CODES,
  faultText,
  inWordsOfCommand,
  pathOf,
  RUN_FAILED,
} from "./report-fault.ts";
import type { Terminal } from "./terminal.ts";

const EXAMPLES = `
Examples:
  $ stint run -n 4 -t 1h -- ./simulate
  $ stint status
  $ stint sim examples/poisson.swf --discipline easy

Exit codes: 0 success, 1 failure, 2 wrong input, 3 not found, 4 not allowed, 5 refused, 69 no broker
(docs/reference/exit-codes.md).
`;

/** Runs one command line. @param words the words after `stint` @returns the exit code */
export async function runProgram(
  words: readonly string[],
  capabilities: Capabilities,
  terminal: Terminal,
): Promise<number> {
  let exitCode = 0;
  const endWith = (code: number) => {
    exitCode = code;
  };
  const shared = shareClient(capabilities.client);
  let program: Command | undefined;
  try {
    program = await createProgram(words, { ...capabilities, client: shared.open }, terminal, endWith);
    const complete = await completed(words, groupOf(words, program), terminal.directory);
    await program.parseAsync([...complete], { from: "user" });
    return exitCode;
  } catch (error) {
    const code =
      error instanceof CommanderError
        ? usageExit(error, terminal, groupOf(words, program))
        : faultExit(error, terminal, groupOf(words, program));
    // Any other code would look like one of the program that was to be run (rule CL-7).
    return words[0] === "run" && code !== 0 ? RUN_FAILED : code;
  } finally {
    await shared.close();
  }
}

/** Command line with the ids of `--ids FILE` inserted; only a command with arguments may take ids. */
async function completed(
  words: readonly string[],
  command: Command | undefined,
  directory: string,
): Promise<readonly string[]> {
  if (command === undefined || command.registeredArguments.length === 0) return words;
  const { offerIdFiles, withIdsOfFiles } = await import("./id-files.ts");
  offerIdFiles(command);
  return withIdsOfFiles(words, command, directory);
}

/** All problems with a file come as one AggregateError, and are printed together. */
function faultExit(error: unknown, terminal: Terminal, command: Command | undefined): number {
  const faults = (error instanceof AggregateError ? error.errors : [error]).map((one) =>
    inWordsOfCommand(asFault(one), command),
  );
  terminal.writeError(faults.map(faultText).join(""));
  if (terminal.isDebugging && error instanceof Error) terminal.writeError(`${error.stack}\n`);
  return EXIT_CODES[faults[0].kind];
}

async function createProgram(
  words: readonly string[],
  capabilities: Capabilities,
  terminal: Terminal,
  endWith: (exitCode: number) => void,
): Promise<Command> {
  const program = new Command("stint")
    .description(
      "Lets several organisations share several clusters by agreement. Predicts where and when " +
        "work starts, shows what it costs and why it waits. Runs jobs on this machine and in " +
        "clusters under Slurm, enforces and verifies usage policies, sells slots, and replays " +
        "recorded workloads exactly.",
    )
    .version(terminal.version, "-V, --version", "print the version")
    .addHelpText("after", EXAMPLES)
    .showSuggestionAfterError()
    // What follows the command that stint run is to run is that command's own.
    .enablePositionalOptions()
    .configureHelp({ subcommandTerm })
    .commandsGroup("Administration:")
    .helpCommand(true)
    .hook("preAction", (_, command) => demandNames(command));
  const world: CommandWorld = {
    capabilities,
    terminal,
    endWith,
    words,
    context: { ...capabilities, terminal, endWith },
  };
  for (const command of await commandsFor(words, world)) {
    program.addCommand(command, { hidden: isHidden(command.name()) });
  }
  speakThrough(terminal, program);
  return program;
}

/** Redirects exits and output of the parser, also of all subcommands, to this program. */
function speakThrough(terminal: Terminal, command: Command): void {
  command.exitOverride().configureOutput({ writeOut: terminal.writeResult, writeErr: () => undefined });
  for (const below of command.commands) speakThrough(terminal, below);
}

/** Help and version succeed; all other complaints of the parser are usage errors. */
function usageExit(error: CommanderError, terminal: Terminal, group: Command | undefined): number {
  if (error.exitCode === 0) return 0;
  if (error.code === "commander.help") {
    terminal.writeError(faultText(missingCommand(group)));
    return EXIT_CODES.badInput;
  }
  const [what = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const fault = new Fault({
    kind: "badInput",
    code: "usage",
    what,
    why: "the command line was not understood",
    remedy: suggestion?.replace(/^\(|\)$/g, "") ?? `see ${pathOf(group)} --help`,
  });
  terminal.writeError(faultText(fault));
  return EXIT_CODES.badInput;
}

/** The innermost command that the words name. */
function groupOf(words: readonly string[], program: Command | undefined): Command | undefined {
  let group = program;
  for (const word of words) {
    const below = group?.commands.find((command) => command.name() === word);
    if (below === undefined) break;
    group = below;
  }
  return group;
}

function missingCommand(group: Command | undefined): Fault {
  const names = (group?.commands ?? []).map((command) => command.name());
  const line = pathOf(group);
  return new Fault({
    kind: "badInput",
    code: "usage",
    what: `${line} needs a command`,
    why: `${line} is a group of commands`,
    remedy:
      group?.parent == null
        ? `${line} --help lists them`
        : `add one of: ${names.filter((name) => name !== "help").join(", ")}; see ${line} --help`,
  });
}
