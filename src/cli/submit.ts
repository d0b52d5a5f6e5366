/** `stint submit FILE…`: reads all job descriptions, then submits them. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { Command } from "commander";
import type { JobSubmission } from "../api/client/index.ts";
import { asSubmitted } from "./as-submitted.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { oneOf } from "./option-values.ts";
import { problemFault, remarkPlace } from "./remark-text.ts";
import { EXIT_CODES, faultText } from "./report-fault.ts";
import { forWhom, reservationOf, ticketOf } from "./run.ts";

interface SubmitOptions {
  readonly ticket?: string;
  readonly vo?: string;
  readonly for?: string;
  readonly reservation?: string;
  readonly output: "table" | "json" | "name";
}

const FORMATS = ["table", "json", "name"] as const;
const EXAMPLES = `
Examples:
  $ stint submit job.yaml
  $ stint submit first.yaml second.yaml -o json
  $ stint submit job.yaml --vo cms/higgs
  $ ./make-jobs | stint submit - -o name | xargs stint status

Every file is read and checked before anything is sent; one mistake, and nothing is. A file may hold
several jobs, separated by lines of ---. See stint check for what a description means.
`;

/** Command definition of `stint submit FILE…`. */
export function submitCommand(context: CommandContext): Command {
  return new Command("submit")
    .summary("submit jobs from descriptions; prints their ids")
    .description("Submits the jobs described in YAML files, and prints their ids.")
    .argument("<file...>", "job descriptions; - is stdin")
    .option("--reservation <id>", "reservation to run in (default: as in each description)")
    .option("--ticket <ticket>", "ticket to run under: its file or its line")
    .option("--vo <path>", "VO, or a group in it, to run for: within yours")
    .option("--for <path>", "submit for a consumer, vo/group/user, where you may (admins: for all)")
    .option("-o, --output <format>", FORMATS.join(", "), oneOf("-o", FORMATS), "table")
    .addHelpText("after", EXAMPLES)
    .action(async (files: readonly string[], { output, ...options }: SubmitOptions) => {
      const descriptions = await readAll(files, context);
      if (descriptions === undefined) return;
      const client = await context.client();
      const placed = await reservationOf(options, client);
      const under = await ticketOf(options, context.terminal.directory);
      const narrowed = options.vo === undefined ? {} : { virtualOrganisation: options.vo };
      const all = { ...placed, ...under, ...narrowed };
      const submissions = descriptions.map((description) => ({ ...description, ...all }));
      const ids = await client.submit(submissions, { ...forWhom(options), idempotencyKey: randomUUID() });
      context.terminal.writeResult(
        output === "json" ? jsonText({ ids }) : ids.map((id) => `${id}\n`).join(""),
      );
    });
}

/** Jobs of all files; undefined where one has a problem, after all problems were reported. */
async function readAll(
  files: readonly string[],
  context: CommandContext,
): Promise<JobSubmission[] | undefined> {
  const { terminal, endWith } = context;
  const read = await context.readJobFile();
  const descriptions: JobSubmission[] = [];
  let problemCount = 0;
  for (const file of files) {
    const { jobs, warnings, problems } = await read(file);
    for (const warning of warnings) {
      const { what, remedy } = warning;
      terminal.writeError(`stint: warning: ${remarkPlace(file, warning)}: ${what}; ${remedy}\n`);
    }
    for (const problem of problems) terminal.writeError(faultText(problemFault(file, problem)));
    for (const { description } of jobs) {
      const inputSandbox = description.inputSandbox.map((path) => resolve(terminal.directory, path));
      descriptions.push({ ...asSubmitted(description), inputSandbox });
    }
    problemCount += problems.length;
  }
  if (problemCount === 0) return descriptions;
  terminal.writeError("stint: nothing was submitted\n");
  endWith(EXIT_CODES.badInput);
  return undefined;
}
