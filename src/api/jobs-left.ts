/** Active jobs by site: what a broker leaves when it stops. */
import type { LeftAtSite } from "../contract/index.ts";
import { isFinal, JOB_STATES } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";

const ACTIVE = JOB_STATES.filter((state) => !isFinal(state));
const PAGE = 1000;

/** Numbers of active jobs, at sites in the order of their names, those at no site last. */
export async function jobsLeft(brokerApi: BrokerApi): Promise<readonly LeftAtSite[]> {
  const types = new Map(brokerApi.sites().map(({ name, spec }) => [name, spec.type]));
  const left = new Map<string | null, LeftAtSite>();
  let after: string | undefined;
  do {
    const page = await brokerApi.jobs({ states: ACTIVE, limit: PAGE, ...(after !== undefined && { after }) });
    for (const { site, state } of page.items) {
      const type = site === null ? null : (types.get(site) ?? null);
      const { running, waiting } = left.get(site) ?? { running: 0, waiting: 0 };
      const runs = Number(state === "RUNNING" || state === "SUSPENDED");
      left.set(site, { site, type, running: running + runs, waiting: waiting + 1 - runs });
    }
    after = page.next;
  } while (after !== undefined);
  return [...left.values()].sort(bySite);
}

function bySite({ site: a }: LeftAtSite, { site: b }: LeftAtSite): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : 1;
}
