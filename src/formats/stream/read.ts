/**
 * Reads streams in YAML and in XML, by one shape.
 *
 * XML is read without document types and entities, up to 64 levels and 10 MB.
 */
import { accepted, type Result, refused } from "../../base/index.ts";
import { streamFileShape } from "../../contract/files/index.ts";
import type { StreamSpec } from "../../stream/index.ts";
import { textPositions } from "../text-positions.ts";
import { readElements } from "../xml/index.ts";
import { type Remark, readDocument, readValue, takeNotes } from "../yaml/index.ts";
import { completeStream } from "./complete.ts";
import * as words from "./words.ts";
import { elementValue } from "./xml-value.ts";

/** The largest stream in XML that is read. */
export const MOST_STREAM_BYTES = 10_000_000;
const MOST_DEPTH = 64;

/** Forms of a stream, as messages name them. */
export type StreamForm = "stream XML" | "stream YAML";

/** A stream where nothing is wrong, else what is. */
export interface StreamReading {
  readonly form: StreamForm;
  readonly stream: StreamSpec | undefined;
  readonly problems: readonly Remark[];
}

const RULES = {
  noun: "a stream",
  example:
    "{ stream: { name: h1, executable: { path: analyse }, bandwidth: { min: 2MB/s }, " +
    "storage: { min: 1GB }, sources: { source: [{ href: h1.gwf }] } } }",
};

/** The form of a text by its content; undefined where it is no stream. */
export function streamForm(text: string): StreamForm | undefined {
  const beginning = head(text);
  if (/^\s*</.test(beginning)) {
    const first = /<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)/.exec(beginning)?.[1];
    return first === "stream" ? "stream XML" : undefined;
  }
  const isYaml = /^stream[ \t]*:[ \t]*(#.*|\{.*)?\r?$|^\{\s*"?stream"?\s*:\s*\{/m.test(beginning);
  return isYaml ? "stream YAML" : undefined;
}

/** Enough of a text to recognise it. */
function head(text: string): string {
  return text.slice(0, 10_000).replace(/^\ufeff/, "");
}

/** Reads a text that is a stream by its form. */
export function readStreamText(text: string, form: StreamForm): StreamReading {
  return form === "stream XML" ? readStreamXml(text) : readStreamYaml(text);
}

/** Reads a stream in YAML. */
export function readStreamYaml(text: string): StreamReading {
  const reading = readDocument(text, streamFileShape, RULES);
  const isSound = reading.problems().length === 0;
  const stream =
    reading.said === undefined || !isSound ? undefined : completeStream(reading.said.stream, reading);
  return { form: "stream YAML", stream, problems: reading.problems() };
}

/** Reads a stream in XML. */
export function readStreamXml(text: string): StreamReading {
  const notes = takeNotes(textPositions(text).positionOf);
  const form = "stream XML";
  const wrong = () => notes.collected().problems;
  const root = rootOf(text);
  if (!root.ok) {
    notes.problem(root.refusal.at, root.refusal.words);
    return { form, stream: undefined, problems: wrong() };
  }
  const inner = elementValue(root.value, streamFileShape.fields.stream, notes);
  const value = {
    ...{ kind: "mapping" as const, at: root.value.at },
    entries: [{ key: "stream", keyAt: root.value.at, value: inner }],
  };
  const reading = readValue({ name: "", value, notes }, streamFileShape, RULES);
  const isSound = notes.problemCount() === 0;
  const stream =
    reading.said === undefined || !isSound ? undefined : completeStream(reading.said.stream, reading);
  return { form, stream, problems: wrong() };
}

function rootOf(text: string): Result<Exclude<ReturnType<typeof readElements>, { why: string }>, Refusal> {
  if (text.length > MOST_STREAM_BYTES) {
    return refused({ at: 0, words: words.noXml("it has more than 10 MB") });
  }
  const root = readElements(text, MOST_DEPTH);
  if ("why" in root) return refused({ at: root.at, words: words.noXml(root.why) });
  return root.name === "stream" ? accepted(root) : refused({ at: root.at, words: words.noStream(root.name) });
}

interface Refusal {
  readonly at: number;
  readonly words: ReturnType<typeof words.noXml>;
}
