/**
 * Parser of attributes: `name = expression`, each ended by a semicolon.
 *
 * Outside of all brackets a new line separates too, as in the listings of batch systems.
 */
import { keyOf, type Node, type RecordAttribute, type RecordNode } from "./language.ts";
import { isNext, type ParserState, peek, take, unexpected } from "./parser-state.ts";
import { placeOf, UnreadableText } from "./problem.ts";
import { isReserved } from "./words.ts";

/**
 * Reads attributes up to the closing bracket or the end.
 *
 * @param isBare whether the ad has no brackets, so that a new line separates
 * @throws UnreadableText at a bad attribute, or a name that has been used
 */
export function recordBody(
  state: ParserState,
  expression: () => Node,
  { isBare }: { readonly isBare: boolean },
): RecordNode {
  const attributes: RecordAttribute[] = [];
  const places = new Map<string, number>();
  skipSemicolons(state);
  while (peek(state).kind === "name") {
    const nameAt = peek(state).at;
    const attribute = attributeAt(state, expression);
    const earlier = places.get(attribute.key);
    if (earlier !== undefined) throw duplicate(state.text, attribute.name, { nameAt, earlier });
    places.set(attribute.key, nameAt);
    attributes.push(attribute);
    if (!isNext(state, ";") && !(isBare && isOnNewLine(state))) break;
    skipSemicolons(state);
  }
  return { kind: "record", attributes };
}

function attributeAt(state: ParserState, expression: () => Node): RecordAttribute {
  const token = peek(state);
  const name = token.kind === "name" ? token.text : "";
  const key = keyOf(name);
  if (token.kind === "name" && !token.isQuoted && isReserved(key)) throw reserved(token.at, name);
  state.next++;
  if (!take(state, "=")) throw unexpected(state, `= and an expression, for ${name} to be an attribute`);
  const place = placeOf(state.text, peek(state).at);
  return { name, key, node: expression(), ...place };
}

function skipSemicolons(state: ParserState): void {
  while (take(state, ";"));
}

/** True where the next token begins another attribute, on a line of its own. */
function isOnNewLine(state: ParserState): boolean {
  const token = peek(state);
  if (token.kind !== "name" || !isNext(state, "=", 1)) return false;
  const before = state.tokens[state.next - 1];
  return state.text.slice(before.end, token.at).includes("\n");
}

function reserved(at: number, name: string): UnreadableText {
  return new UnreadableText(at, {
    code: "reservedName",
    what: `${name} cannot be an attribute name`,
    why: "it is a reserved word",
    remedy: `choose another name, or quote it: '${name}'`,
  });
}

function duplicate(
  text: string,
  name: string,
  { nameAt, earlier }: { readonly nameAt: number; readonly earlier: number },
): UnreadableText {
  const { line, column } = placeOf(text, earlier);
  return new UnreadableText(nameAt, {
    code: "duplicateAttribute",
    what: `${name} is given twice`,
    why: `line ${line}, column ${column} already gives it, and names are case-insensitive`,
    remedy: "keep one of them",
  });
}
