/**
 * Number of pilots to submit at a site (rule EN-300): as many as the jobs that wait for one need for their
 * processors, less the pilots in the queue, up to the site's maximum. If no job finishes in a pilot, the next
 * one is submitted after a pause that doubles each time.
 */
import { JOB_DEFAULTS, type PilotFactory, type PilotRecord, type StintEvent } from "../../../model/index.ts";
import { PILOT_PROGRAM } from "../../state/pilot-program.ts";
import type { Projection } from "../../state/projection.ts";
import type { SiteState } from "../../state/site-state.ts";

/** Owner of the jobs of pilots. */
const OWNER = "stint";
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;

/** Pilots that are to be submitted. @param wanted processors of the jobs that wait for pilots, by site */
export function pilotRequests(
  projection: Projection,
  wanted: ReadonlyMap<string, number>,
  nowMs: number,
): readonly StintEvent[] {
  // One sequence of numbers for all sites: different names may become the same text in an id.
  let order = projection.accepted;
  return [...wanted].flatMap(([name, procs]) => {
    const site = projection.sites.get(name);
    const requests = site === undefined ? [] : requestsAt(projection, site, { procs, order }, nowMs);
    order += requests.length;
    return requests;
  });
}

function requestsAt(
  { books }: Pick<Projection, "books">,
  { name: site, spec }: SiteState,
  wanted: { readonly procs: number; readonly order: number },
  nowMs: number,
): readonly StintEvent[] {
  if (spec.type !== "slurm" || spec.pilots === undefined) return [];
  const { max, procs, memoryBytes, gpus = 0, wallTimeMs, consumer } = spec.pilots;
  if (nowMs < (books.pilotFactories.get(site)?.notBeforeMs ?? 0)) return [];
  const alive = [...books.pilots.values()].filter((it) => it.site === site && isShared(it));
  const coming = alive.filter(({ state }) => state === "WAITING").length;
  const count = Math.min(Math.ceil(wanted.procs / procs) - coming, max - alive.length);
  const stem = `pilot-${site.replaceAll(/[^A-Za-z0-9.-]/g, "-")}`;
  const ids = Array.from({ length: Math.max(0, count) }, (_, at) => `${stem}-${wanted.order + 1 + at}`);
  const size = {
    procs,
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(gpus === 0 ? {} : { gpus }),
  };
  const asked = { name: "pilot", executable: PILOT_PROGRAM, ...size, wallTimeMs, site, hostNumber: 1 };
  return ids.flatMap((job): readonly StintEvent[] => [
    { kind: "pilotSubmitted", pilot: job, site, procs, memoryBytes: memoryBytes ?? 0, gpus, atMs: nowMs },
    {
      ...{ kind: "jobAccepted", job, consumer, owner: OWNER, atMs: nowMs },
      description: { ...JOB_DEFAULTS, ...asked },
    },
  ]);
}

/** True for a pilot that is not over and runs whatever jobs fit. */
function isShared({ state, replicaOf }: PilotRecord): boolean {
  return state !== "ENDED" && replicaOf === undefined;
}

/** Delay for the next pilot of a site after another one has ended there. */
export function afterPilot(
  before: PilotFactory | undefined,
  { site, finished = 0 }: PilotRecord,
  endedAtMs: number,
): PilotFactory {
  if (finished > 0) return { site, fruitless: 0, notBeforeMs: 0 };
  const fruitless = (before?.fruitless ?? 0) + 1;
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(fruitless - 1, 20));
  return { site, fruitless, notBeforeMs: endedAtMs + pauseMs };
}
