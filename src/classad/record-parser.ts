/**
 * Parser of attributes: `name = expression`, each ended by a semicolon.
 *
 * Outside of all brackets a new line separates too, as in the listings of batch systems.
 */
import { keyOf, type Node, type RecordAttribute, type RecordNode } from "./language.ts";
import { advancedPlace, isNext, type ParserState, peek, take, unexpected } from "./parser-state.ts";
import { UnreadableText } from "./problem.ts";
import { isReserved } from "./words.ts";

/**
 * Reads attributes up to the closing bracket or the end.
 *
 * @param isBare whether the ad has no brackets, so that a new line separates
 * Of attributes of one name the last counts, in the place of the first.
 *
 * @throws UnreadableText at a bad attribute
 */
export function recordBody(
  state: ParserState,
  expression: () => Node,
  { isBare }: { readonly isBare: boolean },
): RecordNode {
  const attributes = new Map<string, RecordAttribute>();
  const replaced: RecordAttribute[] = [];
  skipSemicolons(state);
  while (peek(state).kind === "name") {
    const attribute = attributeAt(state, expression);
    const earlier = attributes.get(attribute.key);
    if (earlier !== undefined) replaced.push(earlier);
    attributes.set(attribute.key, attribute);
    if (!isNext(state, ";")) {
      if (!isAttributeNext(state)) break;
      if (!isBare || !isOnNewLine(state)) throw semicolonMissing(state, attribute.name);
    }
    skipSemicolons(state);
  }
  const all = { kind: "record" as const, attributes: [...attributes.values()] };
  return replaced.length === 0 ? all : { ...all, replaced };
}

function attributeAt(state: ParserState, expression: () => Node): RecordAttribute {
  const token = peek(state);
  const name = token.kind === "name" ? token.text : "";
  const key = keyOf(name);
  if (token.kind === "name" && !token.isQuoted && isReserved(key)) throw reserved(token.at, name);
  state.next++;
  if (!take(state, "=")) throw unexpected(state, `= and an expression, for ${name} to be an attribute`);
  const place = advancedPlace(state, peek(state).at);
  return { name, key, node: expression(), ...place };
}

function skipSemicolons(state: ParserState): void {
  while (take(state, ";"));
}

function isAttributeNext(state: ParserState): boolean {
  return peek(state).kind === "name" && isNext(state, "=", 1);
}

/** True where the next token is on a line after the last one. */
function isOnNewLine(state: ParserState): boolean {
  const before = state.tokens[state.next - 1];
  return state.text.slice(before.end, peek(state).at).includes("\n");
}

/** The place is the end of the attribute. */
function semicolonMissing(state: ParserState, name: string): UnreadableText {
  return new UnreadableText(state.tokens[state.next - 1].end, {
    code: "semicolonMissing",
    what: `a ; is missing after ${name}`,
    why: "the next attribute begins, and attributes in brackets or on one line are separated by ;",
    remedy: "write the ;",
  });
}

function reserved(at: number, name: string): UnreadableText {
  return new UnreadableText(at, {
    code: "reservedName",
    what: `${name} cannot be an attribute name`,
    why: "it is a reserved word",
    remedy: `choose another name, or quote it: '${name}'`,
  });
}
