/**
 * The program of an adapter: a child process that answers requests, one line of JSON each, until its input
 * ends.
 *
 * A program that ends, writes a line that is too long or no JSON, or does not answer in time is killed and
 * started again for a later request, after a pause that doubles with each failure. No shell interprets its
 * words.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { Fault } from "../../base/index.ts";
import type { Clock } from "../../runtime/index.ts";

/** Command and time limit of a program. */
export interface AdapterProgram {
  /** Name of its site, in messages. */
  readonly site: string;
  readonly command: readonly string[];
  readonly clock: Pick<Clock, "nowMs">;
  /** Time for one answer, in ms. */
  readonly answerMs?: number;
}

/** Sends a request. @returns the value of `ok` @throws Fault */
export type AskAdapter = (verb: string, words: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** A program, started by the first request. */
export interface AdapterProcess {
  readonly ask: AskAdapter;
  /** Closes the program's input, and kills the program if it does not end. */
  close(): Promise<void>;
}

const ANSWER_MS = 60_000;
const MOST_LINE_BYTES = 16 * 1024 * 1024;
const MOST_COMPLAINT = 500;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;
const END_MS = 2000;
const END_NOTICE_MS = 1000;

interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (fault: Fault) => void;
  readonly timer: NodeJS.Timeout;
}

interface Life {
  readonly child: ChildProcessWithoutNullStreams;
  readonly asked: Map<number, Asked>;
  complaint: string;
}

/** A program that is not started yet. */
export function adapterProcess({
  site,
  command,
  clock,
  answerMs = ANSWER_MS,
}: AdapterProgram): AdapterProcess {
  let life: Life | undefined;
  let last = 0;
  let failures = 0;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  let failure = "";
  let isClosed = false;

  const over = (of: Life, why: string): void => {
    if (life !== of) return;
    life = undefined;
    failures++;
    failedAtMs = clock.nowMs();
    failure = of.complaint === "" ? why : `${why}: ${of.complaint}`;
    of.child.kill("SIGKILL");
    rejectAll(of, adapterFault(site, failure));
  };

  const begin = (): Life => {
    const pauseMs = failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    const leftMs = failedAtMs + pauseMs - clock.nowMs();
    if (leftMs > 0) {
      throw adapterFault(site, `${failure}; it is started again in ${Math.ceil(leftMs / 1000)} s`);
    }
    return startProgram(command, {
      over,
      answered: (one, read) => {
        failures = 0;
        if ("ok" in read) one.resolve(read.ok);
        else one.reject(refusalFault(site, read));
      },
    });
  };

  return {
    ask: (verb, words) =>
      new Promise((resolve, reject) => {
        if (isClosed) throw adapterFault(site, "it was closed");
        life ??= begin();
        const current = life;
        const id = ++last;
        const late = `its program did not answer ${verb} within ${answerMs / 1000} s`;
        const timer = setTimeout(() => over(current, late), answerMs);
        current.asked.set(id, { resolve, reject, timer });
        current.child.stdin.write(`${JSON.stringify({ id, verb, ...words })}\n`);
      }),
    close: async () => {
      isClosed = true;
      const current = life;
      life = undefined;
      if (current === undefined) return;
      rejectAll(current, adapterFault(site, "it was closed"));
      const { child } = current;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), END_MS);
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) await ended;
      clearTimeout(timer);
    },
  };
}

function rejectAll({ asked }: Life, fault: Fault): void {
  for (const { timer, reject } of asked.values()) {
    clearTimeout(timer);
    reject(fault);
  }
}

interface LifeListener {
  readonly over: (life: Life, why: string) => void;
  readonly answered: (one: Asked, read: AdapterAnswer) => void;
}

function startProgram([program = "", ...rest]: readonly string[], { over, answered }: LifeListener): Life {
  const child = spawn(program, rest, { cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
  const begun: Life = { child, asked: new Map(), complaint: "" };
  child.on("error", ({ message }) => over(begun, `its program cannot be started: ${message}`));
  child.on("exit", (code, signal) => over(begun, `its program ended with ${signal ?? `exit code ${code}`}`));
  // If the program has ended, `exit` follows shortly and states why.
  child.stdin.on("error", () =>
    setTimeout(() => over(begun, "its program reads no requests"), END_NOTICE_MS),
  );
  child.stderr.on("data", (bytes: Buffer) => {
    begun.complaint = `${begun.complaint}${bytes}`.slice(-MOST_COMPLAINT).trim();
  });
  readLines(child, {
    line: (text) => {
      const read = answerOf(text);
      const one = read === undefined ? undefined : begun.asked.get(read.id);
      if (read === undefined) over(begun, `its program wrote an invalid answer: ${text.slice(0, 80)}`);
      if (read === undefined || one === undefined) return;
      begun.asked.delete(read.id);
      clearTimeout(one.timer);
      answered(one, read);
    },
    tooLong: () => over(begun, `its program wrote a line of more than ${MOST_LINE_BYTES} bytes`),
  });
  return begun;
}

interface LineListener {
  readonly line: (text: string) => void;
  readonly tooLong: () => void;
}

function readLines({ stdout }: ChildProcessWithoutNullStreams, { line, tooLong }: LineListener): void {
  let parts: Buffer[] = [];
  let bytes = 0;
  stdout.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const text = Buffer.concat([...parts, chunk.subarray(from, end)]).toString("utf8");
      parts = [];
      bytes = 0;
      from = end + 1;
      if (text.trim() !== "") line(text);
    }
    parts.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MOST_LINE_BYTES) tooLong();
  });
}

type AdapterAnswer = { readonly id: number } & (
  | { readonly ok: unknown }
  | { readonly error: string; readonly kind: string }
);

function answerOf(text: string): AdapterAnswer | undefined {
  try {
    const read: Readonly<Record<string, unknown>> | null = JSON.parse(text);
    if (read === null || typeof read !== "object" || typeof read.id !== "number") return undefined;
    if ("ok" in read) return { id: read.id, ok: read.ok };
    if (typeof read.error !== "string") return undefined;
    const kind = typeof read.kind === "string" ? read.kind : "failed";
    return { id: read.id, error: read.error.slice(0, MOST_COMPLAINT), kind };
  } catch {
    return undefined;
  }
}

/** Reason why the program of a site cannot be used now. */
export function adapterFault(site: string, why: string): Fault {
  return new Fault({
    kind: "unreachable",
    code: "adapterFailed",
    what: `site ${site} cannot be reached through its adapter`,
    why,
    remedy: "test it: stint site test --adapter PROGRAM; its standard error is shown here",
  });
}

/** With the `kind` `refused` nothing was done, and a repeated request would fail too. */
function refusalFault(
  site: string,
  { error, kind }: { readonly error: string; readonly kind: string },
): Fault {
  return new Fault({
    kind: kind === "refused" ? "refused" : "unreachable",
    code: "adapterRefused",
    what: `the adapter of site ${site} reported an error`,
    why: error,
    remedy: "correct the cause that it states, or ask the operator of the site",
  });
}
