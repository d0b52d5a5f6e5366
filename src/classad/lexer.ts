/** Tokens of a text: numbers, strings, names, operators; blanks and comments are dropped. */
import { unescaped } from "./escapes.ts";
import type { Scalar } from "./language.ts";
import { readNumber } from "./number-literal.ts";
import { UnreadableText } from "./problem.ts";
import { STRING_LIMIT, stringValue } from "./values.ts";

/** A token and its position, in code units from the beginning of the text. */
export type Token = TokenContent & { readonly at: number; readonly end: number };

type TokenContent =
  | { readonly kind: "constant"; readonly value: Scalar }
  /** A name; a quoted name is never a reserved word. */
  | { readonly kind: "name"; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: "operator"; readonly text: string }
  | { readonly kind: "end" };

const BLANK = /(?:\s|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const NAME = /[A-Za-z_]\w*/y;
const OPERATOR = /=\?=|=!=|>>>|\|\||&&|==|!=|<=|>=|<<|>>|\?:|[-+*/%!~&|^<>=?:.,;()[\]{}]/y;

/**
 * All tokens of a text; the last is the end.
 *
 * @throws UnreadableText where no token begins
 */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = blanksEnd(text, 0);
  while (at < text.length) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at = blanksEnd(text, token.end);
  }
  tokens.push({ kind: "end", at: text.length, end: text.length });
  return tokens;
}

function tokenAt(text: string, at: number): Token {
  const first = text[at] ?? "";
  if (/\d/.test(first) || (first === "." && /\d/.test(text[at + 1] ?? ""))) {
    const { value, end } = readNumber(text, at);
    return { kind: "constant", value, at, end };
  }
  if (first === '"' || first === "'") return quotedAt(text, at, first);
  const name = matchAt(NAME, text, at);
  if (name !== undefined) return { kind: "name", text: name, isQuoted: false, at, end: at + name.length };
  const operator = matchAt(OPERATOR, text, at);
  if (operator !== undefined) return { kind: "operator", text: operator, at, end: at + operator.length };
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw new UnreadableText(at, {
    code: "unknownCharacter",
    what: `unexpected ${JSON.stringify(character)}`,
    why: "unquoted names consist of letters A to Z, digits and _",
    remedy: `remove it, or write a text as "…" and an unusual name as '…'`,
  });
}

function quotedAt(text: string, at: number, mark: string): Token {
  let end = at + 1;
  while (end < text.length && text[end] !== mark && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
  if (end >= text.length || text[end] !== mark) throw new UnreadableText(at, unterminated(mark));
  const inside = unescaped(text.slice(at + 1, end), at + 1);
  if (mark === "'") return { kind: "name", text: inside, isQuoted: true, at, end: end + 1 };
  const value = stringValue(inside);
  if (value.kind === "error") throw new UnreadableText(at, tooLong());
  return { kind: "constant", value, at, end: end + 1 };
}

function blanksEnd(text: string, at: number): number {
  const end = at + (matchAt(BLANK, text, at)?.length ?? 0);
  if (!text.startsWith("/*", end)) return end;
  throw new UnreadableText(end, {
    code: "unterminatedComment",
    what: "unterminated comment",
    why: "/* begins a comment that goes on to the next */, and there is none",
    remedy: "close it with */",
  });
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function unterminated(mark: string) {
  return {
    code: "unterminatedString" as const,
    what: mark === '"' ? "unterminated string" : "unterminated quoted name",
    why: `it begins with ${mark}, and there is none behind it on the same line`,
    remedy: `close it with ${mark}; inside, write \\${mark} for the mark itself and \\n for a new line`,
  };
}

function tooLong() {
  return {
    code: "tooLong" as const,
    what: "the string is too long",
    why: `strings have at most ${STRING_LIMIT} characters`,
    remedy: "put the text into a file, and name the file",
  };
}
