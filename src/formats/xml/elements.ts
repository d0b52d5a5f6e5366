/**
 * A text of XML as elements with their places. Document types are refused, and with them entities of one's
 * own: no text can expand. Source: XML 1.0, the parts named here. Cost: O(text).
 */

/** An element, with names without their prefixes. */
export interface XmlElement {
  readonly name: string;
  readonly at: number;
  readonly attributes: ReadonlyMap<string, string>;
  /** Offsets of the attributes. */
  readonly attributesAt: ReadonlyMap<string, number>;
  readonly elements: readonly XmlElement[];
  /** Text between its tags, that of inner elements left out. */
  readonly text: string;
}

/** Why a text is no XML, and where. */
export interface XmlFault {
  readonly at: number;
  readonly why: string;
}

interface OpenElement {
  readonly name: string;
  readonly at: number;
  readonly attributes: ReadonlyMap<string, string>;
  readonly attributesAt: ReadonlyMap<string, number>;
  readonly elements: XmlElement[];
  text: string;
}

const MOST_DEPTH = 100;
const UNKNOWN_ENTITY = "it names an entity, and only those of XML itself are known";
const TAG = /<(\/?)([\w.-]+:)?([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;

/** Reads the one element of a text, nested at most so deep. */
export function readElements(source: string, mostDepth = MOST_DEPTH): XmlElement | XmlFault {
  const none = { attributes: new Map<string, string>(), attributesAt: new Map<string, number>() };
  const root: OpenElement = { name: "", at: 0, ...none, elements: [], text: "" };
  const open: OpenElement[] = [root];
  let at = source.startsWith("\ufeff") ? 1 : 0;
  while (at < source.length) {
    const inner = open[open.length - 1];
    const next = source.indexOf("<", at);
    const end = next === -1 ? source.length : next;
    const text = decoded(source.slice(at, end));
    if (text === undefined) return { at, why: UNKNOWN_ENTITY };
    inner.text += text;
    if (next === -1) break;
    const passed = passOver(source, next, inner);
    if (typeof passed === "object") return passed;
    if (passed > next) {
      at = passed;
      continue;
    }
    TAG.lastIndex = next;
    const tag = TAG.exec(source);
    if (tag === null) return { at: next, why: "a < begins no element here" };
    const [whole, slash, , name, attributes, isEmpty] = tag;
    at = next + whole.length;
    if (slash === "/") {
      if (open.length === 1 || inner.name !== name)
        return { at: next, why: `</${name}> does not match the open element` };
      open.pop();
      continue;
    }
    if (open.length > mostDepth) return { at: next, why: `it is nested more than ${mostDepth} levels deep` };
    const read = attributesOf(attributes, next + whole.indexOf(attributes, name.length));
    if ("why" in read) return read;
    const element = { name, at: next, ...read, elements: [], text: "" };
    inner.elements.push(element);
    if (isEmpty !== "/") open.push(element);
  }
  const last = open[open.length - 1];
  if (open.length > 1) return { at: last.at, why: `<${last.name}> is not closed` };
  return root.elements.length === 1
    ? root.elements[0]
    : { at: 0, why: "a document has one outermost element" };
}

/** Offset behind a comment, an instruction or CDATA; `at` where there is none. */
function passOver(source: string, at: number, inner: OpenElement): number | XmlFault {
  for (const [begin, end] of [
    ["<!--", "-->"],
    ["<?", "?>"],
    ["<![CDATA[", "]]>"],
  ] as const) {
    if (!source.startsWith(begin, at)) continue;
    const found = source.indexOf(end, at + begin.length);
    if (found === -1) return { at, why: `${begin} is not closed by ${end}` };
    if (begin === "<![CDATA[") inner.text += source.slice(at + begin.length, found);
    return found + end.length;
  }
  if (source.startsWith("<!", at))
    return { at, why: "document types are not accepted, because their entities could expand without limit" };
  return at;
}

function attributesOf(
  text: string,
  offset: number,
): Pick<XmlElement, "attributes" | "attributesAt"> | XmlFault {
  const attributes = new Map<string, string>();
  const attributesAt = new Map<string, number>();
  for (const found of text.matchAll(ATTRIBUTE)) {
    const [, prefixed, double, single] = found;
    const at = offset + found.index;
    const name = prefixed.slice(prefixed.indexOf(":") + 1);
    const value = decoded(double ?? single ?? "");
    if (value === undefined) return { at, why: UNKNOWN_ENTITY };
    attributes.set(name, value);
    attributesAt.set(name, at);
  }
  return { attributes, attributesAt };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Text with entities replaced; undefined where one is not known. */
function decoded(text: string): string | undefined {
  if (!text.includes("&")) return text;
  let isKnown = true;
  const plain = text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));/g, (_, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const found = name === undefined ? characterOf(code) : ENTITIES[name];
    isKnown &&= found !== undefined;
    return found ?? "";
  });
  return isKnown ? plain : undefined;
}

function characterOf(code: number): string | undefined {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
