/**
 * Runs the application of a stream and hands it blocks: over JSON lines, a directory, or as bytes.
 *
 * It is started without a shell, in the wrapper's own process group, so that whoever ends the job ends both.
 * A crash is the wrapper's business; here one process is one life, from its start to its exit.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { messageOf } from "../../base/index.ts";
import { deliverBytes } from "./deliver-bytes.ts";
import { deliverFiles, newInbox } from "./deliver-files.ts";
import { deliverLines } from "./deliver-lines.ts";
import type { Acknowledge, Delivery } from "./delivery.ts";
import type { StreamOrder } from "./stream-order.ts";

/** End of an application's process. */
export interface ApplicationEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Obstacle to its start. */
  readonly problem?: string;
}

/** A running application. */
export interface Application extends Pick<Delivery, "offer" | "end"> {
  readonly pid: number | undefined;
  readonly ended: Promise<ApplicationEnd>;
  readonly signal: (name: NodeJS.Signals) => void;
}

/** Program of an application, or of a stage of it, and its directories. */
export interface Program {
  readonly command: readonly string[];
  /** Directory in which each life of an application that reads blocks as files has a directory of its own. */
  readonly inbox: string;
  /** Directory of files that acknowledgements may name; undefined where they name none. */
  readonly results?: string | undefined;
}

/** Reports of one run of the application. */
interface ApplicationHooks {
  readonly acknowledge: Acknowledge;
  readonly print: (line: string) => void;
}

const DELIVERIES = { lines: deliverLines, directory: deliverFiles, bytes: deliverBytes };

/** Starts the application. */
export function startApplication(
  { stream, application: { delivery, environment, cpus } }: StreamOrder,
  { command, inbox: inboxes, results }: Program,
  hooks: ApplicationHooks,
): Application {
  const [program, ...words] = cpus === undefined ? command : ["taskset", "-c", cpus, ...command];
  const inbox = delivery === "directory" ? newInbox(inboxes) : inboxes;
  const resultsIn = results === undefined ? {} : { STINT_STREAM_RESULTS: results };
  const child = spawn(program, words, {
    env: { ...process.env, ...environment, STINT_STREAM: stream, STINT_STREAM_INBOX: inbox, ...resultsIn },
    stdio: [
      delivery === "directory" ? "ignore" : "pipe",
      delivery === "lines" ? "pipe" : "inherit",
      "inherit",
    ],
  });
  // A process that died leaves a pipe that nobody reads: its end is told below.
  child.stdin?.on("error", () => undefined);
  const way = DELIVERIES[delivery]({ child, inbox, hasSink: results !== undefined, ...hooks });
  return {
    pid: child.pid,
    offer: way.offer,
    end: way.end,
    signal: (name) => void child.kill(name),
    ended: endOf(child).then(async (end) => {
      await way.close(end.code === 0);
      return end;
    }),
  };
}

async function endOf(child: ChildProcess): Promise<ApplicationEnd> {
  try {
    const [code, signal] = await once(child, "close");
    return { code, signal };
  } catch (error) {
    return { code: null, signal: null, problem: messageOf(error) };
  }
}
