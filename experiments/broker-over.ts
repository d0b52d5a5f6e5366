/**
 * A broker in this process over clusters of an experiment, its log in memory.
 */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Broker, sandboxesIn, startBroker, systemClock } from "../src/broker/index.ts";
import { siteOpener } from "../src/main/open-site.ts";
import type { SiteSpec } from "../src/model/index.ts";
import { VIEWS } from "../src/runtime/index.ts";
import { createMemoryLogbook } from "../src/store/index.ts";

const LOOK_EVERY_MS = 200;

/** Starts it, and waits until each of its sites was seen. */
export async function brokerOver(
  sites: readonly { readonly name: string; readonly spec: SiteSpec }[],
  folder: string,
  warn: (message: string) => void,
): Promise<Broker> {
  const broker = await startBroker({
    logbook: createMemoryLogbook(VIEWS),
    openSite: siteOpener(folder, systemClock),
    clock: systemClock,
    sandboxes: sandboxesIn(join(folder, "sandboxes")),
    warn,
    onBroken: (error) => warn(String(error)),
  });
  const { brokerApi } = broker;
  for (const { name, spec } of sites) {
    const added = await brokerApi.ask({ kind: "addSite", site: name, spec });
    if (!added.ok) throw new Error(JSON.stringify(added.refusal));
  }
  while (brokerApi.sites().some(({ seenAtMs }) => seenAtMs === null)) await delay(LOOK_EVERY_MS);
  return broker;
}
