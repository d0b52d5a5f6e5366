/** A job in JDL: the attributes of EGEE/gLite, and those that Stint reads beside them. */
import { formatDuration } from "../../base/index.ts";
import { type Node, parseExpression, unparse } from "../../classad/index.ts";
import type { JobDescription } from "../../model/index.ts";
import { rowOf, TABLE } from "../jdl/index.ts";
import { type WrittenJob, wordsOf } from "./written-job.ts";

/** Longest text of ClassAds. */
const MOST_TEXT = 65_536;

/** Writes one ad in brackets. */
export function jdlOf(description: JobDescription): WrittenJob {
  const unsaid: string[] = [];
  const attributes: Attribute[] = [];
  for (const [word, value] of wordsOf(description)) {
    if (word === "attributes") attributes.push(...namedAttributes(value, unsaid));
    else attributes.push(...attributeOf(word, value, { description, unsaid }));
  }
  // Mandatory beside InputData; an empty list is any protocol.
  if (description.inputData !== undefined && description.dataAccessProtocol === undefined) {
    attributes.push({ name: "DataAccessProtocol", node: { kind: "list", items: [] } });
  }
  const lines = attributes.map(({ name, node }) => `  ${withoutBrackets(name, node)};\n`);
  return { text: `[\n${lines.join("")}]\n`, unsaid };
}

interface Attribute {
  readonly name: string;
  readonly node: Node;
}

interface Writing {
  readonly description: JobDescription;
  readonly unsaid: string[];
}

function attributeOf(word: string, value: unknown, { description, unsaid }: Writing): readonly Attribute[] {
  const row = TABLE.find(({ becomes, name }) => becomes === word && !ALIASES.has(name));
  const node = row === undefined ? undefined : valueNode(word, value, { description, unsaid });
  if (row === undefined || node === undefined) {
    unsaid.push(`${word}: ${JSON.stringify(value)}`);
    return [];
  }
  return [{ name: row.name, node }];
}

/** Rows that say the same as others. */
const ALIASES: ReadonlySet<string> = new Set(["InputSandboxBaseURI", "NodeName", "DataRequirements"]);

function valueNode(word: string, value: unknown, { description, unsaid }: Writing): Node | undefined {
  const { wallTimeMs, expiryTimeMs, fuzzyRank, environment, userTags } = description;
  switch (word) {
    case "requirements":
    case "rank":
      return expressionNode(String(value));
    case "environment":
      return textsNode(Object.entries(environment).map(([name, text]) => `${name}=${text}`));
    case "userTags":
      return tagsNode(userTags, unsaid);
    case "wallTime": {
      const ms = wallTimeMs ?? 0;
      return ms % 1000 === 0 ? numberNode(ms / 1000) : textNode(formatDuration(ms));
    }
    case "expiryTime": {
      const ms = expiryTimeMs ?? 0;
      if (ms % 1000 !== 0) unsaid.push("expiryTime is rounded down to whole seconds");
      return numberNode(Math.floor(ms / 1000));
    }
    case "outputData":
      return { kind: "list", items: (description.outputData ?? []).map(outputNode) };
    case "fuzzyRank":
      return typeof fuzzyRank === "number" ? numberNode(fuzzyRank) : flagNode(fuzzyRank === true);
    case "checkpointable":
    case "wholeNodes":
    case "strictDefaults":
      return flagNode(value === true);
    default:
      if (typeof value === "number") return numberNode(value);
      return Array.isArray(value) ? textsNode(value.map(String)) : textNode(String(value));
  }
}

/** Attributes beside those of a job; one that JDL has a meaning for cannot be said. */
function namedAttributes(value: unknown, unsaid: string[]): readonly Attribute[] {
  return Object.entries(value ?? {}).flatMap(([name, text]) => {
    const node = expressionNode(String(text));
    const row = rowOf(name);
    if (node !== undefined && (row?.becomes === undefined || row.noEffect !== undefined))
      return [{ name, node }];
    unsaid.push(`attributes: { ${name}: ${JSON.stringify(text)} }`);
    return [];
  });
}

function outputNode({ file, name, store }: NonNullable<JobDescription["outputData"]>[number]): Node {
  const said = { OutputFile: file, LogicalFileName: name, StorageElement: store };
  const attributes = Object.entries(said).flatMap(([word, text]) => {
    const node = text === undefined ? undefined : textNode(text);
    return node === undefined ? [] : [{ name: word, key: word.toLowerCase(), node, line: 1, column: 1 }];
  });
  return { kind: "record", attributes };
}

function tagsNode(tags: Readonly<Record<string, string>>, unsaid: string[]): Node {
  const names = new Set<string>();
  const attributes = Object.entries(tags).flatMap(([name, text]) => {
    const key = name.toLowerCase();
    const node = names.has(key) ? undefined : textNode(text);
    names.add(key);
    if (node !== undefined) return [{ name, key, node, line: 1, column: 1 }];
    unsaid.push(`userTags: { ${name}: ${JSON.stringify(text)} }`);
    return [];
  });
  return { kind: "record", attributes };
}

function expressionNode(text: string): Node | undefined {
  const read = parseExpression(text);
  return read.ok ? read.value.node : undefined;
}

function textNode(value: string): Node | undefined {
  return value.length > MOST_TEXT ? undefined : { kind: "literal", value: { kind: "string", value } };
}

function textsNode(texts: readonly string[]): Node | undefined {
  const items = texts.flatMap((text) => textNode(text) ?? []);
  return items.length === texts.length ? { kind: "list", items } : undefined;
}

function numberNode(value: number): Node {
  const kind = Number.isInteger(value) ? "integer" : "real";
  return { kind: "literal", value: { kind, value } };
}

function flagNode(value: boolean): Node {
  return { kind: "literal", value: { kind: "boolean", value } };
}

/** `name = expression` in canonical spelling. */
function withoutBrackets(name: string, node: Node): string {
  const key = name.toLowerCase();
  const record: Node = { kind: "record", attributes: [{ name, key, node, line: 1, column: 1 }] };
  return unparse(record).slice(2, -2);
}
