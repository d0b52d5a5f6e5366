/**
 * Control of a running wrapper: rate, quota, pause and end, in a file beside its blocks.
 *
 * The broker replaces the file; the wrapper reads it every 100 ms. It is opened each time rather than looked
 * at, because a network file system shows another host's change only to who opens the file. An allocation is
 * a lease: without a new serial number for the time of the lease the wrapper falls to its minimum rate, by
 * its own steady clock, so that clocks of hosts need not agree.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Read, streamControlShape } from "../../contract/files/index.ts";
import { readStreamControl } from "../../formats/stream-wrapper/index.ts";

/** Orders for a running wrapper. */
type StreamControl = Read<typeof streamControlShape>;

/** Name of the file in the stream's directory. */
const CONTROL_FILE = "control.json";
const EVERY_MS = 100;

/** Settings that result from the file and the lease. */
export interface ControlState {
  readonly rate: number;
  readonly control: StreamControl | undefined;
  /** False while the minimum holds because nobody renews the allocation. */
  readonly isLeased: boolean;
}

/**
 * Watches the file until the signal aborts; `tell` hears each change. Resolves when the orders that are there
 * have been told: a wrapper that was killed goes on within the quota that it had.
 */
export async function watchControl(
  { directory, least, first, leaseMs }: ControlOrder,
  signal: AbortSignal,
  tell: (state: ControlState) => void,
): Promise<void> {
  let control: StreamControl | undefined;
  let written = "";
  let renewedAt = performance.now();
  let told: ControlState = { rate: first, control, isLeased: true };
  const look = async (): Promise<void> => {
    const text = await readFile(join(directory, CONTROL_FILE), "utf8").catch(() => written);
    if (text !== written) {
      written = text;
      const read = readStreamControl(text);
      if (read !== undefined && read.serial !== control?.serial) {
        control = read;
        renewedAt = performance.now();
      }
    }
    const isLeased = leaseMs === null || performance.now() - renewedAt < leaseMs;
    const asked = control?.bytesPerSec ?? first;
    const state = { control, isLeased, rate: isLeased ? asked : Math.min(asked, least) };
    if (state.control !== told.control || state.isLeased !== told.isLeased) tell(state);
    told = state;
  };
  await look();
  if (signal.aborted) return;
  const timer = setInterval(() => void look(), EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}

interface ControlOrder {
  readonly directory: string;
  /** Rate without a lease. */
  readonly least: number;
  /** Rate until the first order. */
  readonly first: number;
  /** Null: allocations hold for ever. */
  readonly leaseMs: number | null;
}
