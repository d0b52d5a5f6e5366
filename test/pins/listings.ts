/**
 * What the program says of itself, as texts that are pinned: its help, its API, its messages.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { serve } from "../api/serving.ts";
import { capturedProgram } from "../captured-program.ts";

const sources = resolve(import.meta.dirname, "../../src");

/** The help of every command, in the order in which help lists them. */
export async function helpListing(): Promise<string> {
  const program = capturedProgram({});
  const texts: string[] = [];
  const visit = async (words: readonly string[]): Promise<void> => {
    const { out } = await program.call(...words, "--help");
    texts.push(`$ ${["stint", ...words, "--help"].join(" ")}\n\n${out}`);
    for (const name of subcommandsIn(out)) if (name !== "help") await visit([...words, name]);
  };
  await visit([]);
  return texts.join("\n");
}

function subcommandsIn(help: string): readonly string[] {
  const [, list = ""] = /^Commands:\n((?: .*\n)*)/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
}

/** The OpenAPI document. */
export async function apiListing(): Promise<string> {
  const { send } = await serve();
  const { json } = await send("GET", "/api/v1/openapi.json");
  return `${JSON.stringify(json, null, 1)}\n`;
}

/** Words that tell a fault, a problem or a refusal. */
const MESSAGE_KEYS: ReadonlySet<string> = new Set(["what", "why", "remedy", "detail"]);

/** Every text of a message as it stands in the sources, each once, in no file's order; `…` is filled in. */
export function messageListing(): string {
  const texts = new Set<string>();
  for (const path of readdirSync(sources, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".ts") || path.endsWith(".test.ts")) continue;
    const text = readFileSync(join(sources, path), "utf8");
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
    collect(file, (value) => texts.add(value));
  }
  return `${[...texts].sort().join("\n")}\n`;
}

function collect(node: ts.Node, add: (text: string) => void): void {
  if (ts.isPropertyAssignment(node) && MESSAGE_KEYS.has(node.name.getText())) {
    const text = textOf(node.initializer);
    if (text.replaceAll("…", "").trim() !== "") add(text);
  }
  ts.forEachChild(node, (child) => collect(child, add));
}

function textOf(node: ts.Expression): string {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
  }
  if (ts.isBinaryExpression(node)) return textOf(node.left) + textOf(node.right);
  if (ts.isConditionalExpression(node)) return `${textOf(node.whenTrue)} | ${textOf(node.whenFalse)}`;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  return "…";
}
