/**
 * The `stint` program: its commands, and how mistakes in using them are answered.
 */
import { Command, CommanderError } from "commander";
import { Fault } from "../base/index.ts";
import type { Simulate } from "../model/index.ts";
import { asFault, EXIT_CODES, faultText } from "./report-fault.ts";
import { simulateCommand, type Terminal } from "./simulate.ts";

/** What the program can do, each loaded when it is first used (rule CL-6). */
export interface Capabilities {
  readonly simulate: () => Promise<Simulate>;
}

/** The world around one call of the program. */
export interface Surface extends Terminal {
  readonly version: string;
  readonly writeError: (text: string) => void;
  /** Whether to print the stack of an error of our own. */
  readonly isDebugging: boolean;
}

/**
 * Runs one command line.
 *
 * @param words what was typed after `stint`
 * @returns the exit code (rule CL-3)
 */
export async function runProgram(
  words: readonly string[],
  capabilities: Capabilities,
  surface: Surface,
): Promise<number> {
  const program = createProgram(capabilities, surface);
  try {
    await program.parseAsync([...words], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return usageExit(error, surface);
    const fault = asFault(error);
    surface.writeError(faultText(fault));
    if (surface.isDebugging && error instanceof Error) surface.writeError(`${error.stack}\n`);
    return EXIT_CODES[fault.kind];
  }
}

function createProgram(capabilities: Capabilities, surface: Surface): Command {
  const program = new Command("stint")
    .description(
      "Lets several organisations share several clusters by agreement, and says where and when work " +
        "starts, what it costs, and why it waits. Today: replays recorded workloads, exactly.",
    )
    .version(surface.version, "-V, --version", "print the version")
    .addHelpText("after", "\nExample:\n  $ stint sim examples/poisson.swf --discipline easy\n")
    .showSuggestionAfterError();
  program.addCommand(simulateCommand(capabilities.simulate, surface));
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: surface.writeResult,
      writeErr: () => undefined,
    });
  }
  return program;
}

/** Help and version end well; everything else that the parser objects to is a usage error. */
function usageExit(error: CommanderError, surface: Surface): number {
  if (error.exitCode === 0) return 0;
  if (error.code === "commander.help") {
    surface.writeError("stint: say what to do; stint --help lists the commands\n");
    return EXIT_CODES.badInput;
  }
  const [what = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const fault = new Fault({
    kind: "badInput",
    code: "usage",
    what,
    why: "the command line was not understood",
    remedy: suggestion?.replace(/^\(|\)$/g, "") ?? "see stint --help, or stint sim --help",
  });
  surface.writeError(faultText(fault));
  return EXIT_CODES.badInput;
}
