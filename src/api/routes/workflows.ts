/** `/platform` and `/workflows`: what workflows are planned on, and their execution. */
import { MS_PER_SECOND } from "../../base/index.ts";
import { type PlatformView, platformQuery } from "../../contract/index.ts";
import { mayDo } from "../../engine/index.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";
import { demandSites } from "./quotes.ts";

/** Registers the routes of workflows. */
export function addWorkflows(api: Api, world: RouteWorld): void {
  addPlatform(api, world);
}

function addPlatform(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("getPlatform"),
    {
      config: forThoseWhoMay("seeSite"),
      schema: {
        summary: "Get the sites as planners of workflows take them",
        description:
          "Free slots that the caller may still reserve, from the beginning of a plan on. Sites without " +
          "new jobs are left out. Advisory: nothing is held.",
        tags: ["workflows"],
        querystring: platformQuery,
        response: answers("Platform", 200),
      },
    },
    async (request): Promise<PlatformView> => {
      const who = whoOf(request);
      const seen = brokerApi.sites().filter(({ name }) => mayDo(who, "seeSite", { site: name }));
      const { site: only = seen.map(({ name }) => name) } = request.query;
      demandSites(brokerApi, only);
      const asked = seen.filter(({ name }) => only.includes(name));
      const sets = await Promise.all(asked.map(({ name }) => brokerApi.slots(name)));
      const { platform, beginMs } = brokerApi.query("livePlatform", {
        sets: sets.filter((set) => set !== undefined),
        consumer: who.consumer,
      });
      const { latencyMs = 0, bytesPerSec = 0 } = platform.link ?? {};
      return {
        beginAt: isoInstant(beginMs),
        sites: platform.sites.map(({ name, procs, speed, price, slots = [] }) => ({
          ...{ name, procs, speed, price },
          slots: slots.map((slot) => ({
            startSec: slot.startMs / MS_PER_SECOND,
            durationSec: slot.durationMs / MS_PER_SECOND,
            ...{ procs: slot.procs, price: slot.price, fixedSu: slot.fixedSu },
          })),
        })),
        link: { latencySec: latencyMs / MS_PER_SECOND, bytesPerSec },
      };
    },
  );
}
