/** Values of attributes, as the table says what each takes; what is none is a problem at its place. */
import { parseDuration, parseSize } from "../../base/index.ts";
import { type ClassAdValue, unparse } from "../../classad/index.ts";
import { echoText } from "../echo-text.ts";
import type { Words } from "../yaml/index.ts";
import type { TableRow, Takes } from "./attribute-table.ts";
import type { JdlAttribute } from "./jdl-ad.ts";
import { itemPlaces, type JdlText } from "./jdl-text.ts";

/** A text with its place. */
export interface PlacedText {
  readonly text: string;
  readonly at: number;
}

/** A value by its kind. */
export type TypedValue =
  | ({ readonly kind: "text" } & PlacedText)
  | { readonly kind: "texts"; readonly items: readonly PlacedText[]; readonly isList: boolean }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "flag"; readonly flag: boolean }
  | { readonly kind: "ads"; readonly ads: readonly PlainAd[] }
  | { readonly kind: "expression"; readonly text: string }
  | { readonly kind: "anything" };

/** An attribute with its row of the table and its value. */
export interface TypedAttribute {
  readonly row: TableRow;
  readonly attribute: JdlAttribute;
  readonly value: TypedValue;
}

/** Texts of the attributes of an ad; a value that is no text is its expression. */
type PlainAd = ReadonlyMap<string, string>;

/** Replaces the parameter of a parametric job; the identity for other jobs. */
export type Substitute = (text: string) => string;

interface Asked {
  readonly attribute: JdlAttribute;
  readonly row: TableRow;
  readonly source: JdlText;
  readonly substitute: Substitute;
}

const NOUNS: Readonly<Record<Takes, string>> = {
  text: "a text",
  texts: "a text or a list of texts",
  count: "a whole number",
  number: "a number",
  flag: "true or false",
  flagOrNumber: "true, false or a number",
  duration: "a number of seconds, or a text such as 1h30m",
  size: "a number of MB, or a text such as 4G",
  ad: "attributes in [ ]",
  ads: "a list of [ ]",
  expression: "an expression",
  anything: "a value",
};

/** The value; undefined, with a problem, where it has another type. */
export function typedValue(asked: Asked): TypedValue | undefined {
  const { attribute, row, source, substitute } = asked;
  if (row.takes === "expression") return { kind: "expression", text: substitute(unparse(attribute.node)) };
  if (row.takes === "anything") return { kind: "anything" };
  const value = attribute.value();
  const read = byType(value, asked);
  if (read === undefined) source.notes.problem(attribute.at, wrongValue(value, asked));
  return read;
}

function byType(value: ClassAdValue, asked: Asked): TypedValue | undefined {
  const { attribute, row, substitute } = asked;
  switch (row.takes) {
    case "text":
      return value.kind === "string"
        ? { kind: "text", text: substitute(value.value), at: attribute.at }
        : undefined;
    case "texts":
      return textsOf(value, asked);
    case "count":
      return value.kind === "integer" && isWithin(value.value, row)
        ? { kind: "number", number: value.value }
        : undefined;
    case "number":
      return isNumber(value) ? { kind: "number", number: value.value } : undefined;
    case "flagOrNumber":
      if (isNumber(value) && value.value > 0) return { kind: "number", number: value.value };
      return value.kind === "boolean" ? { kind: "flag", flag: value.value } : undefined;
    case "flag":
      return value.kind === "boolean" ? { kind: "flag", flag: value.value } : undefined;
    case "duration":
    case "size":
      return quantityOf(value, row.takes, substitute);
    case "ad":
      return value.kind === "ad" ? { kind: "ads", ads: [plainAd(value, substitute)] } : undefined;
    case "ads": {
      const items = value.kind === "list" ? value.items : [value];
      const ads = items.flatMap((item) => (item.kind === "ad" ? [plainAd(item, substitute)] : []));
      return ads.length === items.length ? { kind: "ads", ads } : undefined;
    }
    default:
      return undefined;
  }
}

function isWithin(count: number, { least = 0, most = Number.MAX_SAFE_INTEGER }: TableRow): boolean {
  return count >= least && count <= most;
}

function isNumber(
  value: ClassAdValue,
): value is Extract<ClassAdValue, { readonly kind: "integer" | "real" }> {
  return value.kind === "integer" || value.kind === "real";
}

function textsOf(value: ClassAdValue, { attribute, source, substitute }: Asked): TypedValue | undefined {
  const { at } = attribute;
  if (value.kind === "string") {
    return { kind: "texts", items: [{ text: substitute(value.value), at }], isList: false };
  }
  if (value.kind !== "list") return undefined;
  const places = itemPlaces(source.text, at);
  const items: PlacedText[] = [];
  for (const [index, item] of value.items.entries()) {
    const place = (places.length === value.items.length ? places[index] : undefined) ?? at;
    // `{ "a", root.InputSandbox }`: a list within is that many items.
    const within = item.kind === "list" ? item.items : [item];
    for (const one of within) {
      if (one.kind !== "string") return undefined;
      items.push({ text: substitute(one.value), at: place });
    }
  }
  return { kind: "texts", items, isList: true };
}

function quantityOf(
  value: ClassAdValue,
  takes: "duration" | "size",
  substitute: Substitute,
): TypedValue | undefined {
  if (value.kind === "relTime" && takes === "duration" && value.seconds > 0) {
    return { kind: "number", number: Math.round(value.seconds * 1000) };
  }
  if (value.kind !== "string" && value.kind !== "integer") return undefined;
  // A plain number of memory counts MB, as in GLUE and in the job's ad.
  const unit = value.kind === "integer" && takes === "size" ? "M" : "";
  const text = substitute(`${value.value}${unit}`);
  const read = takes === "duration" ? parseDuration(text) : parseSize(text);
  return read.ok && read.value > 0 ? { kind: "number", number: read.value } : undefined;
}

function plainAd(value: Extract<ClassAdValue, { kind: "ad" }>, substitute: Substitute): PlainAd {
  return new Map(
    value.scope.ad.node.attributes.map(({ name, node }) => {
      const isText = node.kind === "literal" && node.value.kind === "string";
      return [name, substitute(isText ? String(node.value.value) : unparse(node))];
    }),
  );
}

function wrongValue(value: ClassAdValue, { attribute, row }: Asked): Words {
  const { name, node } = attribute;
  const remedy = `write for instance ${name} = ${row.example}`;
  const written = echoText(unparse(node)).slice(1, -1);
  if (value.kind === "undefined" || value.kind === "error") {
    const why = `${written} is ${value.kind}`;
    return { code: "valueMissing", what: `${name} has no value`, why, remedy };
  }
  const { least, most } = row;
  const isBounded = row.takes === "count" && least !== undefined && least > Number.MIN_SAFE_INTEGER;
  const atMost = most === undefined ? "" : `, at most ${most}`;
  const bound = isBounded ? `, ${least} or more${atMost}` : "";
  return {
    code: "wrongType",
    what: `${name} cannot be ${written}`,
    why: `it takes ${NOUNS[row.takes]}${bound}`,
    remedy,
  };
}
