/**
 * Append-only files of JSON lines that stay readable if a writer dies at any moment.
 *
 * A line counts once its newline is written. The next writer closes a partial line, and readers skip it.
 *
 * Imported by the wrapper: Node's own modules only.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";

/** Appends one line with one write. With `durable` it is on the disk when the call returns. */
export function appendJsonLine(path: string, value: object, durable: boolean): void {
  const file = openSync(path, "a+", 0o600);
  try {
    writeFileSync(file, `${endsOpen(file) ? "\n" : ""}${JSON.stringify(value)}\n`);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Parsed objects of the complete lines of a file; empty if there is no file. */
export function readJsonLines(path: string): object[] {
  return parseJsonLines(textOf(path));
}

/** Parsed objects of the complete lines of `text`. */
export function parseJsonLines(text: string): object[] {
  return text.split("\n").slice(0, -1).flatMap(parseLine);
}

function parseLine(line: string): object[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? [value] : [];
  } catch {
    return [];
  }
}

function endsOpen(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
