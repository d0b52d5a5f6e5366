/**
 * Broker sessions as text: what was asked of a broker, when, what became of it in its log, what it answered.
 *
 * A session is a file of lines. `# …` is for the reader. `> submit a {procs: 2}` is a command with its fields
 * in YAML, `? why a` a question, `+ 30s` lets time pass, `! crash` is an incident. Lines that begin with four
 * blanks are what came of it: they are written by the player and compared with what is in the file.
 */
import { parse } from "yaml";
import { JOB_DEFAULTS, refusalText } from "../../src/model/index.ts";
import type { LoggedEvent } from "../../src/runtime/index.ts";
import { answerTo, clockText } from "./session-questions.ts";
import { commandFrom, lengthMs } from "./session-words.ts";
import { BEGIN_MS, type SessionWorld, sessionWorld } from "./session-world.ts";

/** Plays the inputs of a session; gives the whole of it, with what came of each. */
export async function playedSession(text: string, folder: string): Promise<string> {
  const world = await sessionWorld(folder);
  const lines: string[] = [];
  try {
    for (const line of text.split("\n")) {
      if (line.startsWith("    ")) continue;
      lines.push(line);
      lines.push(...(await outcomeOf(line, world)).map((it) => `    ${it}`));
    }
  } finally {
    await world.end();
  }
  return lines.join("\n");
}

async function outcomeOf(line: string, world: SessionWorld): Promise<readonly string[]> {
  const [, sign, words = ""] = /^([>?+!]) (.*)$/.exec(line) ?? [];
  if (sign === undefined) return [];
  const answers: string[] = [];
  if (sign === ">") answers.push(await asked(words, world));
  if (sign === "?") answers.push(...(await answerTo(words, world)));
  if (sign === "+") await world.pass(lengthMs(words));
  if (sign === "!") await world.incident(words);
  await world.pass(0);
  return [...answers, ...(await world.newEvents()).map(eventLine), ...world.newWarnings()];
}

async function asked(words: string, world: SessionWorld): Promise<string> {
  const [, kind = "", id, body = "{}"] = /^(\w+)(?: ([\w/.-]+))?(?: (\{.*\}))?$/.exec(words) ?? [];
  if (kind === "") throw new Error(`not a command: ${words}`);
  const command = commandFrom({ kind, id, fields: parse(body), world });
  const answer = await world.broker().brokerApi.ask(command);
  if (answer.ok) return "ok";
  const { what, why, remedy } = refusalText(answer.refusal);
  return `refused (${answer.refusal.kind}): ${what}; ${why}; ${remedy}`;
}

function eventLine({ kind, atMs, body }: LoggedEvent): string {
  const said = Object.entries(body).map(([name, value]) => `${name}=${factText(name, value)}`);
  return [clockText(atMs), kind, ...said].join(" ");
}

/** What a job's description says where nothing was said: left out. */
const ASSUMED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(JOB_DEFAULTS).map(([name, value]) => [name, JSON.stringify(value)]),
);

function factText(name: string, value: unknown): string {
  if (typeof value === "number" && name.endsWith("Ms")) return msText(value);
  if (Array.isArray(value)) return `[${value.map((item) => factText("", item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const entries = Object.entries(value)
    .filter(([key, item]) => name !== "description" || JSON.stringify(item) !== ASSUMED[key])
    .map(([key, item]) => `${key}: ${factText(key, item)}`);
  return `{${entries.join(", ")}}`;
}

/** An instant of the session's days by the clock, anything else as a length of time. */
function msText(ms: number): string {
  return ms >= BEGIN_MS - 86_400_000 ? clockText(ms) : `${ms / 1000}s`;
}
