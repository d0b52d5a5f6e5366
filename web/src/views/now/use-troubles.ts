import { useQuery } from "@tanstack/react-query";
import { client, type SiteView } from "../../app/client.ts";
import { useMay } from "../../app/session.ts";
import { isWithin } from "../../parts/job-title.ts";
import { wholeRows } from "../../parts/whole-rows.ts";
import { RECENT_MS, type Trouble, troublesOf } from "./troubles.ts";
import type { WorkRow } from "./work.ts";

/** Jobs that ended within the last hour are looked at up to this number, the latest first. */
const MOST_JOBS = 200;
const MOST_WHOLES = 50;
/** What is listed is live; the rest is asked for so often only, since it takes several requests. */
const EVERY_MS = 15_000;

/** What needs the caller's attention, whether or not it is among the work that is listed. */
export function useTroubles(
  consumer: string,
  sites: readonly SiteView[],
  listed: readonly WorkRow[],
): { readonly troubles: readonly Trouble[]; readonly error: Error | null } {
  const may = useMay();
  const mayReserve = may("seeReservation");
  const { data, error } = useQuery({
    queryKey: ["troubles", consumer, mayReserve],
    queryFn: () => ask(consumer, mayReserve),
    enabled: may("seeJob"),
    refetchInterval: EVERY_MS,
  });
  const { reservations, streams, wholes, jobs } = data ?? NONE;
  const watched = {
    ...{ sites, reservations, streams },
    wholes: [...listed.flatMap((row) => ("whole" in row ? row.whole : [])), ...wholes],
    jobs: [...listed.flatMap((row) => ("job" in row ? row.job : [])), ...jobs],
  };
  return { troubles: troublesOf(watched, Date.now()), error };
}

const NONE = { reservations: [], streams: [], wholes: [], jobs: [] };

async function ask(consumer: string, mayReserve: boolean) {
  const since = new Date(Date.now() - RECENT_MS).toISOString();
  const recent = { consumer, limit: MOST_WHOLES };
  const [jobs, arrays, dags, workflows, streams, reservations] = await Promise.all([
    client.jobs({
      ...{ consumer, array: "none", state: ["DONE", "ABORTED", "CLEARED"], time: "ended", since },
      ...{ sort: "-ended", limit: MOST_JOBS },
    }),
    client.arrays(recent),
    client.dags(recent),
    client.workflows(),
    client.call("listStreams"),
    mayReserve ? client.reservations({ ...recent, state: ["VIOLATED"] }) : { items: [] },
  ]);
  const ownWorkflows = workflows.filter((workflow) => isWithin(workflow, consumer));
  return {
    jobs: jobs.items,
    wholes: wholeRows(dags.items, arrays.items, ownWorkflows, 0),
    streams: streams.items,
    reservations: reservations.items,
  };
}
