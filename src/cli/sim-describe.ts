/** `stint sim describe TRACE`: summarises a workload. */
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

/** Output of the command. */
export interface DescribeTerminal {
  readonly writeResult: (text: string) => void;
  /** Width of the terminal; undefined off one. */
  readonly columns: number | undefined;
}

/** Command definition of `stint sim describe TRACE`. */
export function simDescribeCommand(
  loadDescribe: () => Promise<Describe>,
  terminal: DescribeTerminal,
): Command {
  return new Command("describe")
    .summary("summarise a workload")
    .description(
      "Summarises a trace: its machine, load, sizes, runtimes, accuracy of estimates, arrival " +
        "times, and users.",
    )
    .argument("<trace>", "a workload in SWF, plain or gzip; - for standard input")
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
