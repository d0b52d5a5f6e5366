/**
 * A discipline's program: a process that is asked a line at a time and answers a line at a time.
 *
 * It is begun from words, never by a shell, in the caller's process group, so that Ctrl-C reaches both.
 * What it writes to stderr goes through as it comes, and its last lines are repeated in an error.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import {
  endedBadly,
  endedEarly,
  noAnswer,
  noAnswerInTime,
  notBegun,
  type ProcessEnd,
  spokeUnasked,
} from "./program-fault.ts";

/** Which program, and how it is treated. */
export interface ProgramOrder {
  /** As people wrote it, for messages. */
  readonly command: string;
  /** At least one. */
  readonly words: readonly string[];
  readonly answerLimitMs: number;
  /** Receives the program's stderr. */
  readonly writeError: (text: string) => void;
  /** Absent: in this process's directory and group. */
  readonly apart?: ApartProgram;
}

/** A program in a directory and a process group of its own: Ctrl-C does not reach it. */
export interface ApartProgram {
  readonly directory: string;
  /** Called with its process group, so that others can end it if this thread cannot; 0 after its end. */
  readonly noteGroup: (group: number) => void;
}

/** Time that a program may take to end by itself, and then after SIGTERM. */
const GRACE = { afterGoodbyeMs: 5_000, afterTermMs: 2_000 } as const;
/** After the process or its stdout has ended: for what is still in the pipes. */
const LAST_WORDS_MS = 500;
const MAX_ANSWER_CHARACTERS = 1 << 24;
const KEPT_ERROR_CHARACTERS = 2_000;
const KEPT_ERROR_LINES = 8;

interface Question {
  readonly where: string;
  readonly resolve: (line: string) => void;
  readonly reject: (fault: Error) => void;
  readonly limit: NodeJS.Timeout;
}

/** Begins the program; throws a Fault where that cannot be. */
export async function beginProgram(order: ProgramOrder): Promise<Program> {
  const [file, ...words] = order.words;
  const { apart } = order;
  const place = apart === undefined ? {} : { cwd: apart.directory, detached: true };
  const child = spawn(file, words, { stdio: "pipe", ...place });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(notBegun(order.command, error)));
  });
  return new Program(order, child);
}

/** One program from its first line to its end. */
export class Program {
  readonly #order: ProgramOrder;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  /** Settles when the process has ended and its streams are read to their ends. */
  readonly #closed: Promise<unknown>;
  readonly #killNow: () => void;
  /** Beginning of a line whose end has not arrived. */
  #partial = "";
  #unasked: string | undefined;
  #question: Question | undefined;
  #end: ProcessEnd | undefined;
  #isOver = false;
  #lastErrors = "";

  constructor(order: ProgramOrder, child: ChildProcessWithoutNullStreams) {
    this.#order = order;
    this.#child = child;
    order.apart?.noteGroup(child.pid ?? 0);
    // However this process ends, the program does not stay behind.
    this.#killNow = () => this.#signal("SIGKILL");
    process.once("exit", this.#killNow);
    this.#ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        process.off("exit", this.#killNow);
        this.#end = { code, signal };
        resolve();
        this.#endSoon();
      });
    });
    this.#closed = new Promise((resolve) => child.once("close", resolve));
    this.#listen();
  }

  /**
   * Writes a line and waits for the answer.
   *
   * @param where begins the message of a fault: which answer of which program, and at which instant
   * @throws Fault where the program says nothing in time, ends, or spoke before it was asked
   */
  ask(line: string, where: string): Promise<string> {
    if (this.#unasked !== undefined) throw spokeUnasked(where, this.#unasked);
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.#fail(noAnswerInTime(where, this.#order.answerLimitMs, this.#lastLines()));
      }, this.#order.answerLimitMs);
      this.#question = { where, resolve, reject, limit };
      if (this.#isOver) this.#giveUp();
      else this.#child.stdin.write(line);
    });
  }

  /** Sends the goodbye and waits for the program's end; throws a Fault where it then fails. */
  async leave(line: string): Promise<void> {
    this.#child.stdin.end(line);
    const ended = await within(this.#ended, GRACE.afterGoodbyeMs);
    await this.stop();
    if (ended && this.#end !== undefined && this.#end.code !== 0) {
      throw endedBadly(this.#order.command, this.#end, this.#lastLines());
    }
    // A second answer may have been taken for that to the next question; in the end one is left over.
    if (this.#unasked !== undefined) {
      throw spokeUnasked(`${this.#order.command}: after the last instant`, this.#unasked);
    }
  }

  /** Ends the program, by force if need be. */
  async stop(): Promise<void> {
    const { stdin, stdout, stderr } = this.#child;
    stdin.destroy();
    if (this.#end === undefined) {
      this.#signal("SIGTERM");
      if (!(await within(this.#ended, GRACE.afterTermMs))) this.#signal("SIGKILL");
      await this.#ended;
    }
    this.#order.apart?.noteGroup(0);
    // Somebody that it began may hold its stderr open for longer than anybody wants to wait.
    await within(this.#closed, LAST_WORDS_MS);
    stdout.destroy();
    stderr.destroy();
  }

  /** To the program alone, or to its whole group where it has one. */
  #signal(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.#child;
    if (this.#order.apart === undefined || pid === undefined) this.#child.kill(signal);
    else signalGroup(pid, signal);
  }

  #listen(): void {
    const { stdin, stdout, stderr } = this.#child;
    // A program that has gone is told of by its end; what could not be written to it is no news.
    stdin.on("error", () => {});
    stdout.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    stdout.once("end", () => this.#endSoon());
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#order.writeError(text);
      this.#lastErrors = (this.#lastErrors + text).slice(-KEPT_ERROR_CHARACTERS);
    });
    void this.#closed.then(() => this.#giveUp());
  }

  #hear(text: string): void {
    const lines = (this.#partial + text).split("\n");
    this.#partial = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
    if (this.#partial.length <= MAX_ANSWER_CHARACTERS) return;
    const where = this.#question?.where ?? this.#order.command;
    this.#fail(noAnswer(where, this.#partial, `it is longer than ${MAX_ANSWER_CHARACTERS} characters`));
    this.#partial = "";
  }

  #take(line: string): void {
    const question = this.#question;
    if (question === undefined) {
      this.#unasked ??= line;
      return;
    }
    this.#question = undefined;
    clearTimeout(question.limit);
    question.resolve(line);
  }

  /** The process or its stdout has ended: what is left in the pipes still counts, then it has ended. */
  #endSoon(): void {
    setTimeout(() => this.#giveUp(), LAST_WORDS_MS).unref();
  }

  #giveUp(): void {
    this.#isOver = true;
    const where = this.#question?.where;
    if (where !== undefined) this.#fail(endedEarly(where, this.#end, this.#lastLines()));
  }

  #fail(fault: Error): void {
    const question = this.#question;
    if (question === undefined) return;
    this.#question = undefined;
    clearTimeout(question.limit);
    question.reject(fault);
  }

  #lastLines(): string {
    const lines = this.#lastErrors.trimEnd().split("\n").slice(-KEPT_ERROR_LINES);
    return lines.join("") === "" ? "" : `; the last it wrote to stderr:\n${lines.join("\n")}`;
  }
}

/** Sends a signal to a process group; one that is gone needs none. */
export function signalGroup(group: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** True if the promise settles within the limit. */
async function within(happening: Promise<unknown>, limitMs: number): Promise<boolean> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    limit = setTimeout(() => resolve(false), limitMs);
  });
  const happened = await Promise.race([happening.then(() => true), late]);
  clearTimeout(limit);
  return happened;
}
