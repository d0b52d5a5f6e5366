/** `/slots` and `/sites/NAME/slots`: free slots, on demand. */

import { Readable } from "node:stream";
import { siteParameters } from "../../contract/index.ts";
import { type Advertisement, mayDo } from "../../engine/index.ts";
import { whoOf } from "../identity.ts";
import { refusalProblem } from "../problem.ts";
import { streamSlots } from "../slot-stream.ts";
import { slotSetParts } from "../slot-view.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, streams, urlOf } from "./api.ts";
import { siteNamed } from "./sites.ts";

/** Registers the routes of slots. */
export function addSlots(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("listSlots"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "List the free slots of every site",
        tags: ["sites"],
        response: answers("SlotSetList", 200),
      },
    },
    async (request, reply) => {
      const who = whoOf(request);
      const seen = brokerApi.sites().filter(({ name }) => mayDo(who, "seeSite", { site: name }));
      const sets = await Promise.all(seen.map(({ name }) => brokerApi.slots(name)));
      const known = sets.filter((set) => set !== undefined);
      return reply.type("application/json").send(Readable.from(listParts(known, who.consumer)));
    },
  );
  api.get(
    urlOf("getSiteSlots"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "List the free slots of a site, with their prices",
        description: "Advisory: nothing is held for the caller, and prices are current.",
        tags: ["sites"],
        params: siteParameters,
        response: answers("SlotSet", 200),
      },
    },
    async (request, reply) => {
      const { name } = siteNamed(brokerApi, request.params.name);
      const set = await brokerApi.slots(name);
      // A site that went meanwhile is told as one that is not there.
      if (set === undefined) throw refusalProblem({ kind: "unknownSite", site: name, known: [] });
      return reply.type("application/json").send(Readable.from(slotSetParts(set, whoOf(request).consumer)));
    },
  );
}

async function* listParts(sets: readonly Advertisement[], consumer: string): AsyncGenerator<string> {
  yield '{"items":[';
  for (const [at, set] of sets.entries()) {
    if (at > 0) yield ",";
    yield* slotSetParts(set, consumer);
  }
  yield "]}";
}

/** Adds the route of the stream; separate, since it holds its connection. */
export function addSlotWatch(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("watchSiteSlots"),
    {
      config: { ...forThoseWhoMay("seeSite"), isStream: true },
      schema: {
        summary: "Watch the free slots of a site: on every change and every minute, as server-sent events",
        tags: ["sites"],
        params: siteParameters,
        response: streams("text/event-stream", "Events named `slots`, each with a slot set as its data"),
      },
    },
    async (request, reply) => {
      const { name } = siteNamed(brokerApi, request.params.name);
      reply.hijack();
      await streamSlots(brokerApi, { site: name, consumer: whoOf(request).consumer }, reply.raw).catch(() =>
        reply.raw.destroy(),
      );
    },
  );
}
