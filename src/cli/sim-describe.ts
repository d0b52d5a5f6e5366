/**
 * `stint sim describe TRACE`: what a workload looks like.
 */
import { Command } from "commander";
import type { Describe } from "../model/index.ts";
import { oneOf, positiveInteger } from "./option-values.ts";

interface DescribeOptions {
  readonly procs?: number;
  readonly lenient: boolean;
  readonly output: "table" | "json";
}

const EXAMPLES = `
Examples:
  $ stint sim describe examples/poisson.swf
  $ stint sim describe CTC-SP2.swf.gz -o json
  $ stint sim describe trace.swf --procs 430 --lenient
`;

/** Where the description goes. */
export interface DescribeTerminal {
  readonly writeResult: (text: string) => void;
  /** How wide the terminal is; undefined off one. */
  readonly columns: number | undefined;
}

/** The command; what describes workloads is loaded when the command runs. */
export function simDescribeCommand(
  loadDescribe: () => Promise<Describe>,
  terminal: DescribeTerminal,
): Command {
  return new Command("describe")
    .summary("what a workload looks like")
    .description(
      "Describes a trace: its machine, load, sizes, runtimes, how well people estimated, when jobs came, " +
        "and whose they were.",
    )
    .argument("<trace>", "a workload in SWF, plain or gzip")
    .option(
      "--procs <n>",
      "processors of the machine (default: the trace's MaxProcs)",
      positiveInteger("--procs"),
    )
    .option("--lenient", "skip and count malformed lines instead of stopping at the first", false)
    .option("-o, --output <format>", "table or json", oneOf("-o", ["table", "json"] as const), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (trace: string, { procs, lenient, output }: DescribeOptions) => {
      const describe = await loadDescribe();
      const description = await describe({ trace, lenient, ...(procs === undefined ? {} : { procs }) });
      if (output === "json") terminal.writeResult(`${JSON.stringify(description, undefined, 2)}\n`);
      else
        terminal.writeResult(
          (await import("./workload-table.ts")).workloadTable(description, terminal.columns),
        );
    });
}
