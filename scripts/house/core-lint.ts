/**
 * Refuses names in the pure core that depend on time, chance, process or locale, and arithmetic on
 * quantities that loses a unit or a digit. The TypeScript checker resolves the names, so that a parameter
 * called `process` is innocent and `const { random } = Math` is not.
 */
import { join, relative, sep } from "node:path";
import ts from "typescript";
import { isQuantity } from "./branded.ts";
import type { Finding, Report } from "./finding.ts";
import { coreFolders } from "./folders.mjs";

const time = "Take `now` (an instant) as an argument; runtime holds the clock.";
const timers = "Return the instant of the next wake-up (`wakeAt`); runtime holds the timers.";
const world = "Take the value as an argument; src/main reads the world and hands it in.";
const text = "Locale is the reader's: return facts and let the message writer of the shell format them.";

/** Global names, each with its replacement. */
const forbiddenGlobals = new Map<string, string>([
  ["Date", time],
  ["performance", time],
  ["setTimeout", timers],
  ["setInterval", timers],
  ["setImmediate", timers],
  ["queueMicrotask", timers],
  ["process", world],
  ["globalThis", world],
  ["fetch", world],
  ["crypto", "Draw from the seeded generator that is handed in; ids derive from what they are about."],
  ["console", "Return what is worth knowing (an event, a refusal, a report); the shell prints."],
  ["Intl", text],
]);

interface MemberRule {
  readonly name: RegExp;
  /** Object that has the member; any if absent. */
  readonly of?: string;
  readonly remedy: string;
}

const forbiddenMembers: readonly MemberRule[] = [
  { name: /^random$/, of: "Math", remedy: "Draw from the seeded generator of src/base that is handed in." },
  { name: /^toLocale/, remedy: text },
  { name: /^localeCompare$/, remedy: "Compare with < and >: code units, the same on every machine." },
];

const products = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.AsteriskToken, "*"],
  [ts.SyntaxKind.AsteriskEqualsToken, "*="],
  [ts.SyntaxKind.SlashToken, "/"],
  [ts.SyntaxKind.SlashEqualsToken, "/="],
  [ts.SyntaxKind.PercentToken, "%"],
  [ts.SyntaxKind.PercentEqualsToken, "%="],
  [ts.SyntaxKind.AsteriskAsteriskToken, "**"],
  [ts.SyntaxKind.AsteriskAsteriskEqualsToken, "**="],
]);

/** Judges every file of the core program (tsconfig.core.json) of `root`, tests excepted. */
export function lintCore(root: string): Report {
  const program = coreProgram(root);
  const core = new RegExp(`^src/(${coreFolders.join("|")})/`);
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter((file) => core.test(pathOf(root, file)));
  const findings = files.flatMap((file) => lintFile(file, pathOf(root, file), checker));
  return { seen: files.length, findings: files.length > 0 ? findings : [nothingSeen] };
}

const nothingSeen: Finding = {
  file: "tsconfig.core.json",
  line: 1,
  column: 1,
  rule: "sees-everything",
  what: "names no file of the core, so nothing was checked",
  remedy: "Keep its `include` equal to the core folders of scripts/house/folders.mjs.",
};

function coreProgram(root: string): ts.Program {
  const config = join(root, "tsconfig.core.json");
  const { config: raw, error } = ts.readConfigFile(config, ts.sys.readFile);
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, "\n"));
  const { fileNames, options } = ts.parseJsonConfigFileContent(raw, ts.sys, root);
  return ts.createProgram(fileNames, options);
}

function pathOf(root: string, file: ts.SourceFile): string {
  return relative(root, file.fileName).split(sep).join("/");
}

function lintFile(source: ts.SourceFile, file: string, checker: ts.TypeChecker): Finding[] {
  const findings: Finding[] = [];
  const visit = (node: ts.Node): void => {
    const found =
      importCall(node) ??
      globalName(node, checker) ??
      memberOf(node, checker) ??
      (file.startsWith("src/base/") ? undefined : product(node, checker));
    if (found) {
      const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
      findings.push({ file, line: line + 1, column: character + 1, ...found });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

type Verdict = Pick<Finding, "rule" | "what" | "remedy"> | undefined;

function importCall(node: ts.Node): Verdict {
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined;
  return {
    rule: "core-without-dynamic-import",
    what: "import() loads at run time",
    remedy: "Import statically, or take the function as an argument; lazy loading belongs to src/main.",
  };
}

function globalName(node: ts.Node, checker: ts.TypeChecker): Verdict {
  if (!ts.isIdentifier(node)) return undefined;
  const remedy = forbiddenGlobals.get(node.text);
  if (remedy === undefined || isMemberName(node)) return undefined;
  const shorthand = ts.isShorthandPropertyAssignment(node.parent);
  const symbol = shorthand
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  // Declared by our own code: another thing of the same name. Node's names resolve to nothing here.
  if (symbol?.declarations?.some((declaration) => !declaration.getSourceFile().isDeclarationFile)) {
    return undefined;
  }
  return { rule: "core-without-world", what: `${node.text} is not for the core`, remedy };
}

/** `x.process`, `{ process: 1 }`, `{ process: p } = x`, a method or property called `process`. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) {
    return (ts.isQualifiedName(parent) ? parent.right : parent.name) === node;
  }
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  const named = ts.isPropertyAssignment(parent) || ts.isClassElement(parent) || ts.isTypeElement(parent);
  return named && parent.name === node;
}

function memberOf(node: ts.Node, checker: ts.TypeChecker): Verdict {
  const access = memberAccess(node, checker);
  if (!access) return undefined;
  const { name, owner } = access;
  const rule = forbiddenMembers.find((it) => it.name.test(name));
  if (!rule) return undefined;
  const property = owner.getProperty(name);
  const declarations = property?.declarations ?? [];
  if (!declarations.some((declaration) => declaration.getSourceFile().isDeclarationFile)) return undefined;
  if (rule.of && owner.symbol?.name !== rule.of) return undefined;
  const what = `${rule.of ? `${rule.of}.` : ""}${name} is not for the core`;
  return { rule: "core-without-world", what, remedy: rule.remedy };
}

function memberAccess(node: ts.Node, checker: ts.TypeChecker): { name: string; owner: ts.Type } | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    return { name: node.name.text, owner: apparent(checker, node.expression) };
  }
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return { name: node.argumentExpression.text, owner: apparent(checker, node.expression) };
  }
  if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
    const name = node.propertyName ?? node.name;
    if (ts.isIdentifier(name)) return { name: name.text, owner: apparent(checker, node.parent) };
  }
  return undefined;
}

function apparent(checker: ts.TypeChecker, node: ts.Node): ts.Type {
  return checker.getApparentType(checker.getNonNullableType(checker.getTypeAtLocation(node)));
}

function product(node: ts.Node, checker: ts.TypeChecker): Verdict {
  if (!ts.isBinaryExpression(node)) return undefined;
  const operator = products.get(node.operatorToken.kind);
  if (operator === undefined) return undefined;
  const operand = [node.left, node.right].find((side) => isQuantity(side, checker));
  if (!operand) return undefined;
  return {
    rule: "quantities-through-mul-div",
    what: `\`${operator}\` on a quantity: \`${operand.getText()}\``,
    remedy:
      "Use mulDiv or exactProduct of src/base (exact beyond 2^53, rounding stated). Inner loops work on " +
      "typed arrays of plain numbers whose names end in the unit.",
  };
}
