/** `stint config show`: prints every setting in effect with its origin. */
import { Command } from "commander";
import type { SettingValue } from "../formats/stint-yaml/index.ts";
import { jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { listValue } from "./output-forms.ts";
import type { Terminal } from "./terminal.ts";
import { type Column, textTable } from "./text-table.ts";

/** A setting; its value is null where it is not set. */
export interface ShownSetting {
  readonly name: string;
  readonly value: SettingValue | null;
  /** Origin: `default`, `FILE:LINE`, `VARIABLE (environment)`, or the flag. */
  readonly origin: string;
}

/** Options of the command. */
interface ShowRequest {
  /** Path of `stint.yaml`; the default path where absent. */
  readonly configuration?: string;
  readonly isThisMachineOffered: boolean;
}

/** Reads every setting in order, without secrets. */
export type ShowConfiguration = (request: ShowRequest) => Promise<readonly ShownSetting[]>;

interface ShowOptions {
  readonly config?: string;
  readonly output: (typeof FORMATS)[number];
  readonly thisMachine: boolean;
}

const FORMATS = ["table", "json", "yaml"] as const;
const COLUMNS: readonly Column[] = [
  { head: "SETTING" },
  { head: "VALUE", isFlexible: true },
  { head: "ORIGIN" },
];
const EXAMPLES = `
Examples:
  $ stint config show
  $ stint config show --config cluster.yaml -o json

A stint.yaml; every key is optional:
  server:
    stateDir: /data/stint
    port: 7846                 # or none
    host: 0.0.0.0              # beyond this machine, with tls only
    tls: { cert: broker.pem, key: broker.key }
    inputs: /shared/inputs     # directory from which users with a token may name input files
  sites:
    - { name: local, type: managed }
    - { name: west, type: simulated, procs: 128, background: { trace: workload.swf.gz } }

It is read from $STINT_CONFIG, or ~/.config/stint/stint.yaml. Environment variables (STINT_STATE_DIR,
STINT_PORT, STINT_URL, STINT_TOKEN, STINT_CA) override it, and options override both. Relative paths start
from its folder.
`;

/** Command definition of `stint config show`. */
export function configCommand(load: () => Promise<ShowConfiguration>, terminal: Terminal): Command {
  return new Command("config")
    .summary("show the settings and where each comes from")
    .description("Shows the settings and where each comes from.")
    .addHelpText("after", EXAMPLES)
    .addCommand(showCommand(load, terminal));
}

function showCommand(load: () => Promise<ShowConfiguration>, terminal: Terminal): Command {
  return new Command("show")
    .summary("print every setting and where it comes from")
    .description(
      "Prints every setting in effect with its origin: a default, a line of stint.yaml, the " +
        "environment, or a flag. Needs no broker; for a token, only whether it is set.",
    )
    .option("--config <file>", "the configuration (default: $STINT_CONFIG)")
    .option("--this-machine", "show the settings that stint up --this-machine would use", false)
    .option("-o, --output <format>", FORMATS.join(", "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async ({ config, output, thisMachine }: ShowOptions) => {
      const show = await load();
      const settings = await show({
        ...(config === undefined ? {} : { configuration: config }),
        isThisMachineOffered: thisMachine,
      });
      terminal.writeResult(await written(settings, output, terminal));
    });
}

async function written(
  settings: readonly ShownSetting[],
  format: ShowOptions["output"],
  { columns }: Terminal,
): Promise<string> {
  if (format === "json") return jsonText(listValue(settings));
  if (format === "yaml") return (await import("yaml")).stringify(listValue(settings));
  const rows = settings.map(({ name, value, origin }) => [name, valueText(value), origin]);
  return textTable(COLUMNS, rows, columns);
}

function valueText(value: ShownSetting["value"]): string {
  if (value === null) return "-";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(itemText).join(",");
  return entriesText(value);
}

function itemText(item: unknown): string {
  return typeof item === "object" && item !== null ? `{ ${entriesText(item)} }` : String(item);
}

function entriesText(entries: object): string {
  return Object.entries(entries)
    .map(([name, text]) => `${name}: ${text}`)
    .join(", ");
}
