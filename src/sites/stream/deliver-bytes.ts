/**
 * Pipes the bytes of the blocks into the application's stdin, for plain filters.
 *
 * What the filter has read cannot be seen, only what the pipe has taken. So a block counts as acknowledged
 * when more bytes than a pipe can hold were taken after its end, and the last ones when the filter has ended
 * with code 0. A filter that crashes therefore gets some bytes again.
 */
import { createReadStream, readFileSync } from "node:fs";
import type { Delivery, DeliveryWorld, HandedBlock } from "./delivery.ts";

/** Delivers by the pipe. */
export function deliverBytes({ child, acknowledge }: DeliveryWorld): Delivery {
  const lag = pipeBytes();
  const queue: HandedBlock[] = [];
  const sent: { readonly seq: number; readonly endsAt: number }[] = [];
  let taken = 0;
  let isRunning = false;
  let isLast = false;
  let isClosed = false;

  const acknowledgeUpTo = (bytes: number): void => {
    while (sent.length > 0 && sent[0].endsAt <= bytes) acknowledge(sent.shift()?.seq ?? 0);
  };
  const send = async ({ path, seq }: HandedBlock): Promise<void> => {
    for await (const chunk of createReadStream(path)) {
      const isTaken = await new Promise<boolean>((resolve) => {
        child.stdin?.write(chunk, (error) => resolve(error == null));
      });
      if (!isTaken || isClosed) return;
      taken += chunk.length;
      acknowledgeUpTo(taken - lag);
    }
    sent.push({ seq, endsAt: taken });
  };
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let block = queue.shift(); block !== undefined && !isClosed; block = queue.shift())
      await send(block);
    isRunning = false;
    if (isLast) child.stdin?.end();
  };
  const runOn = (): void => void run().catch(() => child.kill("SIGKILL"));
  return {
    offer: (block) => {
      queue.push(block);
      runOn();
    },
    end: () => {
      isLast = true;
      runOn();
    },
    close: async (isGood) => {
      isClosed = true;
      if (isGood && isLast && queue.length === 0) acknowledgeUpTo(taken);
    },
  };
}

/** Upper bound of what lies between two processes: pipes of Node are sockets with the system's buffer. */
export function pipeBytes(): number {
  const USUAL = 262_144;
  try {
    return USUAL + Number(readFileSync("/proc/sys/net/core/wmem_default", "utf8"));
  } catch {
    return USUAL * 4;
  }
}
