/**
 * Reads batch scripts: the directives become attributes, and the script itself is sent along and run.
 *
 * It runs in the directory from which it is submitted, as its writer expects. Each directive is told as
 * translated, without effect, or not translated; those that its batch system ignores as well.
 */
import { resolve } from "node:path";
import { nearestWord } from "../../base/index.ts";
import { sandboxName } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { type Account, beginAccount, beginJob, type JobDraft } from "../job-draft/index.ts";
import type { JobReading, JobSurroundings } from "../job-reading/index.ts";
import type { Words } from "../yaml/index.ts";
import type { Dialect } from "./dialect.ts";
import { DIALECTS } from "./dialects.ts";
import { type MarkedLine, markedLines } from "./marked-lines.ts";
import { type About, byName } from "./option-table.ts";
import { keywordIn, optionsIn, type WrittenOption } from "./read-options.ts";
import { wordsOf } from "./words.ts";

/** Reads a script; never throws on its content. */
export function readBatchScript(text: string, surroundings: JobSurroundings): JobReading {
  const account = beginAccount(text);
  const dialect = DIALECTS.find(({ mark }) => new RegExp(mark.source, "m").test(text));
  if (dialect === undefined) {
    account.notes.problem(0, noDirectives);
    return account.reading([]);
  }
  const lines = markedLines(text, dialect);
  for (const line of lines) {
    if (line.state !== "read") account.tell(line, { verdict: "noEffect", why: whyUnread(line, dialect) });
  }
  const read = lines.filter(({ state }) => state === "read");
  const steps = stepsOf(read, dialect, account);
  const jobs = steps.map((options) => jobOf(options, { text, dialect, account, surroundings }));
  const isSound = account.notes.problemCount() === 0;
  return account.reading(isSound ? jobs.filter((job) => job !== undefined) : []);
}

function whyUnread({ state }: MarkedLine, { system }: Dialect): string {
  if (state === "afterCommand") return `${system} ignores directives after the first command`;
  return `the script is read by its directives of ${system}`;
}

/** Options of each job; LoadLeveler's `queue` ends those of one. */
function stepsOf(lines: readonly MarkedLine[], dialect: Dialect, account: Account): WrittenOption[][] {
  const rows = byName(dialect.rows);
  if (dialect.style === "keyword") return keywordSteps(lines, rows, account);
  const options: WrittenOption[] = [];
  for (const { rest, restAt } of lines) {
    const words = wordsOf(rest, restAt);
    if ("openQuote" in words) account.notes.problem(words.openQuote, openQuote);
    else options.push(...optionsIn(words, dialect.style, rows));
  }
  return [options];
}

function keywordSteps(
  lines: readonly MarkedLine[],
  rows: Parameters<typeof keywordIn>[1],
  account: Account,
): WrittenOption[][] {
  const steps: WrittenOption[][] = [];
  let step: WrittenOption[] = [];
  for (const line of lines) {
    const option = keywordIn(line, rows);
    if (option.name !== "queue") step.push(option);
    else {
      account.tell({ at: line.at, written: line.written }, { verdict: "translated", becomes: "a job" });
      steps.push(step);
      // Keywords of a step hold for those after it.
      step = [...step];
    }
  }
  return steps.length === 0 ? [step] : steps;
}

interface Frame {
  readonly text: string;
  readonly dialect: Dialect;
  readonly account: Account;
  readonly surroundings: JobSurroundings;
}

function jobOf(options: readonly WrittenOption[], frame: Frame) {
  const { dialect, account, surroundings } = frame;
  const { file } = surroundings;
  if (file === undefined) {
    account.notes.problem(0, noFile);
    return undefined;
  }
  const draft = beginJob(account);
  const about = aboutOf(options, frame);
  for (const option of options) take(option, about, { ...frame, draft });
  const path = resolve(file);
  const name = sandboxName(path);
  // Batch systems give a script without #! to a shell.
  const started = frame.text.startsWith("#!")
    ? { executable: name }
    : { executable: "sh", arguments: [name] };
  const script = { ...started, inputSandbox: [path] };
  return draft.finished({
    at: 0,
    usual: {
      ...(draft.said().executable === undefined && script),
      workingDirectory: about.submitDirectory,
      ...dialect.usual(about),
    },
    sized: ({ procs }, { procsPerTask, nodes }) => ({
      environment: dialect.variables({ name: about.jobName, procs, procsPerTask, nodes }, about),
    }),
  });
}

function aboutOf(options: readonly WrittenOption[], { dialect, surroundings }: Frame): About {
  const given = new Map<string, string>();
  for (const { row, value } of options) if (row !== undefined) given.set(row.names[0], value);
  const { file = "" } = surroundings;
  return {
    surroundings,
    submitDirectory: process.cwd(),
    // LSF writes the indexes of an array behind the name.
    jobName: given.get(dialect.nameOption)?.replace(/\[.*$/s, "") || sandboxName(file),
    given,
  };
}

function take(option: WrittenOption, about: About, frame: Frame & { readonly draft: JobDraft }): void {
  const { text, account, dialect, draft } = frame;
  const { row, at, end, name, value, fault, isGrouped = false } = option;
  const written = isGrouped ? `${name} ${value}`.trim() : text.slice(at, end);
  const directive = { at, written: `${dialect.label} ${written}` };
  if (fault !== undefined) account.refuse(directive, faultWords(option, dialect));
  else if (row !== undefined) draft.take(directive, row.read(value, about));
  else {
    const nearest = nearestWord(name, [...byName(dialect.rows).keys()]);
    const remedy = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    const why = `${echoText(name)} is not an option of ${dialect.system} that Stint knows${remedy}`;
    draft.take(directive, { kind: "notTranslated", why });
  }
}

function faultWords({ name, fault }: WrittenOption, { system }: Dialect): Words {
  const what = `${echoText(name)} was not understood`;
  if (fault === "noValue") {
    return { code: "directiveWrong", what, why: "its value is missing", remedy: "write the value after it" };
  }
  if (fault === "strayValue") {
    return { code: "directiveWrong", what, why: "it takes no value", remedy: "remove the value" };
  }
  const why = fault === "ambiguous" ? "several options begin so" : `${system} has options alone here`;
  const remedy = fault === "ambiguous" ? "write the whole name" : "begin options with -, and comments with #";
  return { code: "directiveWrong", what, why, remedy };
}

const noDirectives: Words = {
  code: "noDirectives",
  what: "the script has no directives",
  why: "none of its lines begins with #SBATCH, #PBS, #MSUB, #$, #BSUB or # @",
  remedy: "submit it as a script: stint submit SCRIPT",
};

const noFile: Words = {
  code: "scriptWithoutFile",
  what: "a batch script is read only from a file",
  why: "the job needs the script file, and only its text was given",
  remedy: "save it, then stint submit SCRIPT",
};

const openQuote: Words = {
  code: "openQuote",
  what: "a quote is not closed",
  why: "words of a directive are grouped by quotes, as in a shell",
  remedy: "close it on the same line",
};
