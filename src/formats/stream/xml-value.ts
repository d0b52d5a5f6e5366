/**
 * The XML of a stream as the value that its YAML would be, so that both are read by one shape.
 *
 * Attributes and inner elements are the words of a mapping; elements of a list's name are its items; the
 * elements `entry` of a mapping by names have `name` and `value`. Namespaces are not looked at.
 */
import type { AnyShape } from "../../contract/files/index.ts";
import type { XmlElement } from "../xml/index.ts";
import type { Entry, Notes, Value } from "../yaml/index.ts";

/** Attributes of an XML document that say nothing about the stream. */
const OF_XML: readonly string[] = ["xmlns", "xsi", "schemaLocation", "noNamespaceSchemaLocation"];

/**
 * Value of an element by its shape; words that the shape does not know are kept, for the reader to refuse.
 */
export function elementValue(element: XmlElement, shape: AnyShape | undefined, notes: Notes): Value {
  const { at, attributes, elements, text } = element;
  if (shape?.kind === "names") return namesValue(element, notes);
  const isPlain = attributes.size === 0 && elements.length === 0;
  if (shape?.kind === "list") return elementValue(element, shape.item, notes);
  if (shape?.kind !== "mapping" && isPlain) return scalarValue(text.trim(), at);
  if (text.trim() !== "") notes.problem(at, strayText(element.name));
  const fields = shape?.kind === "mapping" ? shape.fields : {};
  const entries: Entry[] = [];
  for (const [key, written] of attributes) {
    const keyAt = element.attributesAt.get(key) ?? at;
    if (!OF_XML.includes(key)) entries.push({ key, keyAt, value: scalarValue(written, keyAt) });
  }
  const byName = new Map<string, XmlElement[]>();
  for (const inner of elements) byName.set(inner.name, [...(byName.get(inner.name) ?? []), inner]);
  for (const [key, [first, ...others]] of byName) {
    const field = fields[key];
    const values = [first, ...others].map((inner) => elementValue(inner, field, notes));
    const isList = field?.kind === "list" || (field?.kind === "either" && others.length > 0);
    const twice = others[0] ?? (attributes.has(key) ? first : undefined);
    if (!isList && twice !== undefined) notes.problem(twice.at, saidTwice(key));
    entries.push({
      ...{ key, keyAt: first.at },
      value: isList ? { kind: "list", at: first.at, items: values } : values[0],
    });
  }
  return { kind: "mapping", at, entries };
}

function namesValue({ at, elements }: XmlElement, notes: Notes): Value {
  const entries = elements.flatMap(({ name, at: entryAt, attributes }): Entry[] => {
    const [key, value] = [attributes.get("name"), attributes.get("value")];
    if (name === "entry" && key !== undefined && value !== undefined) {
      return [{ key, keyAt: entryAt, value: { kind: "scalar", at: entryAt, text: value, value } }];
    }
    notes.problem(entryAt, noEntry(name));
    return [];
  });
  return { kind: "mapping", at, entries };
}

/** A text of XML with the type that it would have in YAML. */
function scalarValue(text: string, at: number): Value {
  const isNumber = /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(text);
  const known = isNumber ? Number(text) : ({ true: true, false: false } as const)[text];
  return { kind: "scalar", at, text, value: known ?? text };
}

const strayText = (name: string) => ({
  code: "strayText",
  what: `<${name}> contains text`,
  why: "its values are attributes and elements",
  remedy: "take the text out, or write it as an attribute",
});
const saidTwice = (name: string) => ({
  code: "duplicateKey",
  what: `${name} is given twice`,
  why: "the two values contradict each other",
  remedy: "take one of them out",
});
const noEntry = (name: string) => ({
  code: "badEntry",
  what: `<${name}> is not an entry`,
  why: "each has a name and a value",
  remedy: 'write <entry name="OMP_NUM_THREADS" value="4"/>',
});
