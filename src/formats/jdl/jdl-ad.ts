/**
 * Ads of a JDL text: a job, or a node of a DAG or collection, with attributes that know their places and are
 * evaluated within the whole ad, so that `root.` and `parent.` mean what they say.
 */
import {
  type ClassAd,
  type ClassAdValue,
  evaluate,
  type Node,
  parseExpression,
  unparse,
} from "../../classad/index.ts";
import { type JdlText, namePlace } from "./jdl-text.ts";

/** An ad as ClassAd syntax has it. */
export type RecordNode = Extract<Node, { kind: "record" }>;

/** An attribute with its place. */
export interface JdlAttribute {
  readonly name: string;
  readonly key: string;
  readonly node: Node;
  /** Offset of the expression. */
  readonly at: number;
  readonly nameAt: number;
  readonly value: () => ClassAdValue;
}

/** An ad; an attribute that it inherits counts as its own. */
export interface JdlAd {
  /** Offset at which it begins. */
  readonly at: number;
  readonly attributes: readonly JdlAttribute[];
}

/** The whole ad of a text, and the path to an ad in it. */
export interface AdPlace {
  readonly source: JdlText;
  readonly whole: ClassAd;
  /** Path from the outermost ad; absent for that one. */
  readonly path?: Node;
}

/** The ad at a place. */
export function adAt(record: RecordNode, { source, whole, path }: AdPlace): JdlAd {
  const attributes = record.attributes.map((attribute) => {
    const { name, key, node } = attribute;
    const at = source.offsetOf(attribute);
    const reached: Node = path === undefined ? { kind: "reference", name, key } : selected(path, name);
    const value = () => valueIn(reached, whole);
    return { name, key, node, at, nameAt: namePlace(source.text, at), value };
  });
  for (const { key, name, line, column } of record.replaced ?? []) {
    const later = attributes.find((one) => one.key === key);
    if (later !== undefined)
      source.notes.problem(later.nameAt, givenTwice(name, later.name, { line, column }));
  }
  const [first] = attributes;
  return { at: first === undefined ? 0 : first.nameAt, attributes };
}

/** The attribute of a name in any case. */
export function attributeIn({ attributes }: JdlAd, name: string): JdlAttribute | undefined {
  return attributes.find(({ key }) => key === name.toLowerCase());
}

/** `path.name`. */
export function selected(path: Node, name: string): Node {
  return { kind: "select", of: path, name, key: name.toLowerCase() };
}

/** `path[index]`. */
export function indexed(path: Node, index: number): Node {
  return {
    kind: "subscript",
    of: path,
    index: { kind: "literal", value: { kind: "integer", value: index } },
  };
}

const FAILED: ClassAdValue = { kind: "error" };

function valueIn(reached: Node, self: ClassAd): ClassAdValue {
  const read = parseExpression(unparse(reached));
  return read.ok ? evaluate(read.value, { self }) : FAILED;
}

/** An attribute as it was written, shortened. */
export function writtenText({ name, node }: JdlAttribute): string {
  const text = `${name} = ${unparse(node)}`;
  return text.length > MOST_WRITTEN ? `${text.slice(0, MOST_WRITTEN)}…` : text;
}

const MOST_WRITTEN = 120;

/** ClassAds take the last of two; in JDL it is a mistake. */
function givenTwice(earlier: string, name: string, { line, column }: { line: number; column: number }) {
  return {
    code: "duplicateAttribute",
    what: `${name} is given twice`,
    why: `line ${line}, column ${column} has ${earlier} already, and names ignore case`,
    remedy: "keep one of them",
  };
}
