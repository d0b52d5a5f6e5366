/** Pauses of what runs beside the rounds of the broker. */
import { setTimeout } from "node:timers/promises";

/** Waits for `ms`, or until the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
