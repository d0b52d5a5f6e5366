/** `stint classad match JOB ADS…`: ranks the ads that match a job; of one ad, why it does or does not. */
import { Command } from "commander";
import { counted } from "../base/index.ts";
import type { ClassAdTools, RankedAd, SideAnswer } from "./classad-tools.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { factorValue, oneOf } from "./option-values.ts";
import { listValue } from "./output-forms.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { printable, textTable } from "./text-table.ts";

const FORMATS = ["text", "json"] as const;
const EXAMPLES = `
Examples:
  $ stint classad match job.jdl site.ad
  $ stint classad match job.jdl site.ad -o json
  $ condor_status -long > pool.ads; stint classad match job.jdl pool.ads
  $ stint classad match job.jdl east.ad west.ad --fuzzy 0.5

Two ads match if the Requirements of each are true when evaluated against the
other; an ad without Requirements accepts any other. If the Requirements are not
true, the clauses that prevent the match are shown. Rank is how much each ad
prefers the other; greater is better.

With more than one ad, those that match are listed by the job's Rank. Equal
ranks are in random order, seeded with the job's id: the order is the same every
time. With --fuzzy, or FuzzyRank = true in the job, the whole order is random,
with weights arctan((rank - mean) * factor) + pi/2.

Exit codes: 0 they match, or some do; 1 none matches; 2 an ad cannot be read.
`;

/** Command definition of `stint classad match FIRST SECOND`. */
export function classAdMatchCommand(load: () => Promise<ClassAdTools>, context: CommandContext): Command {
  return new Command("match")
    .summary("rank the ads that match a job")
    .description(
      "Ranks the ads that match a job. With a single ad, shows the Requirements and Rank of both sides.",
    )
    .argument("<job>", "a file with one ad, such as a job's")
    .argument("<ads...>", "files of ads in any form, such as the output of condor_status -long")
    .option("--job-id <id>", "id that decides between equal ranks (default: the job's own, or its file)")
    .option(
      "--fuzzy <factor>",
      "random order weighted by rank; a larger factor gives ranks more weight",
      factorValue("--fuzzy"),
    )
    .option("-o, --output <format>", FORMATS.join(" or "), oneOf("-o", FORMATS), "text")
    .addHelpText("after", EXAMPLES)
    .action(async (job: string, files: readonly string[], { output, jobId, fuzzy }: MatchOptions) => {
      const { terminal, endWith } = context;
      const { match } = await load();
      const order = {
        ...(jobId === undefined ? {} : { jobId }),
        ...(fuzzy === undefined ? {} : { fuzzyFactor: fuzzy }),
      };
      const answer = await match({ job, files, nowMs: terminal.nowMs(), ...order });
      if (answer.kind === "pair") {
        const { matches, sides } = answer;
        if (output === "json") terminal.writeResult(jsonText({ matches, sides }));
        else {
          terminal.writeResult(matches ? "they match\n" : "they do not match\n");
          for (const side of sides) terminal.writeResult(sideText(side));
        }
        if (!matches) endWith(EXIT_CODES.failed);
        return;
      }
      const { ads, ranked } = answer;
      if (output === "json") terminal.writeResult(jsonText(listValue(ranked)));
      else terminal.writeResult(`${ranked.length} of ${counted(ads, "ad")} match\n${rankedText(ranked)}`);
      if (ranked.length === 0) endWith(EXIT_CODES.failed);
    });
}

interface MatchOptions {
  readonly output: (typeof FORMATS)[number];
  readonly jobId?: string;
  readonly fuzzy?: number;
}

function rankedText(ranked: readonly RankedAd[]): string {
  if (ranked.length === 0) return "stint classad analyze shows which condition costs how many ads\n";
  const rows = ranked.map(({ ad, rank }) => [String(rank), ad]);
  return `\n${textTable([{ head: "RANK", align: "right" }, { head: "AD" }], rows, undefined)}`;
}

function sideText({ ad, requirements, rank, failing }: SideAnswer): string {
  const said = `${ad}: Requirements ${requirements.text}, Rank ${rank.text}`;
  const parts = failing.map(({ clause, value }) => `  ${clause} is ${value.text}`);
  return [said, ...parts].map((text) => `${printable(text)}\n`).join("");
}
