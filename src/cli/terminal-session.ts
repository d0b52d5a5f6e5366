/**
 * One user at the terminal of one job: what it writes is shown, what they type is sent. Neither ends with a
 * connection or a broker that goes away for a while: both have their places, from which they go on.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import { isFinal } from "../model/index.ts";
import { type Keyboard, leavingKeys } from "./keyboard.ts";
import { asFault } from "./report-fault.ts";
import type { Terminal } from "./terminal.ts";

/** Scrollback of somebody who attaches, in bytes. */
const LAST_BYTES = 64 * 1024;
/** Bytes of one request. */
const MOST_SENT_BYTES = 48 * 1024;
/** Maximum number of bytes of input that are buffered while the broker does not respond. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** A writer says so every now and then. */
const SIGN_OF_LIFE_MS = 5000;
const PATIENCE_MS = 60_000;
const RETRY_MS = 100;
const END_OF_INPUT = 4;

/** End of a session: the job ended, or the user detached. */
export type SessionEnd = "over" | "left";

/** Parts of a session. */
export interface SessionWorld {
  readonly client: StintClient;
  readonly terminal: Terminal;
  readonly id: string;
  /** Absent for a watcher. */
  readonly keyboard?: Keyboard;
  /** True to write instead of somebody else. */
  readonly takes: boolean;
  /** Aborts when the user leaves. */
  readonly leaving: AbortController;
}

/** Follows the terminal until the job has ended, or the user leaves. */
export async function attachTo(world: SessionWorld): Promise<SessionEnd> {
  const { client, terminal, id, keyboard, leaving } = world;
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, leaving.signal]);
  const keys = keyboard === undefined ? undefined : new Typist(world, keyboard, signal);
  await keys?.join();
  const close = keyboard === undefined ? () => {} : openKeyboard(world, keyboard, keys);
  const sending = keys?.send().catch((error: unknown) => leaving.abort(asFault(error)));
  try {
    const onSkip = (bytes: number) =>
      terminal.writeError(`\r\nstint: ${bytes} bytes came faster than they could be shown\r\n`);
    for await (const bytes of client.readTerminal(id, { last: LAST_BYTES, onSkip, signal })) {
      await terminal.writeBytes("stdout", bytes);
    }
    return "over";
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    const { reason } = leaving.signal;
    // The program may have left the line unfinished.
    if (reason instanceof Fault) terminal.writeError("\r\n");
    if (reason instanceof Fault) throw reason;
    return "left";
  } finally {
    stop.abort();
    close();
    await sending;
    await keys?.leave();
  }
}

/** Hands the keys on to their sender, but those that leave. */
function openKeyboard(
  { leaving, terminal }: SessionWorld,
  keyboard: Keyboard,
  typist: Typist | undefined,
): () => void {
  const words = leavingKeys();
  let last = 10;
  return keyboard.open({
    typed: (bytes) => {
      last = bytes.at(-1) ?? last;
      if (!keyboard.isTerminal) {
        typist?.type(bytes);
        return typist?.sent();
      }
      const { keys, isLeaving } = words.read(bytes);
      if (keys.length > 0 && typist?.type(keys) === false) terminal.writeError("\x07");
      if (isLeaving) leaving.abort();
      return undefined;
    },
    resized: () => typist?.resize(),
    // The first of two ends a line that has no end, the second the input.
    ended: () => typist?.type(Uint8Array.from(last === 10 ? [END_OF_INPUT] : [END_OF_INPUT, END_OF_INPUT])),
  });
}

/** Sends what is typed, in order, each byte once. */
class Typist {
  readonly #world: SessionWorld;
  readonly #keyboard: Keyboard;
  readonly #signal: AbortSignal;
  readonly #writer = randomUUID();
  #waiting = Buffer.alloc(0);
  #at = 0;
  #isResized = false;
  #wake = () => {};
  #allSent = () => {};

  constructor(world: SessionWorld, keyboard: Keyboard, signal: AbortSignal) {
    this.#world = world;
    this.#keyboard = keyboard;
    this.#signal = signal;
  }

  /** Takes keys; false where too many wait. */
  type(keys: Uint8Array): boolean {
    if (this.#waiting.length + keys.length > MOST_WAITING_BYTES) return false;
    this.#waiting = Buffer.concat([this.#waiting, keys]);
    this.#wake();
    return true;
  }

  /** Resolves when all that was typed is sent. */
  sent(): Promise<void> {
    return new Promise((resolve) => {
      this.#allSent = resolve;
    });
  }

  /** Notes that the user's terminal has another size. */
  resize(): void {
    this.#isResized = true;
    this.#wake();
  }

  /** Becomes the writer, with the size of the user's terminal. */
  async join(): Promise<void> {
    const answer = await this.#ask({ take: this.#world.takes, ...this.#keyboard.size() });
    this.#at = answer?.inputBytes ?? 0;
  }

  /** Lets others write at once; a broker that is away finds out by itself. */
  async leave(): Promise<void> {
    const { client, id } = this.#world;
    const body = { writer: this.#writer, leave: true };
    await client.call("writeTerminal", { params: { id }, body }).catch(() => {});
  }

  /** Sends until the session is over. */
  async send(): Promise<void> {
    while (!this.#signal.aborted) {
      const bytes = this.#waiting.subarray(0, MOST_SENT_BYTES);
      const size = this.#isResized ? this.#keyboard.size() : undefined;
      this.#isResized = false;
      const typed = bytes.length === 0 ? {} : { at: this.#at, data: bytes.toString("base64") };
      const answer = await this.#ask({ ...typed, ...size });
      if (answer === undefined) return;
      this.#at += bytes.length;
      this.#waiting = this.#waiting.subarray(bytes.length);
      if (this.#waiting.length > 0 || this.#isResized) continue;
      this.#allSent();
      if (this.#waiting.length === 0) await this.#rest();
    }
  }

  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, SIGN_OF_LIFE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#signal.addEventListener("abort", this.#wake, { once: true });
      if (this.#signal.aborted) this.#wake();
    });
    this.#signal.removeEventListener("abort", this.#wake);
  }

  /** Answer of the broker, which may be away for a while; undefined where the session is over. */
  async #ask(body: object): Promise<{ readonly inputBytes: number } | undefined> {
    const { client, id } = this.#world;
    const untilMs = performance.now() + PATIENCE_MS;
    while (!this.#signal.aborted) {
      try {
        return await client.call("writeTerminal", {
          params: { id },
          body: { writer: this.#writer, ...body },
        });
      } catch (error) {
        const fault = asFault(error);
        const isOpening = fault.code === "terminalNotOpen";
        if (isOpening && isFinal((await client.job(id)).state)) return undefined;
        const mayCome = isOpening || fault.kind === "unreachable";
        if (!mayCome || performance.now() > untilMs) throw fault;
        await sleep(RETRY_MS, undefined, { signal: this.#signal }).catch(() => {});
      }
    }
    return undefined;
  }
}
