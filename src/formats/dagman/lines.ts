/** Lines of a DAGMan file in words; descriptions in braces are taken as they are. */
import type { DagLine } from "./pieces.ts";

/** A statement: its line, and the text in braces behind it. */
export interface Statement extends DagLine {
  readonly block?: string;
}

/** Statements of a text; `fault` is the offset of a brace that is not closed. */
export function statementsOf(text: string): {
  readonly list: readonly Statement[];
  readonly openAt?: number;
} {
  const list: Statement[] = [];
  let at = 0;
  let block: { readonly line: DagLine; readonly lines: string[] } | undefined;
  for (const raw of text.split("\n")) {
    const line = raw.replace(/\r$/, "");
    const begin = at + (line.length - line.trimStart().length);
    at += raw.length + 1;
    if (block !== undefined) {
      if (line.trim() === "}") {
        list.push({ ...block.line, block: block.lines.join("\n") });
        block = undefined;
      } else block.lines.push(line);
      continue;
    }
    const written = line.trim();
    if (written === "" || written.startsWith("#")) continue;
    if (/\{$/.test(written) && /^(?:job|final|submit-description)\s/i.test(written)) {
      const head = written.slice(0, -1).trim();
      block = { line: { at: begin, written: head, words: wordsOf(head) }, lines: [] };
    } else list.push({ at: begin, written, words: wordsOf(written) });
  }
  return block === undefined ? { list } : { list, openAt: block.line.at };
}

function wordsOf(line: string): readonly string[] {
  return line.split(/\s+/).filter((word) => word !== "");
}
