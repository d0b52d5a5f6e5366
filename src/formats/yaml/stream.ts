/**
 * Splits a YAML stream into composed documents, within bounds.
 *
 * The library composes recursively and reports every error, so a hostile megabyte could cost it seconds and
 * the stack: 1 MiB of commas is a million errors. Before it composes, the nodes are counted and the depth is
 * measured without recursion. Within the bounds the worst text known takes three seconds.
 */
import { Composer, type CST, type Document, Lexer, LineCounter, Parser } from "yaml";
import type { Notes, Words } from "./remark.ts";

const maxPieces = 200_000;
const maxDocuments = 10_000;
const maxDepth = 32;

/** The composed documents, and how to tell positions in the text. */
export interface YamlStream {
  readonly documents: () => Iterable<Document.Parsed>;
  /** Line and column, from 1, of an offset before where the reading has got to. */
  readonly positionOf: (at: number) => { line: number; column: number };
}

/** Prepares to read `text`; `notes` is asked for when something is out of bounds. */
export function yamlStream(text: string, notes: () => Notes): YamlStream {
  const lines = new LineCounter();
  const composer = new Composer({
    lineCounter: lines,
    logLevel: "silent",
    prettyErrors: false,
    // YAML 1.2 whatever a %YAML directive says: no merge keys, no times in base 60, no `yes` for true.
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    // Ours tells where the first one stands, and is not quadratic.
    uniqueKeys: false,
  });
  function* documents(): Generator<Document.Parsed> {
    let count = 0;
    for (const document of composer.compose(boundedTokens(text, lines, notes), true, text.length)) {
      count++;
      if (count > maxDocuments) {
        notes().problem(document.range[0], tooMuch(`more than ${maxDocuments} documents`));
        return;
      }
      yield document;
    }
  }
  const positionOf = (at: number) => {
    const { line, col } = lines.linePos(at);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  return { documents, positionOf };
}

/** The parser's tokens by document; documents over the depth limit are omitted. */
function* boundedTokens(text: string, lines: LineCounter, notes: () => Notes): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let pieces = 0;
  for (const piece of new Lexer().lex(text)) {
    pieces++;
    if (pieces > maxPieces) {
      notes().problem(parser.offset, tooMuch(`more than ${maxPieces} pieces (words, marks and blanks)`));
      return;
    }
    yield* shallow(parser.next(piece), notes);
  }
  yield* shallow(parser.end(), notes);
}

function* shallow(tokens: Iterable<CST.Token>, notes: () => Notes): Generator<CST.Token> {
  for (const token of tokens) {
    const at = token.type === "document" && token.value ? tooDeepAt(token.value) : undefined;
    if (at === undefined) yield token;
    else notes().problem(at, tooMuch(`more than ${maxDepth} levels of lists and mappings in each other`));
  }
}

/** The offset at which the depth passes the limit. */
function tooDeepAt(root: CST.Token): number | undefined {
  const open: { token: CST.Token; depth: number }[] = [{ token: root, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (!("items" in token)) continue;
    if (depth > maxDepth) return token.offset;
    for (const { key, value } of token.items) {
      if (value) open.push({ token: value, depth: depth + 1 });
      if (key) open.push({ token: key, depth: depth + 1 });
    }
  }
  return undefined;
}

function tooMuch(size: string): Words {
  return {
    code: "descriptionTooLarge",
    what: "the file is too large",
    why: `there are ${size}`,
    remedy: "check that this is the file you mean; split a very long one into several",
  };
}
