/**
 * A real broker in a process of its own, on a state directory that outlives it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const stintFile = resolve(import.meta.dirname, "../bin/stint.js");
const READY_LIMIT_MS = 60_000;

/** A broker that may be killed. */
export interface BrokerProcess {
  /** Resolves when it says that it is ready; rejects when it ends by itself before, or takes too long. */
  readonly ready: Promise<void>;
  /** Sends a signal. */
  signal(name: NodeJS.Signals): void;
  /** Ends it at once and waits until it has gone. */
  kill(): Promise<void>;
  /** Ends it in order. */
  stop(): Promise<void>;
}

/** Starts it. */
export function startBroker(stateDirectory: string, config: string): BrokerProcess {
  const env = { ...process.env, STINT_STATE_DIR: stateDirectory, STINT_CONFIG: config, NO_COLOR: "1" };
  const child = spawn(process.execPath, [stintFile, "up", "--no-tcp"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const gone = once(child, "exit");
  const ready = untilReady(child);
  // Whoever kills it before it is ready does not wait for that.
  ready.catch(() => undefined);
  const end = async (name: NodeJS.Signals): Promise<void> => {
    child.kill(name);
    await gone;
  };
  return {
    ready,
    signal: (name) => void child.kill(name),
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
  };
}

function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    let said = "";
    const limit = setTimeout(() => fail(new Error(`the broker is not ready: ${said}`)), READY_LIMIT_MS);
    child.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("ready;")) done();
    });
    child.once("exit", (code, signal) => {
      fail(new Error(`the broker ended with ${code ?? signal}: ${said}`));
    });
    const clear = (): void => clearTimeout(limit);
    child.once("exit", clear);
    child.stderr?.on("data", () => (said.includes("ready;") ? clear() : undefined));
  });
}

/** The processes that keep the jobs of a state directory, by the kernel's own list. */
export function wrappersOf(stateDirectory: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const words = commandOf(name).split("\0");
    const isWrapper = words.some((word) => word.endsWith("wrapper.js"));
    return isWrapper && words.some((word) => word.startsWith(stateDirectory)) ? [Number(name)] : [];
  });
}

/** Empty where the process has ended meanwhile. */
function commandOf(pid: string): string {
  try {
    return readFileSync(join("/proc", pid, "cmdline"), "utf8");
  } catch {
    return "";
  }
}
