/** `stint import`: converts records of other programs to workloads for the simulator. */
import { Command } from "commander";
import { type ImportTerminal, importAccountingCommand } from "./import-accounting.ts";

/** Command definition of `stint import`. */
export function importCommand(terminal: ImportTerminal): Command {
  return new Command("import")
    .summary("convert the records of a batch system to a workload")
    .description("Reads the records of another program and writes them as a workload for stint sim.")
    .enablePositionalOptions()
    .addCommand(importAccountingCommand(terminal));
}
