/**
 * Texts of the sources for readers: docstrings, help of the command line, messages.
 *
 * Messages are faults, problems and refusals: properties `what`, `why`, `remedy` and `detail`. Sentences
 * are the strings of files in src/model whose names end in `-text`, which write refusals and causes. A
 * computed part is shown as `…`.
 */
import ts from "typescript";
import type { TextFile } from "./tree.ts";

/** One text, with the line (from 1) and column on which it begins. */
export interface Passage {
  readonly kind: "docstring" | "help" | "message" | "sentence";
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** All texts of one source file, in the order of the file. */
export function passagesIn({ file, text }: TextFile): Passage[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Passage[] = docstringsIn(source);
  const visit = (node: ts.Node, inMessage: boolean): void => {
    const words = helpOf(node) ?? messageOf(node) ?? (inMessage ? undefined : sentenceOf(node));
    if (words) found.push(passage(source, words.at.getStart(source), words.kind, words.text));
    ts.forEachChild(node, (child) => visit(child, inMessage || words !== undefined));
  };
  visit(source, false);
  return found.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** The docstrings and the header of one source file. */
export function docstringsIn(source: ts.SourceFile): Passage[] {
  const seen = new Set<number>();
  const found: Passage[] = [];
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
      const comment = source.text.slice(pos, end);
      if (!comment.startsWith("/**") || seen.has(pos)) continue;
      seen.add(pos);
      found.push(passage(source, pos, "docstring", wordsOf(comment)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** True for a docstring with a pronoun for a subject: "Its price", "What it needs", "Begins it". */
export function beginsWithPronoun(docstring: string): boolean {
  return pronouns.some((pattern) => pattern.test(docstring));
}

const pronouns: readonly RegExp[] = [
  /^(It|Its|They|Them|Their|Whose|The same)\b/,
  /^(What|Who|Whom|How|Whether|Where|When|Why) (it|its|they|them|their)\b/,
  /^[A-Z][a-z]+s (it|them)\b/,
];

/** True for a docstring that begins with a question word, where a noun or a verb would name its subject. */
export function beginsWithQuestion(docstring: string): boolean {
  return /^(What|Who|Whom|Whose|How|Whether)\b/.test(docstring);
}

const everydayWords =
  /\b(told|tells|kept|heard|let go|lets go|said of|comes? free|came free|whoever|whom|somebody|nobody)\b/gi;

/** Everyday words that hide whether a response, an event, a promise or a reservation is meant. */
export function everydayWordsIn(text: string): string[] {
  return [...new Set(text.match(everydayWords)?.map((word) => word.toLowerCase()))];
}

function passage(source: ts.SourceFile, at: number, kind: Passage["kind"], text: string): Passage {
  const { line, character } = source.getLineAndCharacterOfPosition(at);
  return { kind, file: source.fileName, line: line + 1, column: character + 1, text };
}

function wordsOf(comment: string): string {
  const lines = comment.slice(3, -2).split("\n");
  return lines
    .map((line) => line.replace(/^\s*\*? ?/, "").trim())
    .join(" ")
    .trim();
}

interface Found extends Pick<Passage, "kind" | "text"> {
  readonly at: ts.Node;
}

/** Position of the words in the arguments of commander's methods. */
const helpArguments: Readonly<Record<string, number>> = {
  summary: 0,
  description: 0,
  option: 1,
  requiredOption: 1,
  argument: 1,
  addHelpText: 1,
};

function helpOf(node: ts.Node): Found | undefined {
  if (ts.isNewExpression(node) && /^(Option|Argument)$/.test(node.expression.getText())) {
    return help(node.arguments?.[1]);
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const position = helpArguments[node.expression.name.text];
  return position === undefined ? undefined : help(node.arguments[position]);
}

function help(words: ts.Expression | undefined): Found | undefined {
  const text = words ? textOf(words) : "…";
  return words && isWords(text) ? { kind: "help", text, at: words } : undefined;
}

const messageKeys: ReadonlySet<string> = new Set(["what", "why", "remedy", "detail"]);

function messageOf(node: ts.Node): Found | undefined {
  if (!ts.isPropertyAssignment(node) || !messageKeys.has(node.name.getText())) return undefined;
  const text = textOf(node.initializer);
  return isWords(text) ? { kind: "message", text, at: node } : undefined;
}

/** A string of a file that writes refusals and causes; a fragment of fewer than three words is none. */
function sentenceOf(node: ts.Node): Found | undefined {
  if (!/^src\/model\/.*-text\.ts$/.test(node.getSourceFile().fileName)) return undefined;
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return undefined;
  if (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)) return undefined;
  const text = textOf(node);
  return text.trim().split(/\s+/).length >= 3 ? { kind: "sentence", text, at: node } : undefined;
}

function isWords(text: string): boolean {
  return text.replaceAll("…", "").trim() !== "";
}

function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  }
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right);
  if (ts.isConditionalExpression(node)) return `${textOf(node.whenTrue)} | ${textOf(node.whenFalse)}`;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  return "…";
}
