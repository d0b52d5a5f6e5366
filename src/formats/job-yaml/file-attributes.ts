/**
 * The attributes that name files: the program, its outputs, and the sandboxes.
 *
 * Source: the EGEE/gLite JDL: a program is on the site's path, an absolute path, or the base name of a
 * file in the input sandbox; outputs are names in the job's directory.
 */
import { basename, isAbsolute, join, normalize } from "node:path";
import { echoText } from "../echo-text.ts";
import { type FileState, oneText, shown, textList, type Word, type Words } from "../yaml/index.ts";
import type { Given } from "./draft.ts";

/** `executable`; whether it goes with the sandbox is judged by {@link judgeExecutable}, at the end. */
export function readExecutable(given: Given): void {
  const written = oneText(given, "executable: hostname");
  if (written === undefined) return;
  const { text, at } = written;
  if (text.includes("/") && !isAbsolute(text)) given.notes.problem(at, relativeExecutable(text));
  else if (!isFileName(basename(text)) || text.endsWith("/")) given.notes.problem(at, noProgram(text));
  else given.draft.executable = text;
}

/** `stdOutput` and `stdError`: names in the job's directory. */
export function readStreamName(key: "stdOutput" | "stdError"): (given: Given) => void {
  return (given) => {
    const written = oneText(given, `${key}: ${key}.txt`);
    if (written === undefined) return;
    if (isFileName(written.text)) given.draft[key] = written.text;
    else given.notes.problem(written.at, noFileName(given.name, written.text));
  };
}

/** `inputSandbox`: files that exist now, relative ones beside the description; base names unique. */
export function readInputSandbox(given: Given): void {
  const { notes, surroundings, draft } = given;
  const written = textList(given, "inputSandbox: [run.sh, data/input.txt]");
  if (written === undefined) return;
  draft.inputSandbox = written.map(({ text, at }) => {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
      notes.problem(at, urlInSandbox(text));
      return text;
    }
    const path = isAbsolute(text) ? normalize(text) : join(surroundings.folder, text);
    const isNamed = text !== "" && !text.includes("\0");
    const state = isNamed ? surroundings.fileState(path) : "missing";
    if (state !== "readable") notes.problem(at, unsendable(text, path, state));
    return path;
  });
  refuseDoubles(given, written);
}

/** `outputSandbox`: names in the job's directory; `*` and `?` match within one. */
export function readOutputSandbox(given: Given): void {
  const written = textList(given, "outputSandbox: [result.txt, '*.log']");
  if (written === undefined) return;
  for (const { text, at } of written) {
    if (!isFileName(text)) given.notes.problem(at, noFileName(given.name, text));
  }
  given.draft.outputSandbox = written.map(({ text }) => text);
  refuseDoubles(given, written);
}

/** Warns of a program that is neither sent along nor likely to be on the site's path. */
export function judgeExecutable(given: Given): void {
  const { draft, notes, surroundings, value } = given;
  const { executable, inputSandbox = [] } = draft;
  if (executable === undefined || executable.includes("/")) return;
  if (inputSandbox.some((path) => basename(path) === executable)) return;
  if (surroundings.fileState(join(surroundings.folder, executable)) === "readable") {
    notes.warning(value.at, {
      code: "executableNotSent",
      what: `${echoText(executable)} lies beside the description, but is not sent along`,
      why: "without being in the input sandbox it is looked for on the site's path",
      remedy: `add inputSandbox: ${shown(executable)}, if that file is meant`,
    });
  } else if (/\s/.test(executable)) {
    notes.warning(value.at, {
      code: "executableWithBlanks",
      what: `${echoText(executable)} is taken for one program's name`,
      why: "arguments are an attribute of their own",
      remedy: `write executable: ${shown(executable.trim().split(/\s+/)[0])}, and the rest as arguments:`,
    });
  }
}

function refuseDoubles({ name, notes }: Given, written: readonly Word[]): void {
  const lines = new Map<string, number>();
  for (const { text, at } of written) {
    const base = basename(text);
    const earlier = lines.get(base);
    if (earlier === undefined) lines.set(base, notes.lineOf(at));
    else notes.problem(at, doubleName(name, base, earlier));
  }
}

/** A name within one directory, printable. */
function isFileName(text: string): boolean {
  return text !== "" && text !== "." && text !== ".." && !/[/\p{Cc}]/u.test(text);
}

function relativeExecutable(text: string): Words {
  const base = basename(text);
  return {
    code: "executableRelative",
    what: `the executable ${echoText(text)} is a relative path`,
    why: "at the site there is no folder that it could be relative to",
    remedy:
      `send the file along (inputSandbox: ${shown(text)}) and write executable: ${shown(base)}, ` +
      "or give its absolute path",
  };
}

function noProgram(text: string): Words {
  return {
    code: "badExecutable",
    what: `${echoText(text)} cannot be a program's name`,
    why: "it is a name on the site's path or in the input sandbox, or an absolute path of a file",
    remedy: "write for instance executable: hostname, or executable: /bin/hostname",
  };
}

function noFileName(name: string, text: string): Words {
  const base = basename(text);
  return {
    code: "notFileName",
    what: `${name}: ${echoText(text)} is not the name of a file in the job's directory`,
    why: "it is a single name, without / and without control characters",
    remedy: `write for instance ${name}: ${isFileName(base) ? shown(base) : "result.txt"}`,
  };
}

const states: Readonly<Record<Exclude<FileState, "readable">, string>> = {
  missing: "there is no such file",
  directory: "it is a directory",
  notReadable: "you are not allowed to read it",
};
const stateRemedies: Readonly<Record<Exclude<FileState, "readable">, string>> = {
  missing: "check the name; relative paths begin at the description's folder, patterns are not expanded",
  directory: "name the files in it one by one, or pack it with tar",
  notReadable: "ask its owner for read permission, or copy it to a place of yours",
};

function unsendable(text: string, path: string, state: Exclude<FileState, "readable">): Words {
  const isMoved = path !== text && text !== "";
  return {
    code: "sandboxFile",
    what: `${echoText(text)} cannot be sent along`,
    why: `${states[state]}${isMoved ? `, looked for at ${echoText(path)}` : ""}`,
    remedy: stateRemedies[state],
  };
}

function urlInSandbox(text: string): Words {
  return {
    code: "sandboxFile",
    what: `${echoText(text)} cannot be sent along`,
    why: "it is an address, and the input sandbox holds files of this machine",
    remedy: "fetch it first and name the file, or let the job fetch it",
  };
}

function doubleName(name: string, base: string, line: number): Words {
  return {
    code: "doubleBaseName",
    what: `${name} has two files of the name ${echoText(base)}`,
    why: `they would lie in one directory; line ${line} has the other`,
    remedy: "rename one of them, or take it out",
  };
}
