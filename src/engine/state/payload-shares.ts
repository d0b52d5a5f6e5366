/**
 * Usage policies at the binding of payloads to pilots (rule EN-306).
 *
 * An enforcer holds jobs in the queue of its cluster, but a payload is in no queue. So where an enforcer may
 * hold jobs, shares are tested when a pilot is to run the payload. One bound but not begun counts as in use.
 */
import type { EnforcementCause, JobRecord } from "../../model/index.ts";
import { type DecidingLimit, exceededShare, neverAdmitted, type PolicyRequest } from "../../policy/index.ts";
import { amountsOf, capacityAt, grantedAt, sharesAt } from "./enforced-site.ts";
import { payloadsAt } from "./pilots.ts";
import { policySubject } from "./policy-subject.ts";
import type { Projection } from "./projection.ts";
import type { SiteState } from "./site-state.ts";
import { usesOf } from "./site-use.ts";

type WithPayloads = Pick<Projection, "books" | "jobs" | "policies" | "sites">;

/** Jobs that one decision assigns to pilots, or keeps for them. */
export interface PayloadGate {
  /** Amounts bound and not begun, or awaited, by site and consumer. */
  readonly coming: Map<string, Map<string, PolicyRequest>>;
  /** Requests that were denied, and stay so: within a decision the amounts in use only grow. */
  readonly denied: Set<string>;
}

/** A decision that has bound nothing yet. */
export function payloadGate(): PayloadGate {
  return { coming: new Map(), denied: new Set() };
}

/** True if the policies of a site let a pilot start a job now, beside all that this decision has counted. */
export function admitsPayload(
  state: WithPayloads,
  site: SiteState,
  { job, gate }: { readonly job: JobRecord; readonly gate: PayloadGate },
  nowMs: number,
): boolean {
  if (!isHolding(site)) return true;
  const { consumer, need } = requestOf(job);
  const key = `${site.name} ${consumer} ${need.cpu} ${need.gpu} ${need.memory}`;
  if (gate.denied.has(key)) return false;
  const coming = gate.coming.get(site.name) ?? boundAt(state, site);
  gate.coming.set(site.name, coming);
  const isDenied = denialBeside(state, site, { job, coming: [...coming.values()] }, nowMs) !== undefined;
  if (isDenied) gate.denied.add(key);
  return !isDenied;
}

/** Counts a job that a pilot is to run, or that waits for one. */
export function countPayload(gate: PayloadGate, { name }: Pick<SiteState, "name">, job: JobRecord): void {
  const coming = gate.coming.get(name);
  if (coming !== undefined) add(coming, job);
}

/** The limit for which a site would not let a pilot start a job now; undefined where it would. */
export function payloadDenial(
  state: WithPayloads,
  site: SiteState,
  job: JobRecord,
  nowMs: number,
): DecidingLimit | undefined {
  if (!isHolding(site)) return undefined;
  return denialBeside(state, site, { job, coming: [...boundAt(state, site, job.id).values()] }, nowMs);
}

/** The limits for which a site would not let a pilot start each of its payloads that have not begun. */
export function payloadDenials(
  state: WithPayloads,
  site: SiteState,
  nowMs: number,
): (job: JobRecord) => DecidingLimit | undefined {
  if (!isHolding(site)) return () => undefined;
  const bound = boundAt(state, site);
  return (job) => {
    const own = requestOf(job);
    const coming = [...bound.values()].map((one) => (one.consumer === own.consumer ? less(one, own) : one));
    return denialBeside(state, site, { job, coming }, nowMs);
  };
}

function less({ consumer, need }: PolicyRequest, own: PolicyRequest): PolicyRequest {
  const { cpu, gpu, memory } = own.need;
  return { consumer, need: { cpu: need.cpu - cpu, gpu: need.gpu - gpu, memory: need.memory - memory } };
}

function denialBeside(
  state: WithPayloads,
  site: SiteState,
  { job, coming }: { readonly job: JobRecord; readonly coming: readonly PolicyRequest[] },
  nowMs: number,
): DecidingLimit | undefined {
  const shares = sharesAt(state, site.name, nowMs);
  if (shares === undefined) return undefined;
  const there = { shares, capacity: capacityAt(site), uses: usesOf(site.enforcer.use), coming };
  const request = requestOf(job);
  return neverAdmitted(there, request) ?? exceededShare(there, request, nowMs);
}

/** Amounts of a site's payloads that have not begun, by consumer: its use does not include them yet. */
function boundAt(state: WithPayloads, site: SiteState, besides = ""): Map<string, PolicyRequest> {
  const { standings } = site.enforcer.use;
  const bound = new Map<string, PolicyRequest>();
  for (const job of payloadsAt(state, site)) {
    if (job.id !== besides && job.isRecalled !== true && !standings.has(job.id)) add(bound, job);
  }
  return bound;
}

function add(coming: Map<string, PolicyRequest>, job: JobRecord): void {
  const { consumer, need } = requestOf(job);
  const { cpu, gpu, memory } = coming.get(consumer)?.need ?? NOTHING;
  coming.set(consumer, {
    consumer,
    need: { cpu: cpu + need.cpu, gpu: gpu + need.gpu, memory: memory + need.memory },
  });
}

const NOTHING = { cpu: 0, gpu: 0, memory: 0 };

function requestOf(job: Pick<JobRecord, "consumer" | "description" | "ticket">): PolicyRequest {
  return { consumer: policySubject(job), need: amountsOf(job.description) };
}

/** A denial as the cause for which a job waits. */
export function denialCause(
  { limit, level }: DecidingLimit,
  { consumer }: Pick<JobRecord, "consumer">,
): EnforcementCause {
  const whose = level ?? consumer;
  if (limit === "epoch") return { kind: "epochUsed", consumer: whose, untilMs: null };
  return { kind: "burst", consumer: whose };
}

/** True if the enforcer of a site may hold jobs. */
export function isHolding(site: SiteState): boolean {
  return !site.enforcer.isPaused && grantedAt(site).has("hold");
}
