/** Sites of requests, completed with their defaults. */
import type { SimulatedSiteRequest, SiteSpecRequest } from "../contract/index.ts";
import { unreadableAttribute } from "../match/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementRules,
  type InMilliseconds,
  inMilliseconds,
  RESERVATION_DEFAULTS,
  type ReservationRules,
  type SimulatedSiteSpec,
  type SiteOffer,
  SLURM_DEFAULTS,
  type SlurmSiteSpec,
} from "../model/index.ts";
import { invalid } from "./validator.ts";

const MS_PER_HOUR = 3_600_000;
const BYTES_PER_PROC = 2 ** 30;

/**
 * Spec of a site with its defaults; 0 where the cluster reports the value. @throws ProblemError where a link
 * has the name of a store, or an attribute of its ads is no expression
 */
export function completeSpec(asked: SiteSpecRequest): SimulatedSiteSpec | SlurmSiteSpec {
  demandOwnNames(asked);
  demandReadableAds(asked);
  const request = inMilliseconds(asked);
  if (request.type !== "slurm") return completeSimulated(request);
  const { reservations, enforcement, ...said } = request;
  const rules = { ...completeRules(reservations), ...completeEnforcement(enforcement) };
  return { ...SLURM_DEFAULTS, procs: 0, memoryBytes: 0, ...said, ...rules };
}

function completeSimulated({
  type: _,
  background: others = null,
  delays,
  losses,
  reservations,
  enforcement,
  ...said
}: InMilliseconds<SimulatedSiteRequest>): SimulatedSiteSpec {
  return {
    type: "simulated",
    memoryBytes: said.procs * BYTES_PER_PROC,
    discipline: "easy",
    defaultWallTimeMs: MS_PER_HOUR,
    jobs: "imitate",
    speedUp: 1,
    seed: 1,
    ...said,
    background: others === null ? null : { skipMs: 0, ...others },
    delays: { orderMs: 0, startMs: 0, ...delays },
    losses: { failedPpm: 0, doubtfulPpm: 0, vanishedPpm: 0, ...losses },
    ...completeRules(reservations),
    ...completeEnforcement(enforcement),
  };
}

/** Checks names, which reservations and policies use alone. @throws ProblemError where two share one */
function demandOwnNames({ stores = {}, links = {} }: Pick<SiteOffer, "stores" | "links">): void {
  const shared = Object.keys(links).find((name) => Object.hasOwn(stores, name));
  if (shared === undefined) return;
  throw invalid([{ pointer: `/spec/links/${shared}`, detail: "a store already has this name" }]);
}

/** Checks attributes of ads. @throws ProblemError for the first that is no expression */
function demandReadableAds({ ads = {} }: Pick<SiteOffer, "ads">): void {
  const found = unreadableAttribute(ads);
  if (found === undefined) return;
  const { what, why } = found.problem;
  throw invalid([{ pointer: `/spec/ads/${found.attribute}`, detail: `${what}: ${why}` }]);
}

/** Rules with their defaults; undefined where none were given. */
function completeRules(request: Partial<ReservationRules> | undefined): {
  readonly reservations?: ReservationRules;
} {
  return request === undefined ? {} : { reservations: { ...RESERVATION_DEFAULTS, ...request } };
}

/** Enforcement with its defaults; undefined where none was given. */
function completeEnforcement(request: Partial<EnforcementRules> | undefined): {
  enforcement?: EnforcementRules;
} {
  return request === undefined ? {} : { enforcement: { ...ENFORCEMENT_DEFAULTS, ...request } };
}
