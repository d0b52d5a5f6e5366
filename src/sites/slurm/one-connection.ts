/**
 * Many commands through one kept connection of ssh.
 *
 * The first command opens the connection, and those that come while it does would open more; so they wait
 * for it. A server lets ten commands at once into a connection (MaxSessions of sshd_config), and the client
 * opens another for the eleventh; so they are fewer.
 */
import type { CommandResult, RunCommand } from "./command.ts";

const MOST_SESSIONS = 8;
/** ssh itself ends with this where it could not reach, or lost, the other side. */
const SSH_FAILED = 255;
/** A connection is not counted on any more shortly before it is given up. */
const MARGIN_MS = 10_000;

/** Runs commands so that one connection is opened, which is kept for `keptMs` after its last use. */
export function throughOneConnection(run: RunCommand, keptMs: number): RunCommand {
  let underWay = 0;
  let openUntilMs = Number.NEGATIVE_INFINITY;
  const waiting: (() => void)[] = [];
  const letIn = (): void => {
    const room = Date.now() < openUntilMs ? MOST_SESSIONS : 1;
    while (underWay < room && waiting.length > 0) {
      underWay++;
      waiting.shift()?.();
    }
  };
  return async (request) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      letIn();
    });
    try {
      const result = await run(request);
      openUntilMs = isLost(result) ? Number.NEGATIVE_INFINITY : Date.now() + keptMs - MARGIN_MS;
      return result;
    } finally {
      underWay--;
      letIn();
    }
  };
}

/** Of a command that was killed it is not known whether the connection is still good. */
function isLost({ code, isTimedOut, notStarted }: CommandResult): boolean {
  return code === SSH_FAILED || isTimedOut || notStarted !== null;
}
