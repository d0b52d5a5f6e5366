/**
 * `/slots` and `/sites/NAME/slots`: what the sites' queues leave free, on demand.
 */
import { type Advertisement, mayDo } from "../../engine/index.ts";
import type { SlotSetView } from "../client/types.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../job-view.ts";
import { siteParameters } from "../schemas/sites.ts";
import { type Api, answers, forThoseWhoMay, PREFIX, type RouteWorld } from "./api.ts";
import { siteNamed } from "./sites.ts";

const MS_PER_SECOND = 1000;

/** Adds the routes. */
export function addSlots(api: Api, { door }: RouteWorld): void {
  const setOf = (site: string): SlotSetView[] => {
    const now = door.slots(site);
    return now === undefined ? [] : [slotSetView(now)];
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
      return { items: seen.flatMap(({ name }) => setOf(name)) };
    },
  );
  api.get(
    `${PREFIX}/sites/:name/slots`,
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        operationId: "getSiteSlots",
        summary: "The slots of one site: what its whole queue leaves free",
        description: "Advisory: nothing is held for whoever reads them.",
        tags: ["sites"],
        params: siteParameters,
        response: answers("SlotSet", 200),
      },
    },
    async (request) => setOf(siteNamed(door, request.params.name).name)[0],
  );
}

function slotSetView({ site, sequence, atMs, slots }: Advertisement): SlotSetView {
  return {
    site,
    sequence,
    at: isoInstant(atMs),
    slots: slots.map(({ startAt, procs, durationMs, divisible, extensible }) => ({
      start: isoInstant(startAt),
      procs,
      durationSec: durationMs / MS_PER_SECOND,
      divisible,
      extensible,
    })),
  };
}
