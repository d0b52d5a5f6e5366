/**
 * Whether the transfers of a stream stand still, and why: failed attempts by block, and silence.
 *
 * One connection that fails beside others that deliver is no stall.
 */
import type { StreamFile } from "./source-list.ts";
import type { PullFigures } from "./stream-report.ts";
import type { Trouble } from "./trouble.ts";

/** Silence after which a transfer counts as stalled. */
const STALL_MS = 2000;

/** The transfers of one wrapper, as far as they may stall. */
interface StallWatch {
  /** The only transfer has begun: before it nothing was wanted, so nothing was silent. */
  readonly begin: () => void;
  readonly noteBytes: (seq: number) => void;
  readonly noteTrouble: (seq: number, trouble: Trouble) => void;
  /** The transfer of a block is over. */
  readonly end: (seq: number) => void;
  /** @param fetching number of transfers */
  readonly isStalled: (fetching: number) => boolean;
  /** Trouble with a block, if there is any. */
  readonly trouble: () => Trouble | undefined;
  /** Silence as a trouble. @param file the file that is read, if one is */
  readonly silence: (file: Pick<StreamFile, "href" | "isAwaited"> | undefined, idleMs: number) => Trouble;
}

/** Begins to watch; the clock does not go back. */
export function createStallWatch(steadyMs: () => number = () => performance.now()): StallWatch {
  const troubles = new Map<number, Trouble>();
  let lastByteAt = steadyMs();
  const silentMs = (): number => steadyMs() - lastByteAt;
  return {
    begin: () => {
      lastByteAt = steadyMs();
    },
    noteBytes: (seq) => {
      lastByteAt = steadyMs();
      troubles.delete(seq);
    },
    noteTrouble: (seq, trouble) => void troubles.set(seq, trouble),
    end: (seq) => void troubles.delete(seq),
    isStalled: (fetching) => (fetching > 0 && troubles.size >= fetching) || silentMs() > STALL_MS,
    trouble: () => [...troubles.values()][0],
    silence: (file, idleMs) => {
      const sinceMs = Math.round(Date.now() - silentMs());
      if (file === undefined) return { with: "source", message: "no further file is listed yet", sinceMs };
      const message = `${file.href[0]} sends no data`;
      // After so long a silence the connection is made again; a file that grows is read again each second.
      const next = file.isAwaited ? {} : { nextAtMs: sinceMs + idleMs };
      return { with: "source", message, sinceMs, ...next };
    },
  };
}

/** A trouble as the report has it. */
export function stallOf({ with: of, sinceMs, nextAtMs }: Trouble): NonNullable<PullFigures["stall"]> {
  return {
    ...{ with: of, since: new Date(sinceMs).toISOString() },
    ...(nextAtMs === undefined ? {} : { nextAttempt: new Date(nextAtMs).toISOString() }),
  };
}
