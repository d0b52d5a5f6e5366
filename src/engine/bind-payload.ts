/** Which pilot runs a job, or that the job waits for one (rules EN-301, EN-306). */
import type { JobRecord } from "../model/index.ts";
import { placementClass } from "./site-selection/placement-class.ts";
import { admitsPayload, countPayload, type PayloadGate, payloadGate } from "./state/payload-shares.ts";
import { type PilotUse, pilotRulesFor, pilotUse, pilotWithRoom, takeRoom } from "./state/pilots.ts";
import type { Projection } from "./state/projection.ts";
import { isDemanding, type SiteState } from "./state/site-state.ts";

/** State shared while the payloads of one decision are bound. */
export interface Binding {
  readonly projection: Projection;
  readonly nowMs: number;
  readonly open: readonly SiteState[];
  /** Resources of pilots in use by payloads, including the jobs placed so far. */
  readonly pilotUse: PilotUse;
  /** Processors of the jobs that wait for pilots, by site. */
  readonly pilotsWanted: Map<string, number>;
  /** Shares of sites at the binding of payloads, with the jobs bound so far. */
  readonly payloads: PayloadGate;
  /** Site at which the first job of a class waits for a pilot; the others of the class wait there too. */
  readonly awaiting: Map<string, string>;
}

/** A decision that has bound nothing yet. */
export function newBinding(projection: Projection): Omit<Binding, "projection" | "nowMs" | "open"> {
  return {
    pilotUse: pilotUse(projection),
    pilotsWanted: new Map(),
    payloads: payloadGate(),
    awaiting: new Map(),
  };
}

/** The pilot that is to run a job at a site; undefined: the site's own queue (EN-301). */
export function pilotFor(binding: Binding, site: SiteState, job: JobRecord): string | undefined {
  const { projection, nowMs, pilotUse: use, payloads: gate } = binding;
  if (pilotRulesFor(projection, site, job) === undefined) return undefined;
  const isAdmitted = admitsPayload(projection, site, { job, gate }, nowMs);
  const pilot = isAdmitted ? pilotWithRoom(projection, site, job, { use, nowMs }) : undefined;
  if (pilot === undefined) {
    const alike = binding.open.some(isDemanding) ? undefined : placementClass(job);
    if (alike !== undefined) binding.awaiting.set(alike, site.name);
    wantPilot(binding, site, job);
    return "awaited";
  }
  takeRoom(use, pilot.job, job);
  countPayload(gate, site, job);
  return pilot.job;
}

/** Counts a job that waits for a pilot, unless no pilot could start it now (rule EN-306). */
export function wantPilot(binding: Binding, site: SiteState, job: JobRecord): void {
  const { projection, pilotsWanted, payloads: gate, nowMs } = binding;
  if (!admitsPayload(projection, site, { job, gate }, nowMs)) return;
  countPayload(gate, site, job);
  pilotsWanted.set(site.name, (pilotsWanted.get(site.name) ?? 0) + job.description.procs);
}

/**
 * Sites whose policies let a pilot start the job now, or that have no pilots for it; all of the given sites
 * if there is none of these.
 */
export function withinShares(
  { projection, payloads: gate, nowMs }: Binding,
  sites: readonly SiteState[],
  job: JobRecord,
): readonly SiteState[] {
  if (sites.length < 2) return sites;
  const able = sites.filter(
    (site) =>
      pilotRulesFor(projection, site, job) === undefined ||
      admitsPayload(projection, site, { job, gate }, nowMs),
  );
  return able.length > 0 ? able : sites;
}
