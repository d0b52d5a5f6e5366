/** Waits for something that happens elsewhere. */
import { setTimeout as sleep } from "node:timers/promises";

/** Resolves when `holds` does; fails after half a minute. */
export async function eventually(what: string, holds: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > deadlineMs) throw new Error(`did not come about: ${what}`);
    await sleep(2);
  }
}
