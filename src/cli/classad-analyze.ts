/** `stint classad analyze JOB ADS…`: shows which condition of a match costs how many ads. */
import { Command } from "commander";
import { counted } from "../base/index.ts";
import type { AdAnalysis, ClassAdTools } from "./classad-tools.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { type Column, printable, textTable } from "./text-table.ts";

const FORMATS = ["table", "json"] as const;
const EXAMPLES = `
Examples:
  $ condor_status -long > pool.ads; stint classad analyze job.jdl pool.ads
  $ stint classad analyze job.jdl east.ad west.ad -o json

Two ads match if the Requirements of each are true. The conditions are the
clauses that these join by &&, including those behind names such as START of a
machine. The table shows for each:

  BY    whose condition it is: the job's, or the ads'
  ALONE ads that fulfil this condition, of those to which it applies
  LEFT  ads that fulfil it and all conditions above it
  ONLY  ads that would match but for this condition

Below the table are conditions that exclude each other, attributes that no ad
defines, and changes to the job. Each change has been tried: +N is the number of
additional ads that match with it.

Exit codes: 0 at least one ad matches, 1 none does, 2 an ad cannot be read.
`;

/** Command definition of `stint classad analyze JOB ADS…`. */
export function classAdAnalyzeCommand(load: () => Promise<ClassAdTools>, context: CommandContext): Command {
  return new Command("analyze")
    .summary("show how many ads each condition excludes")
    .description(
      "Shows how many ads fulfil each condition of a match, and which changes make more ads match.",
    )
    .argument("<job>", "a file with one ad, such as a job's")
    .argument("<ads...>", "files of ads in any form, such as the output of condor_status -long")
    .option("-o, --output <format>", FORMATS.join(" or "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(
      async (job: string, files: readonly string[], { output }: { output: (typeof FORMATS)[number] }) => {
        const { terminal, endWith } = context;
        const { analyze } = await load();
        const analysis = await analyze({ job, files, nowMs: terminal.nowMs() });
        terminal.writeResult(output === "json" ? jsonText(recordOf(analysis)) : textOf(analysis));
        if (analysis.matching === 0) endWith(EXIT_CODES.failed);
      },
    );
}

const COLUMNS: readonly Column[] = [
  { head: "#", align: "right" },
  { head: "BY" },
  { head: "ALONE", align: "right" },
  { head: "LEFT", align: "right" },
  { head: "ONLY", align: "right" },
  { head: "CONDITION" },
];

function textOf(analysis: AdAnalysis): string {
  const { ads, matching, conditions, exclusions, absent, changes } = analysis;
  const rows = conditions.map(({ side, alone, asked, cumulative, only, text, through }, at) => [
    ...[String(at + 1), sideWord(side), `${alone}/${asked}`, String(cumulative), String(only)],
    [...through, text].join(": "),
  ]);
  const table = rows.length === 0 ? "" : `\n${textTable(COLUMNS, rows, undefined)}`;
  const excluding = exclusions.map(({ first, second }) => `no ad meets both ${first + 1} and ${second + 1}`);
  const nobody = absent.map(({ name, side, conditions: asking, similar }) => {
    const who = side === "ad" ? "the job lacks" : "no ad has";
    const meant = similar === undefined ? "" : `; is ${similar} meant?`;
    return `${who} ${name}, which ${asking.map((at) => at + 1).join(", ")} looks up${meant}`;
  });
  const proposals = changes.map((change) => `+${change.wins}  ${change.parts.map(partText).join(", and ")}`);
  return [
    `${matching} of ${counted(ads, "ad")} match\n${table}`,
    ...[excluding, nobody, proposals].map((lines) => linesOf(lines)),
  ].join("");
}

function linesOf(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `\n${lines.map((line) => `${printable(line)}\n`).join("")}`;
}

function sideWord(side: "ad" | "row"): "job" | "ads" {
  return side === "ad" ? "job" : "ads";
}

function partText(part: AdAnalysis["changes"][number]["parts"][number]): string {
  switch (part.kind) {
    case "attribute":
      return part.from === "undefined"
        ? `give the job ${part.name} = ${part.to}`
        : `change ${part.name} from ${part.from} to ${part.to}`;
    case "condition":
      return `change condition ${part.condition + 1} to ${part.to}`;
    case "removal":
      return `leave out condition ${part.condition + 1}`;
  }
}

/** The analysis for JSON: conditions have their number from 1, and everything refers to that. */
function recordOf({ ads, matching, conditions, exclusions, absent, changes }: AdAnalysis) {
  const numbered = (parts: AdAnalysis["changes"][number]["parts"]) =>
    parts.map((part) => ("condition" in part ? { ...part, condition: part.condition + 1 } : part));
  return {
    ads,
    matching,
    conditions: conditions.map(({ verdicts: _, side, ...rest }, at) => {
      return { number: at + 1, by: sideWord(side), ...rest };
    }),
    exclusions: exclusions.map(({ first, second }) => [first + 1, second + 1]),
    absent: absent.map(({ side, conditions: asking, ...rest }) => {
      return { ...rest, of: sideWord(side), conditions: asking.map((at) => at + 1) };
    }),
    changes: changes.map(({ parts, ...rest }) => ({ ...rest, parts: numbered(parts) })),
  };
}
