/**
 * `stint demo`: runs real jobs through a broker on this machine, then one workload under three disciplines.
 */
import { Command } from "commander";
import { positiveInteger } from "./option-values.ts";
import type { Terminal } from "./terminal.ts";

/** Runs the demonstration; with `trace`, only the comparison on that trace. @throws Fault */
export type Demo = (
  request: {
    readonly trace?: string;
    readonly procs?: number;
    /** True if the broker and its page stay available until the program is interrupted. */
    readonly isKept: boolean;
  },
  terminal: Pick<Terminal, "writeResult" | "onEndRequest">,
) => Promise<void>;

const EXAMPLES = `
Examples:
  $ stint demo
  $ stint demo --keep
  $ stint demo CTC-SP2-1996-3.1-cln.swf.gz
  $ stint demo trace.swf 430

Without a trace it starts a broker with this machine and two simulated clusters in a temporary folder, runs
three jobs, shows where they went and why, and replays a workload that comes with the program.
`;

/** Command definition of `stint demo`. */
export function demoCommand(load: () => Promise<Demo>, terminal: Terminal): Command {
  return new Command("demo")
    .summary("run jobs on three sites and compare three disciplines")
    .description("Runs real jobs on three sites, then compares three disciplines on one workload.")
    .argument("[trace]", "run no jobs, and compare the disciplines on this workload (SWF)")
    .argument(
      "[procs]",
      "processors of the machine (default: the trace's MaxProcs)",
      positiveInteger("PROCS"),
    )
    .option("--keep", "keep the broker, and print the address of its page, until Ctrl-C")
    .addHelpText("after", EXAMPLES)
    .action(async (trace: string | undefined, procs: number | undefined, options: { keep?: true }) => {
      const demo = await load();
      const request = {
        isKept: options.keep === true,
        ...(trace === undefined ? {} : { trace }),
        ...(procs === undefined ? {} : { procs }),
      };
      await demo(request, terminal);
    });
}
