/** Questions about sites: their state, slots, schedules and recorded use. */
import { adStampOf, freeNow, obstaclesAt, type SiteState } from "../engine/index.ts";
import type { BrokerApi, Round, SiteView } from "../runtime/index.ts";
import type { ApiWorld } from "./api-world.ts";
import { peersThere } from "./peer-questions.ts";
import type { ResponseBook } from "./response-times.ts";
import { schedulesBy } from "./schedules.ts";
import { changeShares } from "./share-orders.ts";
import { removeSite } from "./site-commands.ts";
import { slotsBy } from "./slots-there.ts";

/** Sites: their state, slots and schedules, and requests to test or remove them or change their shares. */
export function siteQuestions(world: ApiWorld) {
  const { round, care, inTurn, responses, plans, trials, observed } = world;
  return {
    async testSite(which) {
      if (typeof which !== "string") return care.test(null, which);
      const spec = round.projection.sites.get(which)?.spec;
      return spec === undefined ? undefined : care.test(which, spec);
    },
    removeSite: (request) => inTurn(request.site, () => removeSite(world, request)),
    changeShares: (request) => inTurn(request.site, () => changeShares(round, world.sites, request)),
    sites: () => sitesNow(round, responses),
    refreshResponseTimes: (names) => responses.refreshed(names),
    slots: slotsBy(round, plans, trials),
    schedule: schedulesBy(world),
    usageHistory: observed.history,
    hosts: observed.hosts,
    takeReadings: observed.take,
  } satisfies Partial<BrokerApi>;
}

function sitesNow(round: Round, responses: ResponseBook): readonly SiteView[] {
  const { projection } = round;
  return [...projection.sites.values()].map((site) => ({
    ...siteView(site, responses.of(site.name)),
    obstacles: obstaclesAt(projection, site, round.nowMs()),
    ad: adStampOf(site, round.nowMs()),
    ...peersThere(round, site),
  }));
}

function siteView(site: SiteState, response: SiteView["response"]): SiteView {
  const { name, spec, queue, isDraining, observation } = site;
  return {
    name,
    spec,
    running: queue.running.size,
    waiting: queue.machine.waiting.count,
    procsBusy: spec.procs - freeNow(site).procs,
    isDraining,
    seenAtMs: observation.seenAtMs,
    trouble: observation.trouble,
    response,
  };
}
