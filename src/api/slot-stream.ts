/**
 * A site's slots as server-sent events: as they are, after every change, and now and then although nothing
 * changed, so that nobody plans with an advertisement that is older than that.
 *
 * A queue changes by what other people do, too; so the site is looked at every so often, and what is told
 * is what the sequence number says has changed.
 */
import type { ServerResponse } from "node:http";
import type { BrokerApi } from "../runtime/index.ts";
import { slotSetParts } from "./slot-view.ts";
import { HEARTBEAT_MS } from "./watch-stream.ts";

/** How often the site is looked at. */
const LOOK_EVERY_MS = 1000;
/** How often its slots are told anew without a change. */
const TELL_EVERY_MS = 60_000;

/** How often what is done. */
export interface SlotStreamTimes {
  readonly lookEveryMs: number;
  readonly tellEveryMs: number;
}

/** Which site's slots are told, and whom prices are for. */
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
