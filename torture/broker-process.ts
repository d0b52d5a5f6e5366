/**
 * A real broker in a process of its own, on a state directory that outlives it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const clockFile = resolve(import.meta.dirname, "shifted-clock.mjs");
const stintFile = resolve(import.meta.dirname, "../bin/stint.js");
const READY_LIMIT_MS = 300_000;

/** A broker that may be killed. */
export interface BrokerProcess {
  readonly pid: number;
  /** Unexpected ends, in words. */
  readonly unasked: readonly string[];
  /** Resolves when the broker reports that it is ready; rejects when it ends before, or takes too long. */
  readonly ready: Promise<void>;
  /** True once the broker has reported that it is ready. */
  isReady(): boolean;
  signal(name: NodeJS.Signals): void;
  /** Kills the broker and waits for its end. */
  kill(): Promise<void>;
  /** Stops the broker in order and waits for its end. */
  stop(): Promise<void>;
}

/** Paths of a broker. */
export interface BrokerPlaces {
  readonly stateDirectory: string;
  readonly config: string;
  /** File with the offset of its clock in ms, which is read repeatedly. */
  readonly clock: string;
}

/** Starts a broker. @throws Error if the process cannot be started */
export function startBroker({ stateDirectory, config, clock }: BrokerPlaces): BrokerProcess {
  const env = {
    ...process.env,
    ...{ STINT_STATE_DIR: stateDirectory, STINT_CONFIG: config, NO_COLOR: "1" },
    ...{ TORTURE_CLOCK: clock, NODE_OPTIONS: `--import=${pathToFileURL(clockFile)}` },
  };
  const child = spawn(process.execPath, [stintFile, "up", "--no-tcp"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (child.pid === undefined) throw new Error("no process could be started");
  const { pid } = child;
  const unasked: string[] = [];
  let isWanted = true;
  const gone = once(child, "exit").then(([code, signal]) => {
    if (isWanted) unasked.push(`the broker ended by itself with ${code ?? signal}`);
  });
  let isReady = false;
  const ready = untilReady(child).then(() => {
    isReady = true;
  });
  // Whoever kills it before it is ready does not wait for that.
  ready.catch(() => undefined);
  const end = async (name: NodeJS.Signals): Promise<void> => {
    isWanted = false;
    child.kill(name);
    await gone;
  };
  return {
    ...{ pid, ready, unasked },
    isReady: () => isReady,
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

/** Wrapper process of a job. */
export interface Wrapper {
  readonly pid: number;
  /** Id of the job. */
  readonly job: string;
}

/** Wrappers of a state directory, from the kernel's list of processes. */
export function wrappersOf(stateDirectory: string): readonly Wrapper[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const words = commandOf(name).split("\0");
    const directory = words[words.findIndex((word) => word.endsWith("wrapper.js")) + 1] ?? "";
    const [, job] = /\/([^/_]+)_\d+$/.exec(directory) ?? [];
    return job !== undefined && directory.startsWith(stateDirectory) ? [{ pid: Number(name), job }] : [];
  });
}

/** Command line of a process; empty if it has ended. */
function commandOf(pid: string): string {
  try {
    return readFileSync(join("/proc", pid, "cmdline"), "utf8");
  } catch {
    return "";
  }
}
