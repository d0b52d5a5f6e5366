/**
 * Turns the operating system's errors on a file into Faults with reason and remedy.
 *
 * One table for reading and one for writing, so that every format uses the same words. An error in neither
 * table is `failed`, with the system's own text.
 */
import { Fault, type FaultKind, messageOf } from "../base/index.ts";

interface Words {
  readonly kind: FaultKind;
  readonly code: string;
  readonly why: string;
  readonly remedy: string;
}

const missing: Words = {
  kind: "badInput",
  code: "fileNotFound",
  why: "there is no such file",
  remedy: "check the name; names are relative to the current directory",
};
const unreadable: Words = {
  kind: "notAllowed",
  code: "fileNotReadable",
  why: "you are not allowed to read it",
  remedy: "ask its owner for read permission, or use a copy of your own",
};
const badName: Words = {
  kind: "badInput",
  code: "badFileName",
  why: "the system does not accept this as a file name",
  remedy: "use a shorter name, without control characters or circular links",
};
const directoryRead: Words = {
  kind: "badInput",
  code: "isDirectory",
  why: "it is a directory",
  remedy: "name a file inside it",
};
const readWords = new Map<string, Words>([
  ["ENOENT", missing],
  ["ENOTDIR", missing],
  ["EISDIR", directoryRead],
  ["EACCES", unreadable],
  ["EPERM", unreadable],
  ["ELOOP", badName],
  ["ENAMETOOLONG", badName],
  ["ERR_INVALID_ARG_VALUE", badName],
]);

const noDirectory: Words = {
  kind: "badInput",
  code: "directoryNotFound",
  why: "its directory does not exist",
  remedy: "create the directory first, or write somewhere else",
};
const unwritable: Words = {
  kind: "notAllowed",
  code: "fileNotWritable",
  why: "you are not allowed to write there",
  remedy: "choose a directory of your own, or ask for write permission",
};
const directoryWrite: Words = {
  kind: "badInput",
  code: "isDirectory",
  why: "it is a directory",
  remedy: "name a file inside it",
};
const full: Words = {
  kind: "failed",
  code: "diskFull",
  why: "the disk is full, or your quota is used up; no incomplete file was kept",
  remedy: "free some space, or write to another disk; a name that ends in .gz needs about a fifth",
};
const closed: Words = {
  kind: "failed",
  code: "outputClosed",
  why: "the program that reads the output closed it",
  remedy: "run it again with a program that reads to the end, or write to a file",
};
const writeWords = new Map<string, Words>([
  ["ENOENT", noDirectory],
  ["ENOTDIR", noDirectory],
  ["EISDIR", directoryWrite],
  ["EACCES", unwritable],
  ["EPERM", unwritable],
  ["EROFS", unwritable],
  ["ENOSPC", full],
  ["EDQUOT", full],
  ["EFBIG", full],
  ["EPIPE", closed],
  ["ELOOP", badName],
  ["ENAMETOOLONG", badName],
  ["ERR_INVALID_ARG_VALUE", badName],
]);

/** The fault of a failed opening or reading of `file`; a Fault passes through unchanged. */
export function readFault(error: unknown, file: string): Fault {
  if (error instanceof Fault) return error;
  const words = readWords.get(errorCode(error)) ?? {
    kind: "failed" as const,
    code: "readFailed",
    why: messageOf(error),
    remedy: "check its disk or network file system, then try again",
  };
  return new Fault({ ...words, what: `cannot read ${file}`, cause: error });
}

/** The fault of a failed creation, writing or renaming of `file`; a Fault passes through unchanged. */
export function writeFault(error: unknown, file: string): Fault {
  if (error instanceof Fault) return error;
  const words = writeWords.get(errorCode(error)) ?? {
    kind: "failed" as const,
    code: "writeFailed",
    why: messageOf(error),
    remedy: "check its disk or network file system, then try again",
  };
  return new Fault({ ...words, what: `cannot write ${file}`, cause: error });
}

/** The fault of naming a directory where a file to write is wanted. */
export function directoryFault(file: string): Fault {
  return new Fault({ ...directoryWrite, what: `cannot write ${file}` });
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
