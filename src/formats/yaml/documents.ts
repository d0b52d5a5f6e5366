/** Documents of a YAML text as values; all problems of syntax are reported. */
import type { ErrorCode, YAMLError } from "yaml";
import { type Notes, takeNotes, type Words } from "./remark.ts";
import { yamlStream } from "./stream.ts";
import { documentValue } from "./tree.ts";
import type { Value } from "./value.ts";

/** One document that has something in it. */
export interface YamlDocument {
  readonly value: Value;
  /** True for valid YAML: no duplicate keys, no invalid aliases. */
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

const remedies: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: "indent with blanks; tabs may stand inside a line only",
  BAD_INDENT: "give the lines of one list or mapping the same number of blanks in front",
  MISSING_CHAR: "close every quote and bracket, and put a blank behind each colon",
  BAD_DQ_ESCAPE: "inside \"double quotes\" write \\\\ for a backslash, or use 'single quotes'",
  BAD_SCALAR_START: "put the value in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put a value that contains a colon and a blank in quotes",
  MULTILINE_IMPLICIT_KEY: "put a colon and a value behind the name on the same line",
  BAD_ALIAS: "put a value that begins with * or & in quotes",
};
const otherRemedy = "write it as name: value, one a line; a value with special characters goes in quotes";

/** The words for one error of the library. */
function syntaxWords({ code, message }: YAMLError): Words {
  return {
    code: "yamlSyntax",
    what: "this is not YAML",
    why: saidByLibrary(message),
    remedy: remedies[code] ?? otherRemedy,
  };
}

/** The words for one warning of the library: a tag that means nothing here. */
function syntaxWarning({ message }: YAMLError): Words {
  return {
    code: "yamlOddity",
    what: "something here has no effect",
    why: saidByLibrary(message),
    remedy: "take it out; tags (!…) and directives (%…) have no effect here",
  };
}

/** The library's sentence, which may quote the text: short, on one line, harmless to a terminal. */
function saidByLibrary(message: string): string {
  const line = message.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "?");
  return `the reader says: ${line.length > 100 ? `${line.slice(0, 100)}…` : line}`;
}
