/** Values common to several languages: times, sizes, counts, names of files. */
import { basename, isAbsolute, join, normalize } from "node:path";
import { sandboxName } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import type { JobSurroundings } from "../job-reading/index.ts";
import { type FileState, UNREADABLE } from "../yaml/index.ts";
import { type Outcome, sets, wrong } from "./outcome.ts";

const SECOND = 1000;

/** Milliseconds of `[[[dd:]hh:]mm:]ss`, with decimals of seconds left out; undefined where it is none. */
export function clockMs(text: string): number | undefined {
  if (!/^\d{1,9}(:\d{1,9}){0,3}(\.\d{1,9})?$/.test(text)) return undefined;
  const parts = text
    .replace(/\.\d+$/, "")
    .split(":")
    .map(Number);
  const weights = [1, 60, 3600, 86_400].slice(0, parts.length).reverse();
  return parts.reduce((sum, part, at) => sum + part * weights[at] * SECOND, 0);
}

/** Milliseconds of `[hh:]mm`; undefined where it is none. */
export function minutesMs(text: string): number | undefined {
  return /^\d{1,9}(:\d{1,9})?$/.test(text) ? (clockMs(text) ?? 0) * 60 : undefined;
}

const POWERS = "bkmgtp";

/**
 * Bytes of a number with a unit, `4G`, `4gb`, `1.5 GB`; every unit is 1024-based, `w` counts words of 8
 * bytes. Undefined where it is none, is 0, or is too large.
 *
 * @param unit the unit of a plain number
 */
export function sizeIn(text: string, unit: "b" | "k" | "m" | "g"): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,9})?) ?([a-z]?)(i?[bw])?$/.exec(text.trim().toLowerCase());
  if (match === null) return undefined;
  const [, number, letter, ending = ""] = match;
  const isWord = letter === "w" || ending.endsWith("w");
  const written = letter === "" && ending === "" ? unit : letter;
  const power = written === "w" || written === "" ? 0 : POWERS.indexOf(written);
  if (power === -1) return undefined;
  const bytes = Math.ceil(Number(number) * 1024 ** power * (isWord ? 8 : 1));
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** A whole number of 1 to 999,999,999; undefined for anything else. */
export function countIn(text: string): number | undefined {
  return /^0*[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) : undefined;
}

/** Outcome of a length of time as the job's limit; undefined is one that was not understood. */
export function limitOutcome(ms: number | undefined, example: string): Outcome {
  if (ms === undefined || !Number.isSafeInteger(ms)) {
    return wrong("it is not a length of time", `write for instance ${example}`);
  }
  if (ms === 0) return wrong("a job that may run for no time cannot run", `write for instance ${example}`);
  return sets({ wallTimeMs: ms });
}

/** Outcome of the file that takes a stream: a name in the job's directory. */
export function streamOutcome(words: readonly ("stdOutput" | "stdError")[], path: string): Outcome {
  const name = basename(path);
  if (path === "/dev/null") {
    return sets(
      named(words, "null"),
      "it is kept in a file of the job's directory, which nobody has to fetch",
    );
  }
  if (name === "" || name === "." || name === ".." || /\p{Cc}/u.test(name)) {
    return wrong(`${echoText(path)} names no file`, "write the name of a file, for instance result.txt");
  }
  const why = "output files are in the job's own directory, from which stint output brings them";
  return name === path ? sets(named(words, name)) : sets(named(words, name), why);
}

function named(words: readonly ("stdOutput" | "stdError")[], name: string) {
  return Object.fromEntries(words.map((word) => [word, name]));
}

const REMEDIES: Readonly<Record<Exclude<FileState, "readable">, string>> = {
  missing: "check the name; relative paths begin at the description's folder",
  directory: "name the files in it, or pack it with tar",
  notReadable: "ask its owner for read permission, or use a copy of your own",
};

/** Files that go with the job: their paths, or why they cannot. */
export function sentFiles(
  text: string,
  { folder, fileState, expandInput }: JobSurroundings,
): { readonly paths: readonly string[] } | { readonly outcome: Outcome } {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    const why = `${echoText(text)} is an address, and only files of this machine are sent with the job`;
    return { outcome: wrong(why, "fetch it first and name the file, or let the job fetch it") };
  }
  const path = isAbsolute(text) ? normalize(text) : join(folder, text);
  const state = text === "" ? "missing" : fileState(path);
  if (state === "readable") return { paths: [path] };
  if (text !== "" && (state === "directory" || /[*?]/.test(text))) {
    const files = expandInput?.(text, folder);
    if (files?.ok) return { paths: files.value };
    if (files !== undefined) return { outcome: wrong(files.refusal.why, files.refusal.remedy) };
  }
  const place = `looked for at ${echoText(path)}`;
  const why = `${echoText(text)} cannot be sent with the job: ${UNREADABLE[state]}, ${place}`;
  return { outcome: wrong(why, REMEDIES[state]) };
}

/** Outcome of a standard input: the file goes with the job. */
export function inputOutcome(text: string, surroundings: JobSurroundings): Outcome {
  const sent = sentFiles(text, surroundings);
  if ("outcome" in sent) return sent.outcome;
  const [path = ""] = sent.paths;
  return sets({ stdInput: sandboxName(path), inputSandbox: [path] });
}

/** Outcome of a program of RSL or JSDL, where an absolute path is one at the site. */
export function siteExecutableOutcome(text: string, surroundings: JobSurroundings): Outcome {
  const isThere = isAbsolute(text) && !text.endsWith("/") && !/\p{Cc}/u.test(text);
  return isThere ? sets({ executable: text }) : executableOutcome(text, surroundings);
}

/** Outcome of a program: a file that goes along, an absolute path at the site, or a name on its path. */
export function executableOutcome(text: string, surroundings: JobSurroundings): Outcome {
  if (text === "" || text.endsWith("/") || /\p{Cc}/u.test(text)) {
    return wrong("it names no program", "write its name or path");
  }
  const sent = sentFiles(text, surroundings);
  if ("paths" in sent && sent.paths.length === 1) {
    return sets({ executable: sandboxName(sent.paths[0]), inputSandbox: sent.paths });
  }
  if (isAbsolute(text)) return sets({ executable: text }, "it is not here, and has to be at the site");
  if (!text.includes("/"))
    return sets({ executable: text }, "it is not here, and is looked for on the site's path");
  return "outcome" in sent ? sent.outcome : wrong("it is a directory", "name the program in it");
}
