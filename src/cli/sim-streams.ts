/** `stint sim streams FILE`: simulates streams that share a pool. */
import { Command } from "commander";
import { counted, lengthText, percentText, sizeText } from "../base/index.ts";
import type { StreamReport, StreamSimulation } from "../stream/index.ts";
import { oneOf } from "./option-values.ts";
import { textTable } from "./text-table.ts";

/** Simulates the scenario of a file. @throws Fault with what is wrong about it */
export type SimulateStreams = (file: string) => Promise<StreamSimulation>;

interface StreamsOptions {
  readonly output: "table" | "json";
}

const EXAMPLES = `
Examples:
  $ stint sim streams examples/streams/pool.yaml
  $ stint sim streams examples/streams/pool.yaml -o json

The file has the pool (processors by class, a link, a store), streams, or a load at which they are drawn,
and variants: exact, genetic and literal are three ways to share the pool by utilities, as a broker does;
processors-only, equal-share, staged and reserved are methods of other systems (docs/guides/streams.md).
`;

/** Command definition of `stint sim streams FILE`. */
export function simStreamsCommand(
  load: () => Promise<SimulateStreams>,
  terminal: { readonly writeResult: (text: string) => void; readonly columns?: number | undefined },
): Command {
  return new Command("streams")
    .summary("simulate streams that share processors, a link and a store")
    .description(
      "Simulates streams in virtual time under each way to share the pool: their starts, bandwidth, " +
        "storage, halts, and processed data.",
    )
    .argument("<file>", "a scenario of streams in YAML")
    .option("-o, --output <format>", "table or json", oneOf("-o", ["table", "json"] as const), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (file: string, { output }: StreamsOptions) => {
      const simulation = await (await load())(file);
      if (output === "json") terminal.writeResult(`${JSON.stringify(simulation, undefined, 2)}\n`);
      else terminal.writeResult(simulationText(simulation, terminal.columns));
    });
}

const COLUMNS = [
  { head: "VARIANT" },
  ...["PROCESSED", "ACCEPTED", "COMPLETED", "WAIT", "BUSY", "LINK", "STORE", "HALTS", "OVERFLOW", "LAG"].map(
    (head) => ({ head, align: "right" as const }),
  ),
  { head: "FAIRNESS", align: "right" as const, isOptional: true },
];

function simulationText(
  { streams, horizonSec, seed, reports }: StreamSimulation,
  columns: number | undefined,
): string {
  const head = `${counted(streams, "stream")} over ${lengthText(horizonSec)}, seed ${seed}\n\n`;
  return head + textTable(COLUMNS, reports.map(rowOf), columns);
}

function rowOf(report: StreamReport): readonly string[] {
  return [
    report.variant,
    sizeText(report.processedBytes),
    String(report.accepted),
    String(report.completed),
    lengthText(report.meanWaitSec),
    percentText(report.busyFraction),
    percentText(report.bandwidthUse),
    percentText(report.storageOccupation),
    String(report.halts),
    sizeText(report.overflowBytes),
    sizeText(report.lagBytes),
    report.fairness.toFixed(2),
  ];
}
