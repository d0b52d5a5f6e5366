/** Checks of descriptions for what keeps a stream from running at every site. */
import { parseExpression } from "../../classad/index.ts";
import type { Read, streamShape } from "../../contract/files/index.ts";
import { splitShellWords } from "../job-yaml/index.ts";
import type { Words } from "../yaml/index.ts";
import * as words from "./words.ts";

/** A stream as its shape reads it. */
export type SaidStream = Read<typeof streamShape>;

/** Something wrong, by the mapping and the word in it that have it. */
export type Contradiction = readonly [of: object, word: string | undefined, wrong: Words];

type SaidSource = SaidStream["sources"]["source"][number];

/** Problems of the description, each with its place. */
export function unrunnable(said: SaidStream): readonly Contradiction[] {
  return [
    ...said.sources.source.flatMap(ofSource),
    ...ofResults(said),
    ...ofStages(said),
    ...ofProcessors(said),
  ];
}

function ofProcessors({ processors }: SaidStream): readonly Contradiction[] {
  if (processors.requirements === undefined) return [];
  const parsed = parseExpression(processors.requirements);
  return parsed.ok ? [] : [[processors, "requirements", words.badRequirements(parsed.refusal)]];
}

function ofSource(source: SaidSource): readonly Contradiction[] {
  const { manifest, prefix, generator, exec, checksum, mirror, href, endless, end } = source;
  const found: Contradiction[] = [];
  if (prefix !== undefined && !/^(s3:\/\/|file:\/\/\/)/.test(prefix))
    found.push([source, "prefix", words.badPrefix(prefix)]);
  if (generator !== undefined && !/\{n(:\d)?\}/.test(generator))
    found.push([source, "generator", words.noCounter]);
  if (exec !== undefined && !isProgram(exec)) found.push([source, "exec", words.noWords]);
  if (exec !== undefined && mirror.length > 0) found.push([source, "mirror", words.mirroredProgram]);
  const isList = (manifest ?? prefix ?? generator) !== undefined;
  if (isList && checksum !== undefined) found.push([source, "checksum", words.listChecksum]);
  const isGrowing = endless && href !== undefined;
  if (isGrowing && checksum !== undefined) found.push([source, "checksum", words.growingChecksum]);
  if (!isGrowing && end !== undefined) found.push([source, "end", words.misplacedEnd]);
  return found;
}

function isProgram(text: string): boolean {
  const split = splitShellWords(text);
  return split.ok && split.value.words.length > 0;
}

function ofResults({ sink, processing }: SaidStream): readonly Contradiction[] {
  if (sink === undefined) return [];
  const isKnown = /^(https?:\/\/|file:\/\/\/)/.test(sink.href);
  const isAppendingToServer = sink.mode === "append" && /^https?:/.test(sink.href);
  return [
    ...(isKnown ? [] : [[sink, "href", words.badSink(sink.href)] as const]),
    ...(isAppendingToServer ? [[sink, "mode", words.appendToServer] as const] : []),
    ...(processing.ack === "bytes" ? [[processing, "ack", words.bytesWithSink] as const] : []),
  ];
}

function ofStages({ pipeline, processing }: SaidStream): readonly Contradiction[] {
  const stages = pipeline?.stage ?? [];
  const again = stages.find(({ name }, at) => stages.findIndex((it) => it.name === name) < at);
  const isByBytes = stages.length > 1 && processing.ack === "bytes";
  return [
    ...(again === undefined ? [] : [[again, "name", words.sameStages(again.name)] as const]),
    ...(isByBytes ? [[processing, "ack", words.bytesWithStages] as const] : []),
  ];
}
