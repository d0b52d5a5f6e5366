/**
 * The `stint` program: its commands, and how mistakes in using them are answered.
 */

import { Command, CommanderError } from "commander";
import type { StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type {
  Describe,
  Generate,
  JobVerb,
  QuoteSnapshot,
  RunScenario,
  Simulate,
  WhatIf,
} from "../model/index.ts";
import { accountCommand } from "./account.ts";
import { checkCommand, type ReadJobFile } from "./check.ts";
import { classAdCommand } from "./classad.ts";
import type { ClassAdTools } from "./classad-tools.ts";
import { clearCommand } from "./clear.ts";
import { type CommandContext, shareClient } from "./command-context.ts";
import { completionCommand } from "./completion.ts";
import { configCommand, type ShowConfiguration } from "./config.ts";
import { doctorCommand, type Examine } from "./doctor.ts";
import { eachJob } from "./each-job.ts";
import { extendCommand } from "./extend.ts";
import { importCommand } from "./import.ts";
import { listCommand } from "./list.ts";
import { logsCommand } from "./logs.ts";
import { outputCommand } from "./output.ts";
import { type LeftPauses, pauseCommand } from "./pause.ts";
import { peerCommand } from "./peer.ts";
import { policyCommand } from "./policy.ts";
import type { PolicyTools } from "./policy-tools.ts";
import type { VerifyTools } from "./policy-verify-tools.ts";
import { quoteCommand } from "./quote.ts";
import { releaseReservationCommands } from "./release-reservation.ts";
import { asFault, EXIT_CODES, faultText, RUN_FAILED } from "./report-fault.ts";
import { reservationsCommand } from "./reservations.ts";
import { reserveCommand } from "./reserve.ts";
import { runCommand } from "./run.ts";
import { type RunSensor, sensorCommand } from "./sensor.ts";
import { simulateCommand } from "./simulate.ts";
import { siteCommand } from "./site.ts";
import type { ConnectSite } from "./site-connect.ts";
import { slotsCommand } from "./slots.ts";
import { statusCommand } from "./status.ts";
import { submitCommand } from "./submit.ts";
import type { Terminal } from "./terminal.ts";
import { ticketCommand } from "./ticket.ts";
import { tokenCommand } from "./token.ts";
import { undoCommand } from "./undo.ts";
import { type Up, upCommand } from "./up.ts";
import { usageCommand, type WriteUsageReport } from "./usage.ts";
import { voCommand } from "./vo.ts";
import { whenCommand } from "./when.ts";
import { whyCommand } from "./why.ts";

const EXAMPLES = `
Examples:
  $ stint run -n 4 -t 1h -- ./simulate
  $ stint status
  $ stint sim examples/poisson.swf --discipline easy
`;

/** What the program can do, each loaded when it is first used (rule CL-6). */
export interface Capabilities {
  readonly simulate: () => Promise<Simulate>;
  readonly generate: () => Promise<Generate>;
  readonly describe: () => Promise<Describe>;
  readonly scenario: () => Promise<RunScenario>;
  readonly whatIf: () => Promise<WhatIf>;
  readonly quote: () => Promise<QuoteSnapshot>;
  readonly readJobFile: () => Promise<ReadJobFile>;
  readonly policies: () => Promise<PolicyTools>;
  /** Absent where this program cannot read logs and accountings. */
  readonly verify?: () => Promise<VerifyTools>;
  /** Absent where this program cannot look at the host. */
  readonly sensor?: () => Promise<RunSensor>;
  /** Absent where this program writes no pages. */
  readonly usageReport?: () => Promise<WriteUsageReport>;
  /** Absent where this program does not know the ClassAd language. */
  readonly classAds?: () => Promise<ClassAdTools>;
  /** A way to the broker; closed when the command has ended. */
  readonly client: () => Promise<StintClient>;
  /** Absent where this program opens no connections for a broker. */
  readonly connectSite?: () => Promise<ConnectSite>;
  /** Absent where no broker of this program's own could be told later. */
  readonly leftPauses?: () => Promise<LeftPauses>;
  /** Absent where this program cannot start a broker; then there is no `stint up`. */
  readonly up?: () => Promise<Up>;
  /** Absent where this program has no state of its own to look at. */
  readonly doctor?: () => Promise<Examine>;
  /** Absent where nothing of this program is configured. */
  readonly config?: () => Promise<ShowConfiguration>;
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
  terminal: Terminal,
): Promise<number> {
  let exitCode = 0;
  const endWith = (code: number) => {
    exitCode = code;
  };
  const shared = shareClient(capabilities.client);
  const program = createProgram({ ...capabilities, client: shared.open }, terminal, endWith);
  try {
    await program.parseAsync([...words], { from: "user" });
    return exitCode;
  } catch (error) {
    const code = error instanceof CommanderError ? usageExit(error, terminal) : faultExit(error, terminal);
    // Any other code would look like one of the program that was to be run (rule CL-7).
    return words[0] === "run" && code !== 0 ? RUN_FAILED : code;
  } finally {
    await shared.close();
  }
}

/** Everything that is wrong with a file comes as an AggregateError, and is told at once. */
function faultExit(error: unknown, terminal: Terminal): number {
  const faults = (error instanceof AggregateError ? error.errors : [error]).map(asFault);
  terminal.writeError(faults.map(faultText).join(""));
  if (terminal.isDebugging && error instanceof Error) terminal.writeError(`${error.stack}\n`);
  return EXIT_CODES[faults[0].kind];
}

function createProgram(
  capabilities: Capabilities,
  terminal: Terminal,
  endWith: (exitCode: number) => void,
): Command {
  const program = new Command("stint")
    .description(
      "Lets several organisations share several clusters by agreement, and says where and when work " +
        "starts, what it costs, and why it waits. Runs jobs on this machine and in clusters under Slurm, " +
        "enforces and proves usage policies, sells slots, and replays recorded workloads, exactly.",
    )
    .version(terminal.version, "-V, --version", "print the version")
    .addHelpText("after", EXAMPLES)
    .showSuggestionAfterError()
    // What follows the command that stint run is to run is that command's own.
    .enablePositionalOptions();
  if (capabilities.up !== undefined) program.addCommand(upCommand(capabilities.up, terminal));
  const context: CommandContext = { ...capabilities, terminal, endWith };
  for (const command of dailyCommands(context, capabilities)) program.addCommand(command);
  for (const command of slotCommands(capabilities, context)) program.addCommand(command);
  program.addCommand(checkCommand(capabilities.readJobFile, { ...terminal, endWith }));
  for (const command of policyCommands(capabilities, context)) program.addCommand(command);
  if (capabilities.sensor !== undefined) program.addCommand(sensorCommand(capabilities.sensor, context));
  if (capabilities.classAds !== undefined) program.addCommand(classAdCommand(capabilities.classAds, context));
  program.addCommand(simulateCommand(capabilities, { ...terminal, endWith }));
  program.addCommand(importCommand(terminal));
  if (capabilities.doctor !== undefined) {
    program.addCommand(doctorCommand(capabilities.doctor, { ...terminal, endWith }));
  }
  if (capabilities.config !== undefined) program.addCommand(configCommand(capabilities.config, terminal));
  program.addCommand(completionCommand(terminal));
  speakThrough(terminal, program);
  return program;
}

function dailyCommands(
  context: CommandContext,
  { connectSite }: Pick<Capabilities, "connectSite">,
): Command[] {
  return [
    runCommand(context),
    submitCommand(context),
    statusCommand(context),
    listCommand(context),
    whyCommand(context),
    whenCommand(context),
    logsCommand(context),
    outputCommand(context),
    clearCommand(context),
    ...jobVerbCommands(context),
    siteCommand(context, connectSite),
    tokenCommand(context),
  ];
}

/** What is about slots, prices, reservations and money. */
function slotCommands({ quote }: Capabilities, context: CommandContext): Command[] {
  return [
    slotsCommand(context),
    quoteCommand(quote, context),
    reserveCommand(context),
    reservationsCommand(context),
    ...releaseReservationCommands(context),
    extendCommand(context),
    accountCommand(context),
  ];
}

/** What is about usage policies, and who keeps them. */
function policyCommands(
  { policies, verify, leftPauses, usageReport }: Capabilities,
  context: CommandContext,
): Command[] {
  return [
    policyCommand(policies, verify, context),
    usageCommand(context, usageReport),
    pauseCommand(leftPauses, context),
    undoCommand(context),
    voCommand(context),
    peerCommand(context),
    ticketCommand(context),
  ];
}

/** Nothing ends the process or writes to its streams but through us, for all commands below too. */
function speakThrough(terminal: Terminal, command: Command): void {
  command.exitOverride().configureOutput({ writeOut: terminal.writeResult, writeErr: () => undefined });
  for (const below of command.commands) speakThrough(terminal, below);
}

/** Help and version end well; everything else that the parser objects to is a usage error. */
function usageExit(error: CommanderError, terminal: Terminal): number {
  if (error.exitCode === 0) return 0;
  if (error.code === "commander.help") {
    terminal.writeError("stint: say what to do; stint --help lists the commands\n");
    return EXIT_CODES.badInput;
  }
  const [what = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const fault = new Fault({
    kind: "badInput",
    code: "usage",
    what,
    why: "the command line was not understood",
    remedy: suggestion?.replace(/^\(|\)$/g, "") ?? "see stint --help, or stint COMMAND --help",
  });
  terminal.writeError(faultText(fault));
  return EXIT_CODES.badInput;
}

interface VerbWords {
  readonly verb: JobVerb;
  readonly summary: string;
  readonly description: string;
  /** What is said of a job for which it was done. */
  readonly done: string;
}

const VERBS: readonly VerbWords[] = [
  {
    verb: "cancel",
    summary: "end jobs, whether they wait or run",
    description:
      "Takes jobs that wait out of the queue and ends those that run: TERM to all their processes, KILL " +
      "when that is not heeded. They end as CANCELLED.",
    done: "cancel requested",
  },
  {
    verb: "hold",
    summary: "keep waiting jobs from starting",
    description: "Keeps jobs that wait from starting until they are released.",
    done: "held",
  },
  {
    verb: "release",
    summary: "let held jobs start again",
    description: "Puts held jobs back into the queue.",
    done: "released",
  },
  {
    verb: "suspend",
    summary: "stop running jobs for a while",
    description:
      "Stops the processes of running jobs where they are and gives their processors to others. Suspended " +
      "time does not count against the time limit.",
    done: "suspended",
  },
  {
    verb: "resume",
    summary: "let suspended jobs go on",
    description: "Lets suspended jobs go on as soon as there is room for them again.",
    done: "resumed",
  },
];

/** The five commands. */
function jobVerbCommands(context: CommandContext): Command[] {
  return VERBS.map(({ verb, summary, description, done }) =>
    new Command(verb)
      .summary(summary)
      .description(description)
      .argument("<id...>", "jobs; an id may be abbreviated while it is unique")
      .addHelpText("after", examples(verb))
      .action(async (ids: readonly string[]) => {
        const client = await context.client();
        const one = async (id: string): Promise<void> => {
          await client.act(id, verb);
          context.terminal.writeResult(`${id}: ${done}\n`);
        };
        await eachJob(ids, one, context);
      }),
  );
}

function examples(verb: JobVerb): string {
  return `
Examples:
  $ stint ${verb} 7f3a
  $ stint list -o name --state ${verb === "release" ? "held" : "running"} | xargs stint ${verb}

A job for which it cannot be done is told on stderr, the others go on; the exit code is that of the
worst.
`;
}
