/**
 * Why a job waits at the broker (rule EN-193): what holds wherever it went, and, where it can go to no site,
 * all that keeps it from each of them, ranked by what the user can change; with the smallest change after
 * which a site would take it, found by trying.
 */
import { type Explanation, isImitating, type JobRecord, type WaitCause } from "../model/index.ts";
import type { KeptFrom } from "./feature.ts";
import { missingRights } from "./missing-rights.ts";
import { placeableChange } from "./placeable-change.ts";
import { causesOf, keptFrom } from "./register.ts";
import type { Projection } from "./state/projection.ts";
import { isLargeEnough, isMeant, type SiteState } from "./state/site-state.ts";

const RANKS: readonly KeptFrom["by"][] = ["description", "use", "nothing"];

/** The causes of a job that is not held, and changes that would help. */
export function causesAtBroker(
  projection: Projection,
  job: JobRecord,
  nowMs: number,
): Pick<Explanation, "causes"> & Partial<Explanation> {
  const [first] = causesOf("atBroker", projection, job, nowMs);
  if (isPlannedLater(job, nowMs)) return { causes: first === undefined ? [PLACING] : [first] };
  const sites = candidates(projection, job);
  const found = keptFrom(projection, job, sites, nowMs);
  const kept = new Set(found.flatMap((one) => one.sites));
  if (sites.some(({ name }) => !kept.has(name))) return { causes: [first ?? PLACING] };
  // Whose turn it is in an organisation does not matter where there is nowhere to go.
  const global = first === undefined || first.kind === "voTurn" ? [] : [first];
  const ranked = RANKS.flatMap((rank) => found.filter(({ by }) => by === rank)).map(({ cause }) => cause);
  const causes = [...global, ...ranked, ...(ranked.length === 0 ? [noneLeft(projection, job)] : [])];
  const change = placeableChange(projection, job, nowMs);
  const rights = missingRights(projection, job, sites, nowMs);
  return { causes, helpfulChanges: [...(change === undefined ? [] : [change]), ...rights] };
}

const PLACING: WaitCause = { kind: "placing" };

function isPlannedLater({ description: { virtual } }: JobRecord, nowMs: number): boolean {
  return virtual !== undefined && nowMs < virtual.submitMs;
}

/** Sites that the job may name: that of its reservation, the one that it names, or all that run jobs. */
function candidates({ sites, reserved }: Projection, { description }: JobRecord): readonly SiteState[] {
  const site = sites.get(reserved.records.get(description.reservation ?? "")?.site ?? "");
  return site === undefined ? [...sites.values()].filter((it) => isMeant(it, description)) : [site];
}

/** That no site is left, with those that only imitate jobs. */
function noneLeft({ sites }: Projection, { description }: JobRecord): WaitCause {
  const imitating = [...sites.values()].filter(
    (it) => description.site === undefined && isImitating(it.spec) && isLargeEnough(it, description),
  );
  const named = imitating.length === 0 ? {} : { imitating: imitating.map(({ name }) => name) };
  return { kind: "noSiteOpen", draining: [], away: [], readOnly: [], ...named };
}
