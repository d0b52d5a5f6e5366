/**
 * A program of a user's that chooses the next points of a search.
 *
 * It is started anew each time: lines of JSON on its standard input say what is known, lines on its standard
 * output are points, and its end is the end of its answer. So it needs no state, and a broker that dies
 * between two questions loses nothing.
 */
import { spawn } from "node:child_process";
import { accepted, type Result, refused } from "../../base/index.ts";
import type { Search, SearchPoint, Sweep } from "../../model/index.ts";
import { programPoint } from "../../plan/index.ts";

/** Request to the program. */
export interface ProgramQuestion {
  readonly command: readonly string[];
  readonly parameters: Sweep["parameters"];
  readonly search: Search;
  readonly points: readonly SearchPoint[];
  /** Number of points to choose. */
  readonly wanted: number;
}

/** Limits beyond which a program is ended early. */
interface ProgramBounds {
  readonly signal?: AbortSignal | undefined;
  readonly mostMs?: number;
}

/** Time that a program has. */
const MOST_MS = 60_000;
/** Longest answer, and longest complaint. */
const MOST_BYTES = 1 << 20;

/** The values of the points that a program chose; none where it wants no more; or why it failed. */
export async function askProgram(
  question: ProgramQuestion,
  { signal, mostMs = MOST_MS }: ProgramBounds = {},
): Promise<Result<readonly SearchPoint["values"][], string>> {
  const said = await run(question.command, questionText(question), { signal, mostMs });
  if (!said.ok) return said;
  const lines = said.value.split("\n").filter((line) => line.trim() !== "");
  const values: SearchPoint["values"][] = [];
  for (const [at, line] of lines.slice(0, question.wanted).entries()) {
    const point = programPoint(question.parameters, parsed(line));
    if (!point.ok) return refused(`line ${at + 1} of its answer: ${point.refusal}`);
    values.push(point.value);
  }
  return accepted(values);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The parameters, the points so far with their values, and last how many points are wanted. */
function questionText({ parameters, search, points, wanted }: ProgramQuestion): string {
  const head = { parameters, goal: search.goal, evaluations: search.evaluations };
  const known = points.map(({ index, values, value }) => ({
    ...{ index, values, value: value ?? null },
    state: stateOf(value),
  }));
  return [head, ...known, { wanted }].map((line) => `${JSON.stringify(line)}\n`).join("");
}

function stateOf(value: SearchPoint["value"]): string {
  if (value === undefined) return "running";
  return value === null ? "failed" : "done";
}

function run(
  [file, ...words]: readonly string[],
  input: string,
  { signal, mostMs }: ProgramBounds & { readonly mostMs: number },
): Promise<Result<string, string>> {
  return new Promise((resolve) => {
    const child = spawn(file, words, { cwd: "/", stdio: "pipe", detached: true });
    let out = "";
    let complaint = "";
    let why: string | undefined;
    const end = (reason: string): void => {
      why ??= reason;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    };
    signal?.addEventListener("abort", () => end("the broker stops"), { once: true });
    const timer = setTimeout(() => end(`it did not answer within ${mostMs / 1000} s`), mostMs);
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      out += part;
      if (out.length > MOST_BYTES) end("its answer is longer than 1 MiB");
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      complaint = `${complaint}${part}`.slice(-MOST_BYTES);
    });
    child.stdin.on("error", () => undefined).end(input);
    child.on("error", (error) => {
      why ??= error.message;
      clearTimeout(timer);
      resolve(refused(why));
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (why !== undefined || code !== 0) resolve(refused(why ?? failure(code ?? signal, complaint)));
      else resolve(accepted(out));
    });
  });
}

function failure(code: number | string | null, complaint: string): string {
  const last = complaint.trim().split("\n").at(-1) ?? "";
  return `it ended with ${code}${last === "" ? "" : `: ${last.slice(0, 200)}`}`;
}
