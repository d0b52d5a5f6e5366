/**
 * What the YAML library objects to, in words for somebody who has never read the YAML specification.
 */
import type { ErrorCode, YAMLError } from "yaml";
import type { Words } from "./remark.ts";

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
export function syntaxWords({ code, message }: YAMLError): Words {
  return {
    code: "yamlSyntax",
    what: "this is not YAML",
    why: saidByLibrary(message),
    remedy: remedies[code] ?? otherRemedy,
  };
}

/** The words for one warning of the library: a tag that means nothing here. */
export function syntaxWarning({ message }: YAMLError): Words {
  return {
    code: "yamlOddity",
    what: "something here has no effect",
    why: saidByLibrary(message),
    remedy: "take it out; tags (!…) and directives (%…) mean nothing here",
  };
}

/** The library's sentence, which may quote the text: short, on one line, harmless to a terminal. */
function saidByLibrary(message: string): string {
  const line = message.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, "?");
  return `the reader says: ${line.length > 100 ? `${line.slice(0, 100)}…` : line}`;
}
