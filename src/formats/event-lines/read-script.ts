/**
 * Reads scripts that log the events of one sample job, one command a line: `-s LogMonitor, -e Running,
 * --node="…"`, the arguments of `glite-lb-logevent`.
 *
 * `:name:` takes in the script of that name beside it, `! NAME=value` sets a variable, `${NAME:-default}` is
 * one. The job is registered by the interface first; each component then raises its counter by its events.
 */
import type { SequenceCode } from "../../bookkeeping/index.ts";
import { codeText, raised, readCode } from "../../bookkeeping/index.ts";
import { kindOf, sourceOf } from "./event-fields.ts";
import type { JobEvent } from "./read-lines.ts";

/** Text of the script of a name, undefined where there is none. */
export type OtherScript = (name: string) => string | undefined;

/** A line that could not be read. */
export interface ScriptProblem {
  readonly line: number;
  readonly why: string;
}

interface Run {
  readonly job: string;
  readonly events: JobEvent[];
  readonly variables: Map<string, string>;
  readonly other: OtherScript;
  code: SequenceCode;
}

const DEEPEST = 20;
const MOST_EVENTS = 10_000;
const SEQUENCE = "EDG_WL_SEQUENCE";

/** True for the text of such a script. */
export function isEventScript(text: string): boolean {
  return /^(?:\s*-[a-z],?\s*)*\s*-s\s+\w+\s*,|^:[\w-]+:\s*$/m.test(text);
}

/** The events that a script logs of the job; the first problem ends it. */
export function readEventScript(
  text: string,
  job: string,
  other: OtherScript,
): readonly JobEvent[] | ScriptProblem {
  const code = readCode("UI=2") ?? [];
  const begun: JobEvent = { job, source: "UI", code, kind: "RegJob", atMs: 0, facts: { JOBTYPE: "SIMPLE" } };
  const run: Run = { job, events: [begun], variables: new Map(), other, code: raised(code, "UI") };
  run.variables.set(SEQUENCE, codeText(run.code));
  return readInto(run, text, 0) ?? run.events;
}

function readInto(run: Run, text: string, depth: number): ScriptProblem | undefined {
  for (const [index, whole] of text.split("\n").entries()) {
    const line = whole.trim();
    if (line === "" || line.startsWith("#")) continue;
    const why = readLine(run, line, depth);
    if (why !== undefined) return { line: index + 1, why };
  }
  return undefined;
}

function readLine(run: Run, line: string, depth: number): string | undefined {
  const included = /^:([\w-]+):$/.exec(line)?.[1];
  if (included !== undefined) return include(run, included, depth);
  const set = /^!\s*([A-Za-z_]\w*)=(.*)$/.exec(line);
  if (set !== null) {
    run.variables.set(set[1] ?? "", wordsOf(run, set[2] ?? "").join(" "));
    return undefined;
  }
  return logEvent(run, optionsOf(wordsOf(run, line)));
}

function include(run: Run, name: string, depth: number): string | undefined {
  if (depth === DEEPEST) return `scripts take in each other more than ${DEEPEST} deep`;
  const text = run.other(name);
  if (text === undefined) return `there is no script ${name}.l beside it`;
  const problem = readInto(run, text, depth + 1);
  return problem === undefined ? undefined : `in ${name}.l, line ${problem.line}: ${problem.why}`;
}

function logEvent(run: Run, options: ReadonlyMap<string, string>): string | undefined {
  const [from, kind] = [options.get("s"), options.get("e")];
  if (from === undefined || kind === undefined) return "an event has -s COMPONENT and -e EVENT";
  const source = sourceOf(from);
  if (source === undefined) return `${from} is no component with a counter`;
  if (run.events.length === MOST_EVENTS) return `there are more than ${MOST_EVENTS} events`;
  run.code = raised(run.code, source);
  run.variables.set(SEQUENCE, codeText(run.code));
  const facts = [...options].flatMap(([name, value]) =>
    name.length > 1 ? [[name.toUpperCase(), value]] : [],
  );
  const { job, code, events } = run;
  events.push({
    job,
    source,
    code,
    kind: kindOf(kind),
    atMs: events.length,
    facts: Object.fromEntries(facts),
  });
  return undefined;
}

/** `-s X`, `--name=value`, `--name value`; a lone letter without a value is dropped. */
function optionsOf(words: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const [, name, given] = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    const next = words[index + 1];
    if (name === undefined) continue;
    if (given !== undefined) options.set(name, given);
    else if (next !== undefined && !next.startsWith("-")) options.set(name, next);
  }
  return options;
}

const WORD = /(?:[^\s,"]|"(?:[^"\\]|\\.)*")+/g;

/** Words between blanks and commas; quotes keep both, and are taken off after variables are put in. */
function wordsOf(run: Run, text: string): readonly string[] {
  return [...text.matchAll(WORD)].map(([word]) =>
    withVariables(run, word).replace(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => inner),
  );
}

function withVariables({ variables }: Run, text: string): string {
  const put = text.replace(
    /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\$([A-Za-z_]\w*)/g,
    (_, name: string | undefined, usual: string | undefined, bare: string | undefined) =>
      variables.get(name ?? bare ?? "") ?? usual ?? "",
  );
  return put.slice(0, 65_536);
}
