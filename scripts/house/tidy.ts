/**
 * The written style, as far as a machine can check it: sizes, names, docstrings, comments, links, and rules
 * with tests.
 */
import type { Finding, Report } from "./finding.ts";
import { tidyCode } from "./tidy-code.ts";
import { tidyLinks } from "./tidy-links.ts";
import { tidyLock } from "./tidy-lock.ts";
import { tidyRules } from "./tidy-rules.ts";
import { tidyName, tidyText } from "./tidy-text.ts";
import { isSource, listFiles, readText, type TextFile } from "./tree.ts";

/** Judges every text file below `root` that is not installed or built. */
export function tidy(root: string): Report {
  const files = listFiles(root).flatMap((file): TextFile[] => {
    const text = readText(root, file);
    return text === undefined ? [] : [{ file, text }];
  });
  const sources = files.filter(({ file }) => isSource(file));
  const findings: Finding[] = [
    ...sources.flatMap(({ file }) => tidyName(file)),
    ...files.flatMap(tidyText),
    ...sources.flatMap(tidyCode),
    ...files.filter(({ file }) => file.endsWith(".md")).flatMap((file) => tidyLinks(root, file)),
    ...files.filter(({ file }) => file === "package-lock.json").flatMap(tidyLock),
    ...tidyRules(files),
  ];
  return { seen: files.length, findings: sources.length > 0 ? findings : [nothingSeen, ...findings] };
}

const nothingSeen: Finding = {
  file: ".",
  line: 1,
  column: 1,
  rule: "sees-everything",
  what: "no source file was there to judge",
  remedy: "Run in the repository's root.",
};
