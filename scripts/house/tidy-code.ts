/** Rules that need the syntax tree: lengths of functions, parameters, docstrings, narrowed tests. */
import { basename } from "node:path";
import ts from "typescript";
import type { Finding } from "./finding.ts";
import { beginsWithPronoun, docstringsIn } from "./prose.ts";
import { isTest, type TextFile } from "./tree.ts";

const limits = { functionLines: 70, parameters: 4 };

/** Judges one source file. */
export function tidyCode({ file, text }: TextFile): Finding[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const findings: Finding[] = [...tidyHeader(source), ...tidySubjects(source)];
  const tell = (node: ts.Node, rule: string, what: string, remedy: string): void => {
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
    findings.push({ file, line: line + 1, column: character + 1, rule, what, remedy });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) tidyFunction(node, tell);
    if (isTest(file)) tidyNarrowing(node, tell);
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (needsWords(file)) for (const statement of source.statements) tidyDocstring(statement, tell);
  return findings;
}

type Tell = (node: ts.Node, rule: string, what: string, remedy: string) => void;

/** True for files of src/ that need docstrings; an index only lists names, and tests have titles. */
function needsWords(file: string): boolean {
  return file.startsWith("src/") && basename(file) !== "index.ts" && !isTest(file);
}

function tidyHeader(source: ts.SourceFile): Finding[] {
  const file = source.fileName;
  if (!needsWords(file) || /^(#!.*\n)?\/\*\*/.test(source.text)) return [];
  return [
    {
      file,
      line: 1,
      column: 1,
      rule: "header",
      what: "does not begin with a header",
      remedy:
        "Open with a docblock: what problem, whose idea, where we depart from it and why, what it costs.",
    },
  ];
}

/** Folders in which no docstring begins with a pronoun. */
const subjectsNamed: readonly string[] = ["bench/", "scripts/", "src/", "torture/"];

function tidySubjects(source: ts.SourceFile): Finding[] {
  const { fileName: file } = source;
  if (isTest(file) || !subjectsNamed.some((folder) => file.startsWith(folder))) return [];
  return docstringsIn(source)
    .filter(({ text }) => beginsWithPronoun(text))
    .map(({ line, column, text }) => ({
      file,
      line,
      column,
      rule: "docstring-subject",
      what: `a docstring begins with a pronoun: ${text.split(/\s+/, 3).join(" ")} …`,
      remedy: "Name the subject (Price of a slot, in SU); where name and type say everything, delete it.",
    }));
}

function tidyFunction(node: ts.SignatureDeclaration, tell: Tell): void {
  const source = node.getSourceFile();
  const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
  const lines = source.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1;
  const name = node.name?.getText(source) ?? "this function";
  if (lines > limits.functionLines && "body" in node && !isTestBody(node)) {
    const remedy = "Give its steps names: each becomes a function below it.";
    tell(node, "function-length", `${name} has ${lines} lines, ${limits.functionLines} is the most`, remedy);
  }
  const parameters = node.parameters.filter((it) => it.name.getText(source) !== "this").length;
  if (parameters > limits.parameters) {
    const remedy = "Take one options object (its type says what belongs together).";
    tell(node, "parameters", `${name} takes ${parameters}, ${limits.parameters} are the most`, remedy);
  }
}

const testWords = /^(describe|it|test|suite|bench|beforeAll|beforeEach|afterAll|afterEach)$/;

/** True for the callback of `describe`, `it` and the like, which may be long. */
function isTestBody(node: ts.Node): boolean {
  if (!isTest(node.getSourceFile().fileName) || !ts.isCallExpression(node.parent)) return false;
  return node !== node.parent.expression && testWords.test(rootOf(node.parent.expression));
}

/** The first name of a chain: `it` of `it.each(table)`. */
function rootOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return rootOf(node.expression);
  return ts.isTaggedTemplateExpression(node) ? rootOf(node.tag) : "";
}

function tidyNarrowing(node: ts.Node, tell: Tell): void {
  if (!ts.isPropertyAccessExpression(node) || !/^(only|skip|todo)$/.test(node.name.text)) return;
  if (!testWords.test(rootOf(node))) return;
  const remedy = "Run it. What a machine cannot run says so with skipIf(reason) or ctx.skip(reason).";
  tell(node.name, "tests-run", `${node.getText()} narrows or switches off tests`, remedy);
}

function tidyDocstring(statement: ts.Statement, tell: Tell): void {
  if (!ts.canHaveModifiers(statement) || isOverload(statement)) return;
  const exported = ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const name = exported && nameOfDeclaration(statement);
  if (!name || ts.getJSDocCommentsAndTags(statement).length > 0) return;
  const remedy = "Write one sentence above it: what it is for, in which unit, what it does not do.";
  tell(statement, "docstring", `${name} is exported without a docstring`, remedy);
}

/** True for the implementation of an overloaded function: its signatures have the docstrings. */
function isOverload(statement: ts.Statement): boolean {
  if (!ts.isFunctionDeclaration(statement) || !statement.body || !statement.name) return false;
  const name = statement.name.text;
  return statement
    .getSourceFile()
    .statements.some((it) => ts.isFunctionDeclaration(it) && !it.body && it.name?.text === name);
}

function nameOfDeclaration(statement: ts.Statement): string | undefined {
  if (ts.isVariableStatement(statement)) {
    const [first] = statement.declarationList.declarations;
    const value = first?.initializer;
    const isFunction = value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
    return isFunction ? first.name.getText() : undefined;
  }
  const declares =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return declares ? (statement.name?.text ?? "default") : undefined;
}
