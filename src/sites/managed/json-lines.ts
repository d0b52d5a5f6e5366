/**
 * Files of JSON lines that only grow, and stay readable whatever moment a writer dies in.
 *
 * A line counts when its end is written. What a dead writer left without an end is closed by the next
 * line's writer and read as nothing. Imported by the wrapper: Node's own modules only.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";

/** Appends one line with one write; `durable`: it is on the disk when this returns. */
export function appendJsonLine(path: string, value: object, durable: boolean): void {
  const file = openSync(path, "a+", 0o600);
  try {
    writeFileSync(file, `${endsOpen(file) ? "\n" : ""}${JSON.stringify(value)}\n`);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The values of the complete lines of a file that are JSON objects; none when there is no file. */
export function readJsonLines(path: string): object[] {
  return parseJsonLines(textOf(path));
}

/** The values of the complete lines of `text` that are JSON objects. */
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
