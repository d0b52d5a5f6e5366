/** Tokens of a text: numbers, strings, names, operators; blanks and comments are dropped. */
import { unescaped } from "./escapes.ts";
import type { Scalar } from "./language.ts";
import { readNumber } from "./number-literal.ts";
import { UnreadableText } from "./problem.ts";
import { CODES, isDigit, isNameCode, nameEnd, operatorAt } from "./token-scan.ts";
import { integerValue, realValue, STRING_LIMIT, stringValue } from "./values.ts";

/** A token and its position, in code units from the beginning of the text. */
export type Token = TokenContent & { readonly at: number; readonly end: number };

type TokenContent =
  | { readonly kind: "constant"; readonly value: Scalar }
  /** A name; a quoted name is never a reserved word. */
  | { readonly kind: "name"; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: "operator"; readonly text: string }
  | { readonly kind: "end" };

/** Most characters of a number that is read at once: 15 digits are exact. */
const PLAIN_DIGITS = 15;
/** Blanks and comments, by a pattern that decides where the scan by character codes does not. */
const BLANK = /(?:\s|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)+/y;

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
  const code = text.charCodeAt(at);
  if (isNameCode(code)) {
    if (isDigit(code)) return numberAt(text, at);
    const end = nameEnd(text, at);
    return { kind: "name", text: text.slice(at, end), isQuoted: false, at, end };
  }
  if (code === CODES.doubleQuote || code === CODES.quote) return quotedAt(text, at, text[at]);
  if (code === CODES.point && isDigit(text.charCodeAt(at + 1))) return numberAt(text, at);
  const operator = operatorAt(text, at);
  if (operator !== undefined) return { kind: "operator", text: operator, at, end: at + operator.length };
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  throw new UnreadableText(at, {
    code: "unknownCharacter",
    what: `unexpected ${JSON.stringify(character)}`,
    why: "unquoted names consist of letters A to Z, digits and _",
    remedy: `remove it, or write a text as "…" and an unusual name as '…'`,
  });
}

/** A number: plain decimal ones at once, any other by {@link readNumber}. */
function numberAt(text: string, at: number): Token {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end++;
  const whole = end - at;
  const isReal = text.charCodeAt(end) === CODES.point && isDigit(text.charCodeAt(end + 1));
  if (isReal)
    do end++;
    while (isDigit(text.charCodeAt(end)));
  const isPlain = whole === 1 || (whole > 0 && (isReal || text.charCodeAt(at) !== CODES.zero));
  const next = text.charCodeAt(end);
  if (isPlain && end - at <= PLAIN_DIGITS && !isNameCode(next) && next !== CODES.point) {
    const number = Number(text.slice(at, end));
    return { kind: "constant", value: isReal ? realValue(number) : integerValue(number), at, end };
  }
  return { kind: "constant", ...readNumber(text, at), at };
}

function quotedAt(text: string, at: number, mark: string): Token {
  const closing = mark.charCodeAt(0);
  let end = at + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === closing || code === CODES.newLine) break;
    if (code === CODES.backslash) end++;
  }
  if (end >= text.length || text.charCodeAt(end) !== closing) {
    throw new UnreadableText(at, unterminated(mark));
  }
  const inside = unescaped(text.slice(at + 1, end), at + 1);
  if (mark === "'") return { kind: "name", text: inside, isQuoted: true, at, end: end + 1 };
  const value = stringValue(inside);
  if (value.kind === "error") throw new UnreadableText(at, tooLong());
  return { kind: "constant", value, at, end: end + 1 };
}

function blanksEnd(text: string, at: number): number {
  let end = at;
  let code = text.charCodeAt(end);
  while (code === CODES.blank || code === CODES.newLine) code = text.charCodeAt(++end);
  const isPlain = code > CODES.blank && code < 127 && code !== CODES.slash && code !== CODES.hash;
  if (isPlain || end >= text.length) return end;
  BLANK.lastIndex = end;
  end += BLANK.exec(text)?.[0].length ?? 0;
  if (!text.startsWith("/*", end)) return end;
  throw new UnreadableText(end, {
    code: "unterminatedComment",
    what: "unterminated comment",
    why: "/* begins a comment that ends at the next */, and there is none",
    remedy: "close it with */",
  });
}

function unterminated(mark: string) {
  return {
    code: "unterminatedString" as const,
    what: mark === '"' ? "unterminated string" : "unterminated quoted name",
    why: `it begins with ${mark}, and there is no closing one on the same line`,
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
