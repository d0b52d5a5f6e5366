/**
 * The XML Schema of streams, docs/schemas/stream.xsd, made from the shape that reads them.
 *
 * Words with a single value are attributes, others elements in any order; items of a list are elements of its
 * name. What depends on other values is checked by the reader alone.
 */
import { type AnyShape, type ShapeOf, streamFileShape } from "../../src/contract/files/index.ts";
import { UNIT_PATTERNS } from "./file-schemas.ts";

/** The text of the schema. */
export function streamXsd(): string {
  const body = element("stream", streamFileShape.fields.stream, { indent: "  ", occurs: "" });
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="unqualified">\n' +
    `${body}</xs:schema>\n`
  );
}

interface Place {
  readonly indent: string;
  readonly occurs: string;
}

function element(name: string, shape: AnyShape, { indent, occurs }: Place): string {
  const words = `  <xs:documentation>${escaped(shape.description ?? "")}</xs:documentation>`;
  const told = ["<xs:annotation>", words, "</xs:annotation>"].map((line) => `${indent}  ${line}\n`).join("");
  const note = shape.description === undefined ? "" : told;
  const open = `${indent}<xs:element name="${name}"${occurs}>\n${note}`;
  return `${open}${content(shape, `${indent}  `)}${indent}</xs:element>\n`;
}

function content(shape: AnyShape, indent: string): string {
  if (shape.kind === "list") return content(shape.item, indent);
  if (shape.kind === "names") return namesType(indent);
  return shape.kind === "mapping" ? mappingType(shape, indent) : simpleType(shape, indent);
}

function mappingType({ fields, required }: ShapeOf<"mapping">, indent: string): string {
  const all = Object.entries(fields);
  const inner = all.filter(([, field]) => !isSingle(field));
  const hasList = inner.some(([, field]) => field.kind === "list");
  // A schema of version 1.0 has no group in any order of which one may be repeated.
  const group = hasList ? 'xs:choice minOccurs="0" maxOccurs="unbounded"' : "xs:all";
  const elements = inner.map(([name, field]) =>
    element(name, field, {
      indent: `${indent}    `,
      occurs: hasList || name in required ? "" : ' minOccurs="0"',
    }),
  );
  const particle =
    elements.length === 0
      ? ""
      : `${indent}  <${group}>\n${elements.join("")}${indent}  </${group.split(" ")[0]}>\n`;
  const attributes = all
    .filter(([, field]) => isSingle(field))
    .map(
      ([name, field]) =>
        `${indent}  <xs:attribute name="${name}"${name in required ? ' use="required"' : ""}>\n` +
        `${simpleType(field, `${indent}    `)}${indent}  </xs:attribute>\n`,
    );
  return `${indent}<xs:complexType>\n${particle}${attributes.join("")}${indent}</xs:complexType>\n`;
}

function namesType(indent: string): string {
  const lines = [
    "<xs:complexType>",
    "  <xs:sequence>",
    '    <xs:element name="entry" minOccurs="0" maxOccurs="unbounded">',
    "      <xs:complexType>",
    '        <xs:attribute name="name" type="xs:string" use="required"/>',
    '        <xs:attribute name="value" type="xs:string" use="required"/>',
    "      </xs:complexType>",
    "    </xs:element>",
    "  </xs:sequence>",
    "</xs:complexType>",
  ];
  return lines.map((line) => `${indent}${line}\n`).join("");
}

/** True for values that are an attribute. */
function isSingle({ kind }: AnyShape): boolean {
  return kind !== "mapping" && kind !== "list" && kind !== "names";
}

function simpleType(shape: AnyShape, indent: string): string {
  const [base, facets] = restriction(shape);
  const lines = facets.map(
    ([name, value]) => `${indent}    <xs:${name} value="${escaped(String(value))}"/>\n`,
  );
  return (
    `${indent}<xs:simpleType>\n${indent}  <xs:restriction base="xs:${base}">\n${lines.join("")}` +
    `${indent}  </xs:restriction>\n${indent}</xs:simpleType>\n`
  );
}

type Facets = readonly (readonly [string, string | number])[];

function restriction(shape: AnyShape): readonly [string, Facets] {
  switch (shape.kind) {
    case "word":
      return ["string", shape.words.map((word) => ["enumeration", word] as const)];
    case "flag":
      return ["boolean", [["pattern", "true|false"]]];
    case "count":
      return [
        "integer",
        [
          ["minInclusive", shape.least],
          ["maxInclusive", shape.most],
        ],
      ];
    case "number":
      return [
        "double",
        [
          [shape.isAbove === true ? "minExclusive" : "minInclusive", shape.least],
          ["maxInclusive", shape.most],
        ],
      ];
    case "quantity":
      return ["string", [["pattern", unanchored(UNIT_PATTERNS[shape.unit])]]];
    case "text":
      return ["string", shape.pattern === undefined ? [] : [["pattern", unanchored(shape.pattern)]]];
    default:
      return ["string", []];
  }
}

/** A pattern of XML Schema is anchored at both ends by itself. */
function unanchored(pattern: string): string {
  return pattern.replace(/^\^/, "").replace(/\$$/, "");
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
