/**
 * The attributes that name files: the program, its outputs, and the sandboxes.
 *
 * Source: the EGEE/gLite JDL: a program is on the site's path, an absolute path, or the base name of a
 * file in the input sandbox; outputs are names in the job's directory.
 */
import { basename, isAbsolute, join, normalize } from "node:path";
import { type JobDescription, sandboxName } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { type FileState, UNREADABLE, type Words } from "../yaml/index.ts";
import { type ReadJob, written } from "./attributes.ts";

/**
 * `inputSandbox`: files that exist now, relative ones beside the description, directories and patterns
 * expanded; names in the job's directory unique.
 */
export function readInputSandbox(job: ReadJob): Partial<Pick<JobDescription, "inputSandbox">> {
  const { said, notes, at } = job;
  const given = said.inputSandbox;
  if (given === undefined) return {};
  const lines = new Map<string, number>();
  const inputSandbox = given.flatMap((text, index) => {
    const place = at(given, index);
    const paths = filesOf(text, { job, place });
    for (const name of paths.map(sandboxName)) {
      const earlier = lines.get(name);
      if (earlier === undefined) lines.set(name, notes.lineOf(place));
      else notes.problem(place, doubleName("inputSandbox", name, earlier));
    }
    return paths;
  });
  return { inputSandbox };
}

/** Files that one text names; problems are reported. */
function filesOf(
  text: string,
  { job: { notes, surroundings }, place }: { readonly job: ReadJob; readonly place: number },
): readonly string[] {
  const { folder, fileState, expandInput } = surroundings;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    notes.problem(place, urlInSandbox(text));
    return [text];
  }
  const path = isAbsolute(text) ? normalize(text) : join(folder, text);
  const state = text === "" ? "missing" : fileState(path);
  if (state === "readable") return [path];
  const isExpanded = text !== "" && (state === "directory" || (state === "missing" && /[*?]/.test(text)));
  const files = isExpanded ? expandInput?.(text, folder) : undefined;
  if (files?.ok) return files.value;
  notes.problem(place, files?.refusal ?? unsendable(text, path, state));
  return [path];
}

/** Reports an invalid executable; warns of one that is neither in the sandbox nor likely on the site. */
export function judgeExecutable(job: ReadJob, sent: readonly string[]): void {
  const { said, notes, at, surroundings } = job;
  const { executable } = said;
  const place = at(said, "executable");
  if (executable.includes("/")) {
    if (!isAbsolute(executable)) notes.problem(place, relativeExecutable(job, executable));
    else if (!isFileName(basename(executable)) || executable.endsWith("/")) {
      notes.problem(place, noProgram(job, executable));
    }
    return;
  }
  if (!isFileName(executable)) {
    notes.problem(place, noProgram(job, executable));
    return;
  }
  if (sent.some((path) => sandboxName(path) === executable)) return;
  if (surroundings.fileState(join(surroundings.folder, executable)) === "readable") {
    notes.warning(place, {
      code: "executableNotSent",
      what: `${echoText(executable)} is next to the description, but is not sent with the job`,
      why: "an executable that is not in the input sandbox is searched for on the site's PATH",
      remedy: `add ${written(job, "inputSandbox", executable)}, if this file is intended`,
    });
  } else if (/\s/.test(executable)) {
    notes.warning(place, {
      code: "executableWithBlanks",
      what: `${echoText(executable)} is read as the name of one program`,
      why: "arguments are an attribute of their own",
      remedy: `write ${written(job, "executable", firstWord(executable))}, and the rest as arguments`,
    });
  }
}

/** Reports a standard input that is not in the input sandbox. */
export function tellMissingInput(job: ReadJob, sent: readonly string[]): void {
  const { said, notes, at } = job;
  const { stdInput } = said;
  if (stdInput === undefined || sent.some((path) => sandboxName(path) === stdInput)) return;
  notes.problem(at(said, "stdInput"), {
    code: "inputNotSent",
    what: `stdInput: ${echoText(stdInput)} is not sent with the job`,
    why: "the standard input must be a file of the input sandbox, given by its base name",
    remedy: `add ${written(job, "inputSandbox", stdInput)}, or its path`,
  });
}

/** Reports names that are given twice in `outputSandbox`. */
export function tellDoubles({ said, notes, at }: ReadJob): void {
  const given = said.outputSandbox ?? [];
  const lines = new Map<string, number>();
  for (const [index, text] of given.entries()) {
    const earlier = lines.get(text);
    if (earlier === undefined) lines.set(text, notes.lineOf(at(given, index)));
    else notes.problem(at(given, index), doubleName("outputSandbox", text, earlier));
  }
}

/** A name within one directory, printable. */
function isFileName(text: string): boolean {
  return text !== "" && text !== "." && text !== ".." && !/[/\p{Cc}]/u.test(text);
}

function relativeExecutable(job: ReadJob, text: string): Words {
  const base = basename(text);
  return {
    code: "executableRelative",
    what: `the executable ${echoText(text)} is a relative path`,
    why: "a relative path has no meaning at the site",
    remedy:
      `send the file along (${written(job, "inputSandbox", text)}) and write ` +
      `${written(job, "executable", base)}, ` +
      "or give its absolute path",
  };
}

function noProgram(job: ReadJob, text: string): Words {
  return {
    code: "badExecutable",
    what: `${echoText(text)} cannot be a program's name`,
    why: "it is a name on the site's path or in the input sandbox, or an absolute path of a file",
    remedy: `write for instance ${written(job, "executable", "hostname")}, or its absolute path`,
  };
}

const stateRemedies: Readonly<Record<Exclude<FileState, "readable">, string>> = {
  missing: "check the name; relative paths begin at the description's folder",
  directory: "name the files in it one by one, or pack it with tar",
  notReadable: "ask its owner for read permission, or use a copy of your own",
};

function unsendable(text: string, path: string, state: Exclude<FileState, "readable">): Words {
  const isMoved = path !== text && text !== "";
  return {
    code: "sandboxFile",
    what: `${echoText(text)} cannot be sent with the job`,
    why: `${UNREADABLE[state]}${isMoved ? `, looked for at ${echoText(path)}` : ""}`,
    remedy: stateRemedies[state],
  };
}

function urlInSandbox(text: string): Words {
  return {
    code: "sandboxFile",
    what: `${echoText(text)} cannot be sent with the job`,
    why: "it is an address, and the input sandbox can only contain files of this machine",
    remedy: "fetch it first and name the file, or let the job fetch it",
  };
}

function doubleName(name: string, base: string, line: number): Words {
  return {
    code: "doubleBaseName",
    what: `${name} has two files of the name ${echoText(base)}`,
    why: `both would be in the job's directory; the other is in line ${line}`,
    remedy: "rename one of them, or remove it",
  };
}

function firstWord(text: string): string {
  return text.trim().split(/\s+/)[0];
}
