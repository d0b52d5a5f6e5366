/**
 * Reads HTCondor submit files: each `queue` statement gives jobs of the commands before it.
 *
 * A command holds until it is given again, also for later statements. Jobs that do not differ are an array.
 */
import { isAbsolute, join } from "node:path";
import { nearestWord } from "../../base/index.ts";
import { echoText } from "../echo-text.ts";
import { type Account, beginAccount, beginJob, notTranslated } from "../job-draft/index.ts";
import type { DescribedJob, JobReading, JobSurroundings } from "../job-reading/index.ts";
import type { Words } from "../yaml/index.ts";
import { type Blocks, conditionTruth, counts, takeBlock } from "./blocks.ts";
import { COMMANDS } from "./commands.ts";
import { type SubmitLine, submitLines } from "./lines.ts";
import { expand } from "./macros.ts";
import { type QueueFiles, readQueue } from "./queue.ts";

/** Largest number of jobs of a file, besides those of arrays. */
const MOST_JOBS = 10_000;

/** A command as it was last given. */
interface Command {
  readonly at: number;
  readonly written: string;
  readonly value: string;
}

/** State of the reading. */
interface Course {
  readonly account: Account;
  readonly files: QueueFiles;
  readonly environment: (name: string) => string | undefined;
  readonly commands: Map<string, Command>;
  readonly jobs: DescribedJob[];
  /** Every assignment, so that those without effect are told. */
  readonly assigned: Command[];
  /** Names that are mentioned as macros. */
  readonly mentioned: ReadonlySet<string>;
  readonly variables: ReadonlyMap<string, string>;
  process: number;
}

/** Dependencies for reading a submit file. */
interface SubmitWorld extends Pick<QueueFiles, "linesOf"> {
  /** Macros that a DAG sets, by their names in small letters; they take precedence over those of the file. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Reads a submit file; never throws. */
export function readSubmitFile(
  text: string,
  surroundings: JobSurroundings,
  { linesOf, variables }: SubmitWorld,
): JobReading {
  const account = beginAccount(text);
  const mentioned = new Set(
    [...text.matchAll(/\$[A-Za-z]*\(\s*([\w.]+)/g)].map(([, name]) => name.toLowerCase()),
  );
  const course: Course = {
    account,
    files: { linesOf, surroundings },
    environment: (name) => process.env[name],
    ...{ commands: new Map(), jobs: [], assigned: [], mentioned, variables, process: 0 },
  };
  const lines = submitLines(text);
  const blocks: Blocks = [];
  let queueAt: number | undefined;
  for (let index = 0; index < lines.length; ) {
    const line = lines[index];
    if (takenAsBlock(line, blocks, course)) index++;
    else if (!counts(blocks)) {
      account.tell(written(line), {
        verdict: "noEffect",
        why: "the line is skipped: its condition is false",
      });
      index++;
    } else if (/^queue(\s|$)/i.test(line.text) && !/^queue\s*=/i.test(line.text)) {
      queueAt = line.at;
      index += queued(lines, index, course);
    } else {
      assign(line, course);
      index++;
    }
  }
  if (blocks.length > 0) account.notes.problem(text.length, openIf);
  if (queueAt === undefined) account.notes.problem(text.length, noQueue);
  else if (course.jobs.length === 0 && account.notes.problemCount() === 0) {
    account.notes.problem(queueAt, nothingQueued);
  }
  for (const command of course.assigned) {
    if (account.knows(command)) continue;
    account.tell(command, {
      verdict: "noEffect",
      why: "no queue statement follows before it is given again",
    });
  }
  return account.reading(account.notes.problemCount() === 0 ? course.jobs : []);
}

function written({ at, text }: SubmitLine) {
  return { at, written: text };
}

function macrosOf({ commands, process }: Course, more: readonly (readonly [string, string])[] = []) {
  const own = { process, procid: process, cluster: 1, clusterid: 1 };
  return new Map([
    ...[...commands].map(([name, { value }]) => [name, value] as const),
    ...Object.entries(own).map(([name, value]) => [name, String(value)] as const),
    ...more.map(([name, value]) => [name.toLowerCase(), value] as const),
  ]);
}

/** True where the line is about `if` blocks, or may not be there. */
function takenAsBlock(line: SubmitLine, blocks: Blocks, course: Course): boolean {
  const { account, environment } = course;
  const truth = (condition: string): boolean | undefined => {
    const macros = macrosOf(course);
    const expanded = expand(condition, { macros, environment });
    return "fault" in expanded ? undefined : conditionTruth(expanded.text, macros);
  };
  const taken = takeBlock(line.text, blocks, truth);
  if (taken === false) return false;
  if (taken === true) account.tell(written(line), { verdict: "translated", becomes: "a choice of lines" });
  else account.refuse(written(line), { ...badLine(line), why: taken });
  return true;
}

const ASSIGNMENT = /^(\+|my\.)?([A-Za-z_][\w.]*)\s*=\s*(.*)$/is;

/** Takes `name = value`, `+Attribute = expression` and statements that are not. */
function assign(line: SubmitLine, { account, commands, assigned }: Course): void {
  const match = ASSIGNMENT.exec(line.text);
  if (match === null) {
    if (/^include\b/i.test(line.text)) account.refuse(written(line), noInclude);
    else if (/^use\b/i.test(line.text))
      account.tell(written(line), { verdict: "notTranslated", why: NO_TEMPLATES });
    else if (/^(error|warning)\b/i.test(line.text)) {
      const isError = /^error/i.test(line.text);
      if (isError)
        account.refuse(written(line), { ...badLine(line), why: "the file has an error statement here" });
      else account.tell(written(line), { verdict: "noEffect", why: "it is a message" });
    } else account.refuse(written(line), badLine(line));
    return;
  }
  const [, mark, name, value = ""] = match;
  const key = mark === undefined ? name.toLowerCase() : `my.${name.toLowerCase()}`;
  // A macro that names itself means what it was before.
  const before = commands.get(key)?.value ?? "";
  const own = new RegExp(`\\$\\(\\s*${name.replaceAll(".", "\\.")}\\s*(?::[^()]*)?\\)`, "gi");
  const whole = value.replace(own, () => before);
  const command = { ...written(line), value: whole.length > 65_536 ? value : whole };
  commands.set(key, command);
  assigned.push(command);
}

/** Takes what a DAG sets, as if it stood before the queue statement. */
function takeVariables({ at }: SubmitLine, { commands, mentioned, variables }: Course): void {
  for (const [name, value] of variables) {
    const isUsed = COMMANDS.has(name) || mentioned.has(name) || name.startsWith("my.");
    if (isUsed) commands.set(name, { at, written: `${name} = ${value}`, value });
  }
}

/** Takes a queue statement; the number of its lines. */
function queued(lines: readonly SubmitLine[], index: number, course: Course): number {
  const { account, files, environment } = course;
  const line = lines[index];
  takeVariables(line, course);
  const macros = macrosOf(course);
  const expanded = expand(line.text, { macros, environment });
  if ("fault" in expanded) {
    account.refuse(written(line), { ...badLine(line), why: expanded.fault });
    return 1;
  }
  const queue = readQueue(
    [...lines.slice(0, index), { ...line, text: expanded.text }, ...lines.slice(index + 1)],
    index,
    files,
  );
  if (typeof queue === "string") {
    account.refuse(written(line), { ...badLine(line), why: queue });
    return 1;
  }
  const rows = queue.rows ?? [[]];
  if (rows.length * queue.count > MOST_JOBS && queue.rows !== undefined) {
    account.refuse(written(line), tooMany);
    return queue.lines;
  }
  const begun = course.jobs.length;
  for (const [row, values] of rows.entries()) {
    const named = queue.variables.map((name, at) => [name, values[at] ?? ""] as const);
    queueRow(line, { count: queue.count, named, row }, course);
    if (account.notes.problemCount() > 0) break;
  }
  const count = course.jobs.length - begun;
  const isArray = course.jobs.slice(begun).some(({ description }) => description.array !== undefined);
  const becomes = isArray ? "an array of jobs" : `${count} ${count === 1 ? "job" : "jobs"}; $(Cluster) is 1`;
  if (!account.knows(written(line))) account.tell(written(line), { verdict: "translated", becomes });
  return queue.lines;
}

interface Row {
  readonly count: number;
  readonly named: readonly (readonly [string, string])[];
  readonly row: number;
}

/** Jobs of one row: an array where they do not differ. */
function queueRow(line: SubmitLine, { count, named, row }: Row, course: Course): void {
  const first = course.process;
  const jobAt = (step: number): DescribedJob | undefined => {
    course.process = first + step;
    const steps = [
      ["step", String(step)],
      ["row", String(row)],
      ["itemindex", String(row)],
    ] as const;
    return jobOf(line, [...named, ...steps], course);
  };
  const jobs = Array.from({ length: Math.min(count, 2) }, (_, step) => jobAt(step)).filter(
    (job) => job !== undefined,
  );
  course.process = first + count;
  const [one, other] = jobs;
  if (one === undefined) return;
  if (count > 1 && JSON.stringify(one) === JSON.stringify(other)) {
    const limit = course.commands.get("max_materialize")?.value.trim() ?? "";
    const array = `${first}-${first + count - 1}${/^[1-9]\d{0,8}$/.test(limit) ? `%${limit}` : ""}`;
    if (count > 100_000) course.account.refuse(written(line), tooMany);
    course.jobs.push({ ...one, description: { ...one.description, array } });
    return;
  }
  if (course.jobs.length + count > MOST_JOBS) {
    course.account.refuse(written(line), tooMany);
    return;
  }
  course.jobs.push(...jobs);
  for (let step = 2; step < count && course.account.notes.problemCount() === 0; step++) {
    const job = jobAt(step);
    if (job !== undefined) course.jobs.push(job);
  }
  course.process = first + count;
}

/** One job, of the commands as they are now. */
function jobOf(
  line: SubmitLine,
  named: readonly (readonly [string, string])[],
  course: Course,
): DescribedJob | undefined {
  const { account, commands, environment, files, mentioned } = course;
  const macros = macrosOf(course, named);
  const given = new Map<string, string>();
  for (const [name, command] of commands) {
    const expanded = expand(command.value, { macros, environment });
    if ("text" in expanded) given.set(name, expanded.text.trim());
    else account.refuse(command, { ...badCommand(command), why: expanded.fault });
  }
  const own = files.surroundings;
  const begin = given.get("initialdir") ?? given.get("initial_dir") ?? "";
  const folder = isAbsolute(begin) ? begin : join(own.folder, begin);
  const draft = beginJob(account);
  for (const [name, value] of given) {
    const command = commands.get(name);
    if (command === undefined) continue;
    const read = COMMANDS.get(name);
    if (name.startsWith("my.")) draft.take(command, attributeOutcome(command, value));
    else if (read !== undefined)
      draft.take(command, read(value, { surroundings: { ...own, folder }, own, given }));
    else if (mentioned.has(name)) draft.take(command, { kind: "translated", becomes: `$(${name})` });
    else draft.take(command, unknown(name));
  }
  return draft.finished({ at: line.at, usual: {} });
}

/** `+Attribute = expression`. */
function attributeOutcome({ written: text }: Command, value: string) {
  const name = /^(?:\+|my\.)\s*([\w.]+)/i.exec(text)?.[1] ?? "";
  return { kind: "translated", sets: { attributes: { [name]: value } } } as const;
}

function unknown(name: string) {
  const nearest = nearestWord(name, [...COMMANDS.keys()]);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  return notTranslated(`${echoText(name)} is not a command that Stint knows${hint}`);
}

const NO_TEMPLATES = "templates belong to one installation of HTCondor: write what it stands for";

function badLine({ text }: SubmitLine): Words {
  return {
    code: "submitLine",
    what: `${echoText(text)} was not understood`,
    why: "a line is NAME = value, a queue statement, or if, elif, else or endif",
    remedy: "correct it, or take it out",
  };
}

function badCommand({ written: text }: Command): Words {
  return {
    code: "macroWrong",
    what: `the macros of ${echoText(text)} cannot be replaced`,
    why: "",
    remedy: "write the value itself, or take the macro out of its own value",
  };
}

const noInclude: Words = {
  code: "includeRefused",
  what: "include is not supported",
  why: "a description must be a single file, so that the file that is checked is what is submitted",
  remedy: "copy the lines of that file here",
};

const openIf: Words = {
  code: "openIf",
  what: "an if is not closed",
  why: "the file ends before its endif",
  remedy: "write endif after its last line",
};

const noQueue: Words = {
  code: "noQueue",
  what: "there is no job in it",
  why: "a submit file submits jobs by queue statements, and none of its lines is one",
  remedy: "write queue as the last line",
};

const nothingQueued: Words = {
  code: "nothingQueued",
  what: "there is no job in it",
  why: "its queue statements submit none: each has a count of 0 or an empty list",
  remedy: "write for instance queue, queue 4, or queue name in (a, b)",
};

const tooMany: Words = {
  code: "tooManyJobs",
  what: "there are too many jobs",
  why: `a file has at most ${MOST_JOBS} jobs that differ, and an array at most 100000`,
  remedy: "split the file, or let jobs find what differs by their index",
};
