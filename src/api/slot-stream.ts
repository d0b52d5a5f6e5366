/**
 * A site's slots as server-sent events: now, on every change, and at intervals without a change, so that
 * nobody plans with an older advertisement. Other users change a queue, too; so the site is polled, and the
 * sequence number shows a change.
 */
import type { ServerResponse } from "node:http";
import type { BrokerApi } from "../runtime/index.ts";
import { slotSetParts } from "./slot-view.ts";
import { HEARTBEAT_MS } from "./watch-stream.ts";

/** Interval between polls of a site. */
const LOOK_EVERY_MS = 1000;
/** Interval of events without a change. */
const TELL_EVERY_MS = 60_000;

/** Intervals of a stream. */
export interface SlotStreamTimes {
  readonly lookEveryMs: number;
  readonly tellEveryMs: number;
}

/** Site of the slots, and consumer of the prices. */
export interface SlotListener {
  readonly site: string;
  readonly consumer: string;
}

/** Writes the advertisements of a site to `response`; resolves when its reader or the site has gone. */
export async function streamSlots(
  brokerApi: BrokerApi,
  { site, consumer }: SlotListener,
  response: ServerResponse,
  times: SlotStreamTimes = { lookEveryMs: LOOK_EVERY_MS, tellEveryMs: TELL_EVERY_MS },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  let told: { readonly sequence: number; readonly atMs: number } | undefined;
  const canWrite = (): boolean => !response.writableEnded && !response.writableNeedDrain;
  let isLooking = false;
  const look = async (): Promise<void> => {
    const now = await brokerApi.slots(site);
    if (response.writableEnded) return;
    if (now === undefined) {
      response.end();
      return;
    }
    const isNews = told?.sequence !== now.sequence || now.atMs - told.atMs >= times.tellEveryMs;
    if (!isNews) return;
    told = now;
    const parts: string[] = [];
    for await (const part of slotSetParts(now, consumer)) parts.push(part);
    if (!response.writableEnded) response.write(`event: slots\ndata: ${parts.join("")}\n\n`);
  };
  const lookOnce = (): void => {
    if (isLooking || !canWrite()) return;
    isLooking = true;
    look().then(
      () => {
        isLooking = false;
      },
      () => response.destroy(),
    );
  };
  const looking = setInterval(lookOnce, times.lookEveryMs);
  const heartbeat = setInterval(() => {
    if (canWrite()) response.write(":\n\n");
  }, HEARTBEAT_MS);
  try {
    lookOnce();
    await new Promise<void>((resolve) => response.once("close", resolve));
  } finally {
    clearInterval(looking);
    clearInterval(heartbeat);
  }
}
