/** Files of the repository, found without git, so that a copy of the tree will do. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A text file of the repository, by its path relative to the root. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** Installed, built or measured files. */
const notOurs = /(^|\/)(node_modules|\.git)$|^(dist|coverage)$|^src\/queue\/kernel\/program\.ts$/;
const textLimitBytes = 2_000_000;

/** Every file below `root`, as relative paths with `/`, sorted; without installed and built files. */
export function listFiles(root: string, below = ""): string[] {
  const start = join(root, below);
  if (!existsSync(start)) return [];
  const prefix = below === "" ? "" : `${below}/`;
  return readdirSync(start, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = prefix + entry.name;
      if (notOurs.test(path)) return [];
      if (entry.isDirectory()) return listFiles(root, path);
      return entry.isFile() ? [path] : [];
    });
}

/** Text of a file; undefined for a binary or very large file. */
export function readText(root: string, file: string): string | undefined {
  const path = join(root, file);
  if (statSync(path).size > textLimitBytes) return undefined;
  const text = readFileSync(path, "utf8");
  return text.includes("\0") ? undefined : text;
}

/** True for TypeScript and JavaScript. */
export function isSource(file: string): boolean {
  return /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/.test(file);
}

/** True for a test, and for a file that only tests use. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.startsWith("test/");
}

/** Line and column, from 1, of an offset in `text`. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: offset - lastBreak };
}
