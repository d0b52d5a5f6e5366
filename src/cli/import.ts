/**
 * `stint import`: what another program has recorded, as a workload that can be simulated.
 */
import { Command } from "commander";
import { type ImportTerminal, importAccountingCommand } from "./import-accounting.ts";

/** The command, with one below it for each kind of record. */
export function importCommand(terminal: ImportTerminal): Command {
  return new Command("import")
    .summary("make a workload of what a batch system has recorded")
    .description("Reads what another program has recorded, and writes it as a workload for stint sim.")
    .enablePositionalOptions()
    .addCommand(importAccountingCommand(terminal));
}
