/**
 * Rules have ids, and every rule has a test that names it.
 *
 * A rule is a line `- **QU-1 In order** text` of a src/ folder's README.md: a law, with a title of two to
 * four words and at most 40 words of text. A test that names an id which no README knows is found as well:
 * the rule was renamed, or never written.
 */
import type { Finding } from "./finding.ts";
import { isTest, positionAt, type TextFile } from "./tree.ts";

const limits = { titleWords: [2, 4], words: 40 } as const;

interface Rule {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Judges all rules against all tests. */
export function tidyRules(files: readonly TextFile[]): Finding[] {
  const rules = files.filter(({ file }) => /^src\/.*README\.md$/.test(file)).flatMap(rulesOf);
  const tests = files.filter(({ file }) => isTest(file) && /\.tsx?$/.test(file) && !isOracle(file));
  const known = new Set(rules.map(({ id }) => id));
  const named = new Set(tests.flatMap(({ text }) => text.match(/\b[A-Z]{2,}-\d+\b/g) ?? []));
  return [
    ...untested(rules, named),
    ...twice(rules),
    ...lengthy(rules),
    ...tests.flatMap((test) => unwritten(test, known)),
  ];
}

function rulesOf({ file, text }: TextFile): Rule[] {
  return [...text.matchAll(/^ *- \*\*([A-Z]{2,}-\d+)([^*]*)\*\*(.*)/gm)].map((match) => ({
    id: match[1] ?? "",
    title: match[2] ?? "",
    text: match[3] ?? "",
    file,
    ...positionAt(text, match.index),
  }));
}

/** True for tests of the plain versions, which show nothing about the code that runs. */
function isOracle(file: string): boolean {
  return file.startsWith("test/plain/");
}

function untested(rules: readonly Rule[], named: ReadonlySet<string>): Finding[] {
  return rules
    .filter(({ id }) => !named.has(id))
    .map(({ id, file, line, column }) => ({
      file,
      line,
      column,
      rule: "rules-have-tests",
      what: `no test names ${id}`,
      remedy: "Write a test that fails when the rule is broken, with the id in its name.",
    }));
}

function twice(rules: readonly Rule[]): Finding[] {
  const seen = new Set<string>();
  return rules.flatMap(({ id, file, line, column }) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    return {
      file,
      line,
      column,
      rule: "rules-are-unique",
      what: `${id} is written twice`,
      remedy: "Give the later rule the next free number; numbers are never used again.",
    };
  });
}

function lengthy(rules: readonly Rule[]): Finding[] {
  const [least, most] = limits.titleWords;
  return rules.flatMap(({ id, title, text, file, line, column }) => {
    const [titleWords, words] = [title, text].map((part) => part.split(/\s+/).filter(Boolean).length);
    if (titleWords >= least && titleWords <= most && words <= limits.words) return [];
    return {
      file,
      line,
      column,
      rule: "rules-are-laws",
      what: `${id} has a title of ${titleWords} words and ${words} words of text`,
      remedy: `Give it ${least} to ${most} words of title, ${limits.words} of text; tests have the details.`,
    };
  });
}

function unwritten({ file, text }: TextFile, known: ReadonlySet<string>): Finding[] {
  const prefixes = new Set([...known].map((id) => id.replace(/-\d+$/, "")));
  return [...text.matchAll(/\b([A-Z]{2,})-\d+\b/g)].flatMap((match) => {
    if (!prefixes.has(match[1] ?? "") || known.has(match[0])) return [];
    return {
      file,
      ...positionAt(text, match.index),
      rule: "tests-name-written-rules",
      what: `names ${match[0]}, which no README in src/ states`,
      remedy: "Write the rule down in its folder's README.md, or correct the id.",
    };
  });
}
