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
    if (!isNext(state, ";") && !(isBare && isOnNewLine(state))) break;
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
