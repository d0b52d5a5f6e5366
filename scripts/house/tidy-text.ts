/** Rules about a file's name and lines, which need no parsing. */
import { basename } from "node:path";
import type { Finding } from "./finding.ts";
import { isSource, positionAt, type TextFile } from "./tree.ts";

const limits = { lines: 400, columns: 110 };

interface TextRule {
  readonly rule: string;
  /** Pattern with the global flag; every match is a finding. Written so that it does not match itself. */
  readonly pattern: RegExp;
  readonly applies: (file: string) => boolean;
  readonly what: string;
  readonly remedy: string;
}

const textRules: readonly TextRule[] = [
  {
    rule: "finished",
    pattern: /\b(TO[D]O|FIX[M]E)\b/g,
    applies: isSource,
    what: "unfinished business",
    remedy: "Do it now, or write an issue and say in the text what is there today.",
  },
  {
    rule: "reasoned-exceptions",
    pattern: /@ts-(ignore|expect-error|nocheck)(?!: ?\S.{9})/g,
    applies: isSource,
    what: "silences the compiler without a reason",
    remedy: "Mend the type, or write the reason on the same line after a colon.",
  },
  {
    rule: "reasoned-exceptions",
    pattern: /\bbiome-ignore(-all|-start|-end)?\b(?! [\w/]+(\(.*?\))?: ?\S.{9})/g,
    applies: isSource,
    what: "silences the linter without a reason",
    remedy: "Mend the code, or name the rule and write the reason after a colon.",
  },
  {
    rule: "no-machine-paths",
    pattern: /(?<![\w.~$}\]/-])\/(work|root|home|Users)\/\w/g,
    applies: (file) => !isCaptured(file),
    what: "a path of one machine",
    remedy: "Use a path relative to the repository, os.tmpdir(), or in examples a neutral one (/data/…).",
  },
  {
    rule: "no-registry-hosts",
    pattern: /\bregistry\.(npmjs|yarnpkg|npmmirror)\b|"resolved":\s*"https?:/g,
    applies: () => true,
    what: "names the registry of one machine",
    remedy: "Leave the registry to the user's npm; .npmrc keeps `resolved` out of package-lock.json.",
  },
];

/** True for captured outputs of real systems, which stay as they were, home directories included. */
function isCaptured(file: string): boolean {
  return /(^|\/)fixtures\//.test(file);
}

/** Judges the lines of any text file, and the size of a source file. */
export function tidyText({ file, text }: TextFile): Finding[] {
  const found = textRules
    .filter(({ applies }) => applies(file))
    .flatMap(({ rule, pattern, what, remedy }) =>
      [...text.matchAll(pattern)].map((match) => ({
        file,
        ...positionAt(text, match.index),
        rule,
        what: `${what}: ${match[0]}`,
        remedy,
      })),
    );
  return isSource(file) ? [...found, ...tidySize({ file, text })] : found;
}

function tidySize({ file, text }: TextFile): Finding[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const findings: Finding[] = [];
  if (lines.length > limits.lines) {
    findings.push({
      file,
      line: limits.lines + 1,
      column: 1,
      rule: "file-length",
      what: `${lines.length} lines, ${limits.lines} is the most`,
      remedy: "Find the second idea in it and give that a file of its own, named after what is inside.",
    });
  }
  for (const [at, line] of lines.entries()) {
    const columns = [...line].length;
    if (columns <= limits.columns || /https?:\/\//.test(line)) continue;
    findings.push({
      file,
      line: at + 1,
      column: limits.columns + 1,
      rule: "line-length",
      what: `${columns} columns, ${limits.columns} is the most`,
      remedy: "Break the line (`npm run format` does it for code; comments and long texts by hand).",
    });
  }
  return findings;
}

/** Judges the name of a source file. */
export function tidyName(file: string): Finding[] {
  const name = basename(file).replace(/^\./, "");
  const at = { file, line: 1, column: 1 };
  const findings: Finding[] = [];
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)+$/.test(name)) {
    findings.push({
      ...at,
      rule: "kebab-case",
      what: `${name} is not in kebab-case`,
      remedy: "Name the file in lower case with dashes, after what is inside.",
    });
  }
  if (/^(utils?|helpers?|misc|common)\./.test(name)) {
    findings.push({
      ...at,
      rule: "telling-name",
      what: `${name} says nothing about what is inside`,
      remedy: "Name it after what it holds; where it holds several things, they are several files.",
    });
  }
  return findings;
}
