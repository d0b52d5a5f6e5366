/**
 * The text of a small file that a person wrote: bounded, UTF-8, or a reason in words.
 */
import { accessSync, closeSync, constants, createReadStream, openSync, readSync, statSync } from "node:fs";
import { accepted, type Result, refused } from "../../base/index.ts";
import { readFault } from "../file-fault.ts";
import type { Words } from "./remark.ts";

/** The largest text that is read. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** State of a file for its reader. */
export type FileState = "readable" | "missing" | "directory" | "notReadable";

/** The bytes of a file, up to one more than is read; or why there are none. */
export async function readBounded(
  file: string,
  limitBytes = MAX_TEXT_BYTES,
): Promise<Result<Uint8Array, Words>> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(file, { end: limitBytes })) chunks.push(chunk);
  } catch (error) {
    const { code, why, remedy } = readFault(error, file);
    return refused({ code, what: "it cannot be read", why, remedy });
  }
  return accepted(Buffer.concat(chunks));
}

/** The text of a file that another one names, bounded. */
export function readText(file: string): Result<string, Words> {
  try {
    const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const buffer = new Uint8Array(MAX_TEXT_BYTES + 1);
      let length = 0;
      for (let read = -1; read !== 0 && length < buffer.length; length += read) {
        read = readSync(opened, buffer, length, buffer.length - length, null);
      }
      return textOfBytes(buffer.subarray(0, length));
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    const { code, why, remedy } = readFault(error, file);
    return refused({ code, what: "it cannot be read", why, remedy });
  }
}

/** The text that bytes are: UTF-8 without NUL, a byte order mark taken off, not too long. */
export function textOfBytes(bytes: Uint8Array, limitBytes = MAX_TEXT_BYTES): Result<string, Words> {
  if (bytes.length > limitBytes) return refused({ ...tooLarge, why: `it has more than ${limitBytes} bytes` });
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? refused(notText) : accepted(text);
  } catch {
    return refused(notText);
  }
}

/** State of a path for this process. */
export function fileState(path: string): FileState {
  try {
    if (statSync(path).isDirectory()) return "directory";
    accessSync(path, constants.R_OK);
    return "readable";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return code === "EACCES" || code === "EPERM" ? "notReadable" : "missing";
  }
}

const tooLarge = {
  code: "descriptionTooLarge",
  what: "the file is too large",
  remedy: "check that this is the file you mean; split a very long one into several",
};
const notText: Words = {
  code: "notText",
  what: "this is not a text file",
  why: "it has bytes that are not UTF-8, or NUL",
  remedy: "check that this is the file you mean, or save it as UTF-8",
};
