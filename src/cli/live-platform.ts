/** The sites of the broker, as `stint plan` takes them. */
import type { StintClient } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { LivePlatform } from "./plan-tools.ts";

const MS_PER_SECOND = 1000;

/** Asks the broker; `sites` restricts, all where absent. @throws Fault where none of them takes jobs */
export async function livePlatformOf(
  client: StintClient,
  only: readonly string[] | undefined,
): Promise<LivePlatform> {
  const { beginAt, sites, link } = await client.platform(only);
  if (sites.length === 0) throw noSite(only);
  return {
    beginAt,
    platform: {
      sites: sites.map(({ slots, freeBeside, marginSec, ...site }) => ({
        ...{ ...site, marginMs: marginSec * MS_PER_SECOND },
        freeBeside: freeBeside.map(({ fromSec, ...free }) => ({
          fromMs: Math.round(fromSec * MS_PER_SECOND),
          ...free,
        })),
        slots: slots.map(({ startSec, durationSec, ...slot }) => ({
          ...slot,
          startMs: Math.round(startSec * MS_PER_SECOND),
          durationMs: Math.round(durationSec * MS_PER_SECOND),
          ...{ divisible: true, extensible: false },
        })),
      })),
      link: { latencyMs: link.latencySec * MS_PER_SECOND, bytesPerSec: link.bytesPerSec },
      pairs: [],
    },
  };
}

function noSite(only: readonly string[] | undefined): Fault {
  return new Fault({
    kind: "refused",
    code: "noSiteToPlanOn",
    what: "there is no site to plan on",
    why: `${only === undefined ? "no site of the broker" : only.join(", ")} takes jobs now`,
    remedy: "see stint site list; or plan on a platform file: --platform sites.yaml",
  });
}
