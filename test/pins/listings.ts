/**
 * What the program says of itself, as texts that are pinned: its help, its API, its messages.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { passagesIn } from "../../scripts/house/prose.ts";
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
  const headings = /^(?!Options|Usage|Arguments|Examples)[A-Z][a-z ]+:\n((?: .*\n)*)/gm;
  const lists = [...help.matchAll(headings)].map(([, list]) => list).join("");
  return [...lists.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name);
}

/** The OpenAPI document. */
export async function apiListing(): Promise<string> {
  const { send } = await serve();
  const { json } = await send("GET", "/api/v1/openapi.json");
  return `${JSON.stringify(json, null, 1)}\n`;
}

/** Every text of a message as it stands in the sources, each once, in no file's order; `…` is filled in. */
export function messageListing(): string {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .flatMap((path) => passagesIn({ file: `src/${path}`, text: readFileSync(join(sources, path), "utf8") }))
    .filter(({ kind }) => kind === "message")
    .map(({ text }) => text);
  return `${[...new Set(texts)].sort().join("\n")}\n`;
}
