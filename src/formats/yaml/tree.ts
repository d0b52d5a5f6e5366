/**
 * Turns a composed YAML document into values, resolving aliases within bounds.
 *
 * Ours instead of the library's `toJS`: it retains positions and the characters written, and reports
 * duplicate keys with both positions. An alias shares its value; the number of values it would copy is
 * counted, so that a walk over the result is bounded (exponential aliases stop there). Cost: O(values).
 */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from "yaml";
import { echoText } from "../echo-text.ts";
import type { Notes, Words } from "./remark.ts";
import type { Entry, Value } from "./value.ts";

const maxCopied = 10_000;

interface Anchored {
  readonly value: Value;
  /** Values in it, those shared through aliases counted as if written there. */
  readonly size: number;
}

interface Walk {
  readonly notes: Notes;
  /** Values by anchor at this point of the text; "open" within the anchored value. */
  readonly anchors: Map<string, Anchored | "open">;
  made: number;
  copied: number;
}

/** The document's value; undefined where it is empty. */
export function documentValue({ contents }: Document.Parsed, notes: Notes): Value | undefined {
  if (contents === null || (isScalar(contents) && contents.value === null)) return undefined;
  return walk(contents, { notes, anchors: new Map(), made: 0, copied: 0 });
}

function walk(node: Node, it: Walk): Value {
  const at = node.range?.[0] ?? 0;
  if (isAlias(node)) return shared(node.source, at, it);
  const name = node.anchor;
  const before = it.made++;
  if (name) it.anchors.set(name, "open");
  const value = isScalar(node) ? scalar(node, at) : collection(node, at, it);
  if (name) it.anchors.set(name, { value, size: it.made - before });
  return value;
}

function collection(node: Node, at: number, it: Walk): Value {
  if (isSeq<Node>(node)) return { kind: "list", at, items: node.items.map((item) => walk(item, it)) };
  if (!isMap<Node, Node | null>(node)) return emptyAt(at);
  const entries = new Map<string, Entry>();
  for (const { key, value } of node.items) {
    const keyAt = key.range?.[0] ?? at;
    const name = walk(key, it);
    if (name.kind !== "scalar") {
      it.notes.problem(keyAt, keyIsNoWord);
      continue;
    }
    const earlier = entries.get(name.text);
    const entry = { key: name.text, keyAt, value: value === null ? emptyAt(keyAt) : walk(value, it) };
    if (earlier === undefined) entries.set(name.text, entry);
    else it.notes.problem(keyAt, duplicateKey(name.text, it.notes.lineOf(earlier.keyAt)));
  }
  return { kind: "mapping", at, entries: [...entries.values()] };
}

/** Value of an alias. */
function shared(name: string, at: number, it: Walk): Value {
  const anchored = it.anchors.get(name);
  if (anchored === undefined || anchored === "open") {
    const isOpen = anchored === "open";
    const why = isOpen ? "it would contain itself" : "no anchor of that name stands before it";
    it.notes.problem(at, badAlias(name, why));
    return emptyAt(at);
  }
  const isFirstTooMany = it.copied <= maxCopied;
  it.made += anchored.size;
  it.copied += anchored.size;
  if (it.copied <= maxCopied) return anchored.value;
  if (isFirstTooMany) {
    it.notes.problem(at, badAlias(name, `aliases here copy more than ${maxCopied} values`));
  }
  return emptyAt(at);
}

function scalar({ value, source }: Scalar, at: number): Value {
  const text = source ?? String(value ?? "");
  const isPlain = typeof value === "number" || typeof value === "boolean" || value === null;
  return { kind: "scalar", at, text, value: isPlain ? value : text };
}

function emptyAt(at: number): Value {
  return { kind: "scalar", at, text: "", value: null };
}

const keyIsNoWord: Words = {
  code: "keyNotWord",
  what: "a list or a mapping is where a name is expected",
  why: "names are single words, followed by a colon and a value",
  remedy: "write it as name: value",
};

function duplicateKey(name: string, line: number): Words {
  return {
    code: "duplicateKey",
    what: `${echoText(name)} is given twice`,
    why: `line ${line} already has it, and the two values contradict each other`,
    remedy: "take one of them out",
  };
}

function badAlias(name: string, why: string): Words {
  return {
    code: "badAlias",
    what: `the alias ${echoText(`*${name}`)} cannot be resolved`,
    why,
    remedy: "write the value itself in place of the alias; put a word that begins with * in quotes",
  };
}
