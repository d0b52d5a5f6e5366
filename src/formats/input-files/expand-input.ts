/**
 * Directories and patterns among the files to send along, expanded where they are.
 *
 * A directory is sent as `cp -r` copies it: under its name, `.` without one. What a pattern matches keeps its
 * path from the first part with a pattern on: `run?/in.dat` gives `run1/in.dat`. Links are not followed but
 * refused, as is a tree without a file: a job would miss what its user believes to be sent.
 */
import { statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { accepted, Fault, messageOf, type Result, refused } from "../../base/index.ts";
import { sandboxPath } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import type { Words } from "../yaml/index.ts";
import { isPattern, patternExpression } from "./path-pattern.ts";
import { walk } from "./walk.ts";

/** Limits of one expansion: files that are sent, and entries that are looked at. */
const MOST_FILES = 10_000;
const MOST_ENTRIES = 200_000;

/**
 * Paths of the files that a text names, ordered by name; relative texts begin at `folder`. A path that is
 * neither a directory nor a pattern is given as it is, whether or not it exists.
 */
export function expandInput(text: string, folder: string): Result<readonly string[], Words> {
  try {
    return accepted(filesOf(text, folder));
  } catch (error) {
    if (error instanceof Fault) return refused(error);
    const why = messageOf(error);
    return refused(cannotSend(text, why, "check that you may read all directories in it"));
  }
}

/** Expands what options name. @throws Fault with the reason where it cannot be sent */
export function expandedInputs(texts: readonly string[], directory: string): readonly string[] {
  return texts.flatMap((text) => {
    const files = expandInput(text, directory);
    if (files.ok) return files.value;
    const { code, what, why, remedy } = files.refusal;
    throw new Fault({ kind: "badInput", code, what, why, remedy });
  });
}

/** Absolute path of a file of the input sandbox; its name in the job's directory stays. */
export function absoluteInput(directory: string, path: string): string {
  const at = path.lastIndexOf("/./");
  if (at === -1) return resolve(directory, path);
  return sandboxPath(resolve(directory, path.slice(0, at) || "/"), path.slice(at + 3));
}

function filesOf(text: string, folder: string): readonly string[] {
  const joined = isAbsolute(text) ? normalize(text) : join(folder, text);
  const path = joined.length > 1 ? joined.replace(/\/$/, "") : joined;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined && isPattern(text)) return matchesOf(text, path);
  if (found?.isDirectory() !== true) return [path];
  const isNameless = /(^|\/)\.\.?\/?$/.test(text) || path === "/";
  const [base, name] = isNameless ? [path, ""] : [dirname(path), basename(path)];
  const files: string[] = [];
  take(text, { base, name, files });
  return pathsOf(text, base, files);
}

/** Files that a pattern matches, and the trees of directories that it matches. */
function matchesOf(text: string, path: string): readonly string[] {
  const parts = path.split("/");
  const first = parts.findIndex(isPattern);
  const base = parts.slice(0, first).join("/") || (isAbsolute(path) ? "/" : ".");
  if (statSync(base, { throwIfNoEntry: false })?.isDirectory() !== true) return pathsOf(text, base, []);
  const wanted = parts.slice(first);
  const expression = patternExpression(wanted);
  const deepest = wanted.includes("**") ? Number.POSITIVE_INFINITY : wanted.length;
  const mayEnter = (name: string): boolean => !expression.test(name) && name.split("/").length < deepest;
  const files: string[] = [];
  let count = 0;
  for (const { name, entry } of walk(base, "", mayEnter)) {
    if (++count > MOST_ENTRIES) throw new Fault({ kind: "badInput", ...tooLarge(text, MOST_ENTRIES) });
    if (!expression.test(name)) continue;
    if (entry.isDirectory()) take(text, { base, name, files });
    else if (text.endsWith("/")) continue;
    else if (entry.isFile()) files.push(name);
    else throw notRegular(text, name);
  }
  return pathsOf(text, base, files);
}

interface Tree {
  readonly base: string;
  readonly name: string;
  /** Names of the files so far, below the base. */
  readonly files: string[];
}

/** Adds the files of a tree. @throws Fault for what is no file, and where there are too many */
function take(text: string, { base, name: start, files }: Tree): void {
  for (const { name, entry } of walk(base, start, () => true)) {
    if (entry.isDirectory()) continue;
    if (!entry.isFile()) throw notRegular(text, name);
    files.push(name);
    if (files.length > MOST_FILES) throw new Fault({ kind: "badInput", ...tooLarge(text, MOST_FILES) });
  }
}

function pathsOf(text: string, base: string, names: readonly string[]): readonly string[] {
  if (names.length > MOST_FILES) throw new Fault({ kind: "badInput", ...tooLarge(text, MOST_FILES) });
  if (names.length > 0) return names.map((name) => sandboxPath(base, name));
  const why = "there is no file in it, or none that matches; relative paths begin at the given directory";
  throw new Fault({
    kind: "badInput",
    ...cannotSend(text, why, "check the name; quote a pattern that your shell shall not expand"),
  });
}

function notRegular(text: string, name: string): Fault {
  const why = `${echoText(name)} in it is a link, a device or a pipe, which is not followed`;
  const remedy = "put a copy in its place, or name the files that the job needs";
  return new Fault({ kind: "badInput", ...cannotSend(text, why, remedy) });
}

function tooLarge(text: string, most: number): Words {
  const why = `it has more than ${most} entries, which is the limit for one job`;
  return cannotSend(text, why, "pack it with tar and send the archive, or let the job fetch its data");
}

function cannotSend(text: string, why: string, remedy: string): Words {
  return { code: "sandboxFile", what: `${echoText(text)} cannot be sent with the job`, why, remedy };
}
