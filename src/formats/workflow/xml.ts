/**
 * A small reader of XML: elements, attributes and text, one after the other, with their lines.
 *
 * Enough for Pegasus DAX: no document types, so no entities of one's own, and nothing is fetched. Well-formed
 * nesting is checked. Source: XML 1.0 [XML], the parts named here. Cost: O(text).
 */
import { accepted, type Result, refused } from "../../base/index.ts";

/** Begin of an element, its end, or text between. */
export type XmlPiece =
  | {
      readonly kind: "open";
      readonly name: string;
      readonly attributes: ReadonlyMap<string, string>;
      readonly line: number;
    }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** Why a text is no XML, and where. */
export interface XmlProblem {
  readonly line: number;
  readonly why: string;
}

/** Comment, instruction, CDATA, a tag (slash, name, attributes, slash), text, or a stray <. */
const TOKEN = new RegExp(
  [
    "<!--[^]*?-->|<\\?[^]*?\\?>|<!\\[CDATA\\[([^]*?)\\]\\]>",
    "<(/?)([\\w:.-]+)((?:\\s+[\\w:.-]+\\s*=\\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\\s*(/?)>",
    "[^<]+|<",
  ].join("|"),
  "g",
);
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

/** The pieces of a text, names without their namespace prefix; or the first place that is no XML. */
export function xmlPieces(text: string): Result<readonly XmlPiece[], XmlProblem> {
  const pieces: XmlPiece[] = [];
  const open: string[] = [];
  let line = 1;
  for (const [token, cdata, slash, name, attributes, isEmpty] of text.matchAll(TOKEN)) {
    if (token === "<") return refused({ line, why: "a < begins no element here" });
    if (name !== undefined) {
      const local = localName(name);
      if (slash === "/") {
        const expected = open.pop();
        if (expected !== local) return refused({ line, why: `</${local}> closes ${expected ?? "nothing"}` });
        pieces.push({ kind: "close", name: local });
      } else {
        pieces.push({ kind: "open", name: local, attributes: attributesOf(attributes ?? ""), line });
        if (isEmpty === "/") pieces.push({ kind: "close", name: local });
        else open.push(local);
      }
    } else if (cdata !== undefined) pieces.push({ kind: "text", text: cdata });
    else if (!token.startsWith("<")) pieces.push({ kind: "text", text: decoded(token) });
    line += lineBreaks(token);
  }
  if (open.length > 0) return refused({ line, why: `<${open[open.length - 1]}> is not closed` });
  return accepted(pieces);
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    found.set(localName(name), decoded(double ?? single ?? ""));
  }
  return found;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Text with the five entities of XML and numeric ones replaced; others stay as they are. */
function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
