/** `stint import accounting FILE`: converts the output of Slurm's sacct to a workload in JSON lines. */
import { Command } from "commander";
import { Fault, MS_PER_HOUR } from "../base/index.ts";
import type { ImportRules } from "../formats/slurm/index.ts";
import { oneOf } from "./option-values.ts";

/** Streams for the workload and its summary. */
export interface ImportTerminal {
  readonly writeResult: (text: string) => void;
  readonly writeError: (text: string) => void;
  readonly writeBytes: (stream: "stdout", bytes: Uint8Array) => Promise<void>;
  readonly nowMs: () => number;
}

interface ImportOptions {
  readonly output?: string;
  readonly since?: string;
  readonly until?: string;
  readonly zone?: string;
  readonly names: "keep" | "pseudonyms";
  readonly keyFile?: string;
  readonly site?: string;
  readonly lenient: boolean;
  readonly printCommand: boolean;
}

const LINES_AT_ONCE = 1000;

const EXAMPLES = `
Examples:
  $ stint import accounting --print-command --since 2026-03-01 --until 2026-04-01
  $ stint import accounting sacct.txt --since 2026-03-01 --until 2026-04-01 -o march.workload.jsonl
  $ (scontrol -a -o show node; scontrol -a -o show partition) > site.txt
  $ stint import accounting sacct.txt --site site.txt -o march.workload.jsonl
  $ stint sim march.workload.jsonl --baseline

Users and accounts are replaced by pseudonyms, made with a random key that is
not stored; with --key-file two imports use the same pseudonyms. Job ids and
partition names stay unchanged. A job's wait begins when it was eligible: a
begin time, a hold or a dependency does not count as waiting.
docs/guides/what-if.md explains each step.
`;

/** Command definition of `stint import accounting FILE`. */
export function importAccountingCommand(terminal: ImportTerminal): Command {
  return new Command("accounting")
    .summary("convert Slurm's accounting (sacct), with memory, GPUs and real starts")
    .description(
      "Reads the output of sacct and writes a workload in JSON lines: when each job became eligible, " +
        "when it started, how long it ran, and what it was allocated. Assumptions and omitted records " +
        "are listed and counted.",
    )
    .argument("[file]", "output of sacct, plain or gzip; - for stdin")
    .option("-o, --output <file>", "output file: .jsonl, compressed with .gz (default: stdout)")
    .option("--since <date>", "start of the record, as sacct's -S; jobs that were running then are included")
    .option("--until <date>", "end of the record, as sacct's -E")
    .option(
      "--zone <name>",
      "time zone of times without one, such as Europe/Amsterdam (default: this machine's)",
    )
    .option(
      "--names <rule>",
      "how users and accounts are written: keep or pseudonyms",
      oneOf("--names", ["keep", "pseudonyms"] as const),
      "pseudonyms",
    )
    .option("--key-file <file>", "key file of the pseudonyms, created if missing")
    .option(
      "--site <file>",
      "output of scontrol -o show node and scontrol -o show partition, one after the other",
    )
    .option("--lenient", "skip and count malformed rows instead of stopping at the first", false)
    .option(
      "--print-command",
      "print the sacct command whose output is read here, and do nothing else",
      false,
    )
    .addHelpText("after", EXAMPLES)
    .action(async (file: string | undefined, options: ImportOptions) => {
      if (options.printCommand) {
        const { sacctCommandLine } = await import("../formats/slurm/index.ts");
        const { since, until } = periodToAsk(options, terminal.nowMs());
        terminal.writeResult(`${sacctCommandLine(since, until)}\n`);
        return;
      }
      await importFile(file, options, terminal);
    });
}

/** Period of the printed command: by default the last thirty days. */
function periodToAsk({ since, until }: ImportOptions, nowMs: number) {
  const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const period = { since: since ?? dateOf(nowMs - 30 * 24 * MS_PER_HOUR), until: until ?? dateOf(nowMs) };
  for (const [option, text] of Object.entries(period))
    if (!/^[\w:.+-]+$/.test(text)) throw noDate(option, text);
  return period;
}

async function importFile(
  file: string | undefined,
  options: ImportOptions,
  terminal: ImportTerminal,
): Promise<void> {
  if (file === undefined) throw noFile();
  if (options.keyFile !== undefined && options.names === "keep") throw keyWithoutUse();
  const { accountingLines, importAccounting } = await import("../formats/slurm/index.ts");
  const { importSummary } = await import("./import-summary.ts");
  const lines = await accountingLines(file);
  const imported = importAccounting(lines, await rulesFor(file, options));
  await writeLines(imported.lines, options.output, terminal);
  const summary = importSummary(imported, options.output ?? "stdout");
  if (options.output === undefined) terminal.writeError(summary);
  else terminal.writeResult(summary);
}

async function rulesFor(file: string, options: ImportOptions): Promise<ImportRules> {
  const { disguiseWith, keyIn, undisguised } = await import("../formats/slurm/index.ts");
  const { since, until, zone, names, keyFile, site, lenient } = options;
  const key = keyFile === undefined ? undefined : await keyIn(keyFile);
  return {
    file,
    zone: zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...{ since, until, lenient },
    disguise: names === "keep" ? undisguised : disguiseWith(key),
    site: site === undefined ? undefined : await textOf(site),
  };
}

async function textOf(path: string): Promise<string> {
  const { accountingLines } = await import("../formats/slurm/index.ts");
  return (await accountingLines(path)).join("\n");
}

async function writeLines(
  lines: Iterable<string>,
  output: string | undefined,
  terminal: ImportTerminal,
): Promise<void> {
  if (output === undefined) {
    for (const block of blocksOf(lines)) await terminal.writeBytes("stdout", Buffer.from(block));
    return;
  }
  const { openSafeFile } = await import("../formats/index.ts");
  const target = await openSafeFile(output);
  try {
    for (const block of blocksOf(lines)) {
      target.write(block);
      await target.drained();
    }
    await target.commit();
  } finally {
    await target.abort();
  }
}

/** Writes many lines at a time: waiting for each costs more than writing it. */
function* blocksOf(lines: Iterable<string>): Generator<string> {
  let block: string[] = [];
  for (const line of lines) {
    if (block.push(line) < LINES_AT_ONCE) continue;
    yield block.join("");
    block = [];
  }
  yield block.join("");
}

/** Checks an end of the period, which becomes a word of a command line that the user runs. */
function noDate(option: string, text: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionValueNoInstant",
    what: `--${option}: "${text.slice(0, 40)}" is not a valid start or end of a period`,
    why: "it must be a date, or a date with a time, in a form that both sacct and stint accept",
    remedy: `write for instance --${option} 2026-03-01, or --${option} 2026-03-01T08:00:00`,
  });
}

function noFile(): Fault {
  return new Fault({
    kind: "badInput",
    code: "usage",
    what: "no file was given",
    why: "the accounting is the output of sacct, in a file or on stdin",
    remedy: "name the file, or - for stdin; --print-command prints the command that makes it",
  });
}

function keyWithoutUse(): Fault {
  return new Fault({
    kind: "badInput",
    code: "usage",
    what: "--key-file does not go with --names keep",
    why: "the key is for pseudonyms",
    remedy: "leave one of them out",
  });
}
