/** Lines of a script that are directives: of its batch system, of others, or after the first command. */
import type { Dialect } from "./dialect.ts";
import { DIALECTS } from "./dialects.ts";

/** A line with a mark. */
export interface MarkedLine {
  readonly at: number;
  readonly written: string;
  /** Text after the mark. */
  readonly rest: string;
  readonly restAt: number;
  readonly state: "read" | "afterCommand" | "otherSystem";
}

/** Every marked line of a script that is read by `dialect`. */
export function markedLines(text: string, dialect: Dialect): readonly MarkedLine[] {
  const found: MarkedLine[] = [];
  let at = 0;
  let hasCommand = false;
  for (const lineEnd of text.split("\n")) {
    const line = lineEnd.replace(/\r$/, "");
    const by = line.startsWith("#") ? DIALECTS.find(({ mark }) => mark.test(line)) : undefined;
    if (by !== undefined) {
      const length = by.mark.exec(line)?.[0].length ?? 0;
      const ignored = hasCommand && by.endsAtCommand ? "afterCommand" : "read";
      const state = by === dialect ? ignored : "otherSystem";
      found.push({ at, written: line.trimEnd(), rest: line.slice(length), restAt: at + length, state });
    } else if (line.trim() !== "" && !line.trimStart().startsWith("#")) hasCommand = true;
    at += lineEnd.length + 1;
  }
  return found;
}
