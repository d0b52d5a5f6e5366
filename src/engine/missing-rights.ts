/**
 * Rights that would open a site to a waiting job. Each open site is tried: if everything that keeps the job
 * away from it is a missing right, the site would take the job with these rights; if anything else does, they
 * would not help.
 */
import type { HelpfulChange, JobRecord, MissingRight, WaitCause } from "../model/index.ts";
import { keptFrom } from "./register.ts";
import type { Projection } from "./state/projection.ts";
import { isOpen, type SiteState } from "./state/site-state.ts";

/** Largest numbers of sites that are tried, and of sets of rights that are returned. */
const MOST_ASKED = 100;
const MOST_TOLD = 3;

/** The missing rights, each set with the sites that it would open; the one that opens most first. */
export function missingRights(
  projection: Projection,
  job: JobRecord,
  sites: readonly SiteState[],
  nowMs: number,
): readonly HelpfulChange[] {
  const { reservation } = job.description;
  if (reservation !== undefined) return [];
  const opened = new Map<string, { readonly rights: readonly MissingRight[]; readonly sites: string[] }>();
  for (const site of sites.filter(isOpen).slice(0, MOST_ASKED)) {
    const found = keptFrom(projection, job, [site], nowMs);
    const rights = found.flatMap(({ cause }) => rightIn(cause, job) ?? []);
    if (found.length === 0 || rights.length < found.length) continue;
    const key = JSON.stringify(rights);
    const known = opened.get(key) ?? { rights, sites: [] };
    known.sites.push(site.name);
    opened.set(key, known);
  }
  const ranked = [...opened.values()].sort((a, b) => b.sites.length - a.sites.length);
  return ranked.slice(0, MOST_TOLD).map((one) => ({ kind: "granted", ...one }));
}

/** The right whose lack is a cause; undefined for any other cause. */
function rightIn(cause: WaitCause, { consumer }: JobRecord): MissingRight | undefined {
  if (cause.kind === "identityRefused") {
    if (cause.why === "outsidePilots" || cause.why === "poolInUse") return undefined;
    return { kind: cause.why === "banned" ? "noBan" : "account", consumer };
  }
  if (cause.kind !== "policyNever") return undefined;
  const [denial] = cause.denials;
  return denial?.limit === "noPolicy" ? { kind: "share", consumer: denial.level ?? consumer } : undefined;
}
