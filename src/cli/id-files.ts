/**
 * Files of job ids: `--ids-to FILE` of commands that submit writes them, `--ids FILE` of commands that take
 * ids stands for those in the file.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { Fault, messageOf } from "../base/index.ts";

/** Most ids for one command: they become words of its line, of which not many more can be passed on. */
const MOST_IDS = 100_000;

/** Adds `--ids-to FILE` to a command that submits. */
export function withIdsTo(command: Command): Command {
  return command.option("--ids-to <file>", "file to append the ids to; --ids reads it");
}

/** Makes the file of ids where there is none. @throws Fault `idsNotWritable`, with nothing submitted yet */
export function demandIdsFile(directory: string, file: string | undefined): void {
  if (file === undefined) return;
  try {
    appendFileSync(resolve(directory, file), "");
  } catch (error) {
    throw new Fault({
      ...{ kind: "badInput", code: "idsNotWritable", what: `--ids-to: ${file} cannot be written` },
      ...{ why: messageOf(error), remedy: "name a file that you may write; nothing was submitted" },
    });
  }
}

/**
 * Appends ids to a file, one a line. @throws Fault `idsNotWritten` that names the ids: their jobs are
 * submitted
 */
export function appendIds(directory: string, file: string | undefined, ids: readonly string[]): void {
  if (file === undefined) return;
  try {
    appendFileSync(resolve(directory, file), ids.map((id) => `${id}\n`).join(""));
  } catch (error) {
    throw new Fault({
      kind: "failed",
      code: "idsNotWritten",
      what: `the ids of submitted jobs cannot be written to ${file}`,
      why: messageOf(error),
      remedy: `the jobs are submitted: ${ids.slice(0, 20).join(" ")}${ids.length > 20 ? " …" : ""}`,
    });
  }
}

const NOT_OPTIONS = "ids begin with a letter or a digit";

/** Adds `--ids FILE` to the command and its subcommands, where they take ids. */
export function offerIdFiles(command: Command): void {
  if (takesIds(command)) {
    command.addOption(
      new Option(
        "--ids <file>",
        "also read ids from this file, one per line; FILE:3-7 reads the 3rd to the 7th",
      ),
    );
  }
  for (const below of command.commands) offerIdFiles(below);
}

function takesIds(command: Command): boolean {
  return command.registeredArguments.some((argument) => argument.name() === "id");
}

/**
 * Command line in which the ids of the file replace `--ids FILE`; unchanged for a command that takes no ids.
 *
 * @throws Fault `noIdFile`, `idsWithoutFile`, `badIdRange`, `noIdsInFile`, `notAnId` or `tooManyIds`
 */
export function withIdsOfFiles(
  words: readonly string[],
  command: Command,
  directory: string,
): readonly string[] {
  if (!takesIds(command)) return words;
  const expanded: string[] = [];
  let count = 0;
  const take = (file: string | undefined): void => {
    const ids = idsOf(file, directory);
    count += ids.length;
    if (count > MOST_IDS) throw tooMany(count);
    expanded.push(...ids);
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") return [...expanded, ...words.slice(at)];
    const [, inline] = /^--ids=(.*)$/s.exec(word) ?? [];
    if (inline !== undefined) take(inline);
    else if (word !== "--ids") expanded.push(word);
    else take(words[++at]);
  }
  return expanded;
}

function idsOf(file: string | undefined, directory: string): readonly string[] {
  if (file === undefined || file === "")
    throw wrong("idsWithoutFile", "--ids names no file", "a file follows it");
  const [, path = file, range] = /^(.+):([\d,-]+)$/.exec(file) ?? [];
  const all = idsIn(textOf(path, directory));
  const ids = range === undefined ? all : ranged(all, range, path);
  if (ids.length === 0)
    throw wrong("noIdsInFile", `${path} has no ids`, "a file of ids has one on each line");
  const option = ids.find((id) => id.startsWith("-"));
  if (option !== undefined) throw wrong("notAnId", `--ids: ${option} in ${path} is not an id`, NOT_OPTIONS);
  return ids;
}

function textOf(path: string, directory: string): string {
  try {
    return readFileSync(path === "-" ? 0 : resolve(directory, path), "utf8");
  } catch (error) {
    throw wrong("noIdFile", `--ids: ${path} cannot be read`, messageOf(error));
  }
}

/** Ids in the output of `stint submit`: the first word of each line, or the field `ids` of its JSON. */
function idsIn(text: string): readonly string[] {
  return text.trimStart().startsWith("{") ? idsOfJson(text) : idsOfLines(text);
}

function tooMany(count: number): Fault {
  return wrong("tooManyIds", `--ids names ${count} ids`, `one command takes at most ${MOST_IDS} from files`);
}

function idsOfLines(text: string): readonly string[] {
  const firsts = text.split("\n").map((line) => line.trim().split(/\s+/)[0] ?? "");
  return firsts.filter((word) => word !== "" && !word.startsWith("#"));
}

function idsOfJson(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong("noIdsInFile", "--ids: the file is not valid JSON", messageOf(error));
  }
  const ids: unknown = typeof value === "object" && value !== null && "ids" in value ? value.ids : undefined;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/** Ids at these positions, counted from 1: `3`, `3-7`, `3-` or `1,4-6`. */
function ranged(ids: readonly string[], range: string, path: string): readonly string[] {
  return range.split(",").flatMap((part) => {
    const [from = "", to = from] = /^\d+(-\d*)?$/.test(part) ? part.split("-") : [];
    const first = Number(from);
    const last = to === "" ? ids.length : Number(to);
    if (from === "" || first < 1 || last < first || last > ids.length) {
      throw wrong(
        "badIdRange",
        `--ids: ${part} is not a range of the ids in ${path}`,
        `it has ${ids.length}, numbered from 1`,
      );
    }
    return ids.slice(first - 1, last);
  });
}

function wrong(code: string, what: string, why: string): Fault {
  const remedy = "write for instance --ids jobs.txt, or --ids jobs.txt:3-7 for the third to the seventh";
  return new Fault({ kind: "badInput", code, what, why, remedy });
}
