/**
 * A site's slots as server-sent events: as they are, after every change, and now and then although nothing
 * changed, so that nobody plans with an advertisement that is older than that.
 *
 * A queue changes by what other people do, too; so the site is looked at every so often, and what is told
 * is what the sequence number says has changed.
 */
import type { ServerResponse } from "node:http";
import type { Door } from "../runtime/index.ts";
import { slotSetView } from "./slot-view.ts";
import { HEARTBEAT_MS } from "./watch-stream.ts";

/** How often the site is looked at. */
const LOOK_EVERY_MS = 1000;
/** How often its slots are told anew without a change. */
export const TELL_EVERY_MS = 60_000;

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
  door: Door,
  { site, consumer }: SlotListener,
  response: ServerResponse,
  times: SlotStreamTimes = { lookEveryMs: LOOK_EVERY_MS, tellEveryMs: TELL_EVERY_MS },
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  let told: { readonly sequence: number; readonly atMs: number } | undefined;
  const look = (): void => {
    if (response.writableEnded || response.writableNeedDrain) return;
    const now = door.slots(site);
    if (now === undefined) {
      response.end();
      return;
    }
    const isNews = told?.sequence !== now.sequence || now.atMs - told.atMs >= times.tellEveryMs;
    if (!isNews) return;
    told = now;
    response.write(`event: slots\ndata: ${JSON.stringify(slotSetView(now, consumer))}\n\n`);
  };
  const looking = setInterval(look, times.lookEveryMs);
  const heartbeat = setInterval(() => {
    if (!response.writableEnded && !response.writableNeedDrain) response.write(":\n\n");
  }, HEARTBEAT_MS);
  try {
    look();
    await new Promise<void>((resolve) => response.once("close", resolve));
  } finally {
    clearInterval(looking);
    clearInterval(heartbeat);
  }
}
