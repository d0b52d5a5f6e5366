/**
 * `/slots` and `/sites/NAME/slots`: what the sites' queues leave free, on demand.
 */
import { mayDo } from "../../engine/index.ts";
import type { SlotSetView } from "../client/slot-types.ts";
import { whoOf } from "../identity.ts";
import { siteParameters } from "../schemas/sites.ts";
import { streamSlots } from "../slot-stream.ts";
import { slotSetView } from "../slot-view.ts";
import { type Api, answers, forThoseWhoMay, PREFIX, type RouteWorld, streams } from "./api.ts";
import { siteNamed } from "./sites.ts";

/** Adds the routes. */
export function addSlots(api: Api, { door }: RouteWorld): void {
  const setOf = (site: string, consumer: string): SlotSetView[] => {
    const now = door.slots(site);
    return now === undefined ? [] : [slotSetView(now, consumer)];
  };
  api.get(
    `${PREFIX}/slots`,
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        operationId: "listSlots",
        summary: "The slots of every site",
        tags: ["sites"],
        response: answers("SlotSetList", 200),
      },
    },
    async (request) => {
      const who = whoOf(request);
      const seen = door.sites().filter(({ name }) => mayDo(who, "seeSite", { site: name }));
      return { items: seen.flatMap(({ name }) => setOf(name, who.consumer)) };
    },
  );
  api.get(
    `${PREFIX}/sites/:name/slots`,
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        operationId: "getSiteSlots",
        summary: "The slots of one site: what its whole queue leaves free, and what it costs to reserve",
        description: "Advisory: nothing is held for whoever reads them, and prices are those of now.",
        tags: ["sites"],
        params: siteParameters,
        response: answers("SlotSet", 200),
      },
    },
    async (request) => setOf(siteNamed(door, request.params.name).name, whoOf(request).consumer)[0],
  );
}

/** Adds the route of its stream; apart, since it holds its connection. */
export function addSlotWatch(api: Api, { door }: RouteWorld): void {
  api.get(
    `${PREFIX}/sites/:name/slots/watch`,
    {
      config: { ...forThoseWhoMay("seeSite"), isStream: true },
      schema: {
        operationId: "watchSiteSlots",
        summary: "The slots of one site now, after every change, and every minute, as server-sent events",
        tags: ["sites"],
        params: siteParameters,
        response: streams("text/event-stream", "Events named `slots`, each with a slot set as its data"),
      },
    },
    async (request, reply) => {
      const { name } = siteNamed(door, request.params.name);
      reply.hijack();
      await streamSlots(door, { site: name, consumer: whoOf(request).consumer }, reply.raw).catch(() =>
        reply.raw.destroy(),
      );
    },
  );
}
