/**
 * Names of files in a job's directory.
 *
 * A path of the input sandbox says both where a file is and what it is called in the job's directory: its
 * base name, or what follows `/./`, as in rsync --relative. `/data/./run7/a.csv` becomes `run7/a.csv`.
 */

const MARK = "/./";

/** Name in the job's directory of a file of the input sandbox. */
export function sandboxName(path: string): string {
  const at = path.lastIndexOf(MARK);
  return at === -1 ? path.slice(path.lastIndexOf("/") + 1) : path.slice(at + MARK.length);
}

/**
 * An uploaded file as an input sandbox names it, instead of a path: `upload:HASH/NAME`, with `upload+x:`
 * where it may be executed. The hash is of SHA-256, in hexadecimal digits.
 */
export interface NamedUpload {
  readonly sha256: string;
  /** Name in the job's directory. */
  readonly name: string;
  readonly isExecutable: boolean;
}

/** Regular expression for an upload in an input sandbox. */
export const UPLOAD_PREFIX = "upload(\\+x)?:([0-9a-f]{64})";
const UPLOAD = new RegExp(`^${UPLOAD_PREFIX}/`);

/** The upload that a path of an input sandbox names; undefined for a path of the broker's machine. */
export function uploadNamed(path: string): NamedUpload | undefined {
  const [, executable, sha256] = UPLOAD.exec(path) ?? [];
  if (sha256 === undefined) return undefined;
  return { sha256, name: sandboxName(path), isExecutable: executable !== undefined };
}

/** Name of an upload in an input sandbox. */
export function uploadPath({ sha256, name, isExecutable }: NamedUpload): string {
  return `upload${isExecutable ? "+x" : ""}:${sha256}${name.includes("/") ? MARK : "/"}${name}`;
}

/** Path of a file below `folder`, marked to keep its relative path where that has directories. */
export function sandboxPath(folder: string, name: string): string {
  if (!name.includes("/")) return folder === "." ? name : `${folder.replace(/\/$/, "")}/${name}`;
  return `${folder.replace(/\/$/, "")}${MARK}${name}`;
}

/**
 * Regular expression for an entry of an output sandbox: a relative path in the job's directory, with
 * patterns (`*`, `?`, `**`), that does not leave it. A slash at the end means a directory.
 */
export const OUTPUT_PATTERN =
  "^(?!(?:[^/]*/)*\\.\\.?(?:/|$))[^/\\u0000-\\u001f\\u007f]+(?:/[^/\\u0000-\\u001f\\u007f]+)*/?$";

/** Limits of a listing of a job's files: how many, and how many directories deep. */
export const LISTING_LIMITS = { mostFiles: 10_000, deepest: 32 } as const;

/** True if a name is a path within a directory: no part is empty, `.`, `..`, or longer than 255 bytes. */
export function isInnerPath(name: string): boolean {
  const isPart = (part: string) => !["", ".", ".."].includes(part) && utf8Length(part) <= 255;
  return !name.includes("\0") && name.length <= 4096 && name.split("/").every(isPart);
}

/** Length in UTF-8, in bytes. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else bytes += code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** Index of a name that exists twice, or has another name as a directory; undefined where all fit. */
export function clashingName(names: readonly string[]): number | undefined {
  const files = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (files.has(name)) return at;
    files.add(name);
  }
  const at = names.findIndex((name) => foldersOf(name).some((folder) => files.has(folder)));
  return at === -1 ? undefined : at;
}

/** Directories of a name, the outermost first: `a` and `a/b` of `a/b/c`. */
export function foldersOf(name: string): readonly string[] {
  const parts = name.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** A file of a workflow as an input sandbox of its tasks names it. */
export interface NamedWorkflowFile {
  readonly workflow: string;
  /** Number of the file. */
  readonly at: number;
  /** Path in the job's directory. */
  readonly name: string;
}

const WORKFLOW_FILE = /^workflow:([a-z2-7]{12})\/(\d+)\/\.\//;

/** Form of a workflow file in an input sandbox; only the broker's own jobs have such entries. */
export function workflowInput({ workflow, at, name }: NamedWorkflowFile): string {
  return `workflow:${workflow}/${at}${MARK}${name}`;
}

/** The file of a workflow that a path of an input sandbox names; undefined for any other path. */
export function workflowInputNamed(path: string): NamedWorkflowFile | undefined {
  const [, workflow, at] = WORKFLOW_FILE.exec(path) ?? [];
  return workflow === undefined ? undefined : { workflow, at: Number(at), name: sandboxName(path) };
}
