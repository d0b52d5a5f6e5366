/**
 * A real broker for tests: `stint up` in a process of its own.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { stintFile } from "./stint.ts";

/** A broker that runs. */
export interface LiveBroker {
  /** What commands need in their environment to find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** All that it said before it was ready. */
  readonly said: string;
  /** Where it listens for those who have a token. */
  readonly url: string;
  readonly pid: number;
  /** Whether it has not ended. */
  isUp(): boolean;
  /** Ends it by a signal and waits until it has gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const begun = new Set<LiveBroker>();

/** Ends the brokers that a failed test did not end: they would go on beside all other tests. */
export async function endBrokersLeft(): Promise<void> {
  const left = [...begun].filter((broker) => broker.isUp());
  begun.clear();
  await Promise.all(left.map((broker) => broker.end("SIGKILL")));
}

/**
 * Starts a broker on a state directory, with this machine as a site and no configuration of whoever runs
 * the tests, and waits until it says that it is ready.
 *
 * @param words of `stint up` besides
 * @param surroundings variables of the broker alone
 * @param openFiles how many files it may have open
 */
export async function startLiveBroker(
  stateDirectory: string,
  words: readonly string[] = ["--this-machine"],
  surroundings: Readonly<Record<string, string>> = {},
  openFiles?: number,
): Promise<LiveBroker> {
  const environment = {
    STINT_STATE_DIR: stateDirectory,
    STINT_CONFIG: "",
    STINT_PORT: "",
    XDG_CONFIG_HOME: stateDirectory,
  };
  const program = [process.execPath, stintFile, "up", "--port", "0", "--log-format", "text", ...words];
  const limited = ["sh", "-c", `ulimit -n ${openFiles}; exec "$@"`, "sh", ...program];
  const [command, ...given] = openFiles === undefined ? program : limited;
  const broker = spawn(command, given, {
    env: { ...process.env, ...environment, ...surroundings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ready = await untilReady(broker);
  const live: LiveBroker = {
    environment,
    said: ready,
    url: /ready;.*?(https?:[^\s"\\]+)/.exec(ready)?.[1] ?? "",
    pid: broker.pid ?? 0,
    isUp: () => broker.exitCode === null && broker.signalCode === null,
    async end(signal) {
      if (broker.exitCode !== null || broker.signalCode !== null) return;
      const gone = once(broker, "exit");
      broker.kill(signal);
      await gone;
    },
  };
  begun.add(live);
  return live;
}

async function untilReady(broker: ChildProcess): Promise<string> {
  let said = "";
  await new Promise<void>((resolve, reject) => {
    broker.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (/ready;.*\n/.test(said)) resolve();
    });
    broker.once("exit", () => reject(new Error(`the broker ended: ${said}`)));
  });
  return said;
}
