/**
 * The documents of a YAML text as values, with everything that is wrong about their syntax told.
 */
import type { YAMLError } from "yaml";
import { type Notes, takeNotes } from "./remark.ts";
import { yamlStream } from "./stream.ts";
import { syntaxWarning, syntaxWords } from "./syntax.ts";
import { documentValue } from "./tree.ts";
import type { Value } from "./value.ts";

/** One document that has something in it. */
export interface YamlDocument {
  readonly value: Value;
  /** Whether nothing was wrong with it as YAML: no doubled keys, no odd aliases. */
  readonly isSound: boolean;
}

/** Where remarks about `text` are collected, and its documents; empty and damaged ones are passed over. */
export function yamlDocuments(text: string): {
  readonly notes: Notes;
  readonly documents: () => Iterable<YamlDocument>;
} {
  const stream = yamlStream(text, () => notes);
  const notes = takeNotes(stream.positionOf);
  function* documents(): Generator<YamlDocument> {
    for (const document of stream.documents()) {
      tellSyntax(document.errors, notes);
      for (const warning of document.warnings) notes.warning(warning.pos[0], syntaxWarning(warning));
      // What a damaged document seems to say would only be told to be wrong as well.
      if (document.errors.length > 0) continue;
      const before = notes.problemCount();
      const value = documentValue(document, notes);
      if (value !== undefined) yield { value, isSound: notes.problemCount() === before };
    }
  }
  return { notes, documents };
}

/** The first of each line: one stray character makes an error of everything behind it. */
function tellSyntax(errors: readonly YAMLError[], notes: Notes): void {
  let lastLine = 0;
  for (const error of errors) {
    const line = notes.lineOf(error.pos[0]);
    if (line !== lastLine) notes.problem(error.pos[0], syntaxWords(error));
    lastLine = line;
  }
}
