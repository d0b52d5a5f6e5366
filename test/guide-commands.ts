/** Commands in a page of the documentation with the output that it shows, so that a test can run them. */
import { readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** A command with the beginning of its output, as a page shows them. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** Fenced blocks whose commands are run, and comments that a reader of the page does not see. */
const BLOCKS = /^(?:```(console|sh)\n([\s\S]*?)^```|<!-- test\n([\s\S]*?)^-->)$/gm;

/**
 * The commands of a page in order. In `console` blocks and in comments that begin with `<!-- test` they
 * follow `$ `, with the beginning of their output below; in `sh` blocks each line that begins with `stint`
 * is one, but for `stint up`, which the test does itself.
 */
export function commandsOf(page: string): Shown[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(BLOCKS)].flatMap(([, language, fenced, hidden]) =>
    language === "sh" ? commandLines(fenced ?? "") : withOutput(fenced ?? hidden ?? ""),
  );
}

function commandLines(block: string): Shown[] {
  return block
    .split("\n")
    .filter((line) => /^stint (?!up\b)/.test(line))
    .map((command) => ({ command, output: "" }));
}

function withOutput(block: string): Shown[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      // A here-document belongs to its command.
      const [command = ""] = /^.*<<'(\w+)'.*\n[\s\S]*?^\1$|^.*/m.exec(part) ?? [];
      return { command, output: part.slice(command.length + 1).trimEnd() };
    });
}

/**
 * The beginning of what a command printed, where it is what the page shows; else what the page shows. `…`
 * stands for any text, which differs from run to run: an id, an instant, rows of a table. Runs of blanks
 * and of lines in tables are equal, since columns are as wide as their content.
 */
export function matchedPart(shown: string, printed: string): string {
  if (!shown.includes("…")) return printed.slice(0, shown.length);
  const pattern = shown
    .split("…")
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ {2,}|(?<=\S) (?=\S)/g, " +"))
    .join("[\\s\\S]*?");
  return new RegExp(`^${pattern}`).test(printed) ? shown : printed;
}

/** Puts `stint` of this checkout first on the PATH, as README does. */
export const STINT_ON_PATH = { PATH: `${join(root, "bin")}${delimiter}${process.env.PATH ?? ""}` };
