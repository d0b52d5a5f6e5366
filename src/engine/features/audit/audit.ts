/**
 * Audit of pilots (rule EN-305): a record for each job that a pilot started, with its end, and one for each
 * job that a site refused by its mapping rules or ban list, or that a pilot could not start under its local
 * account. The latest records are in memory; the log keeps all events.
 */
import { accepted } from "../../../base/index.ts";
import type { AuditRecord, JobRecord, StintEvent } from "../../../model/index.ts";
import type { Answer, CommandOf, Feature } from "../../feature.ts";
import { erased, written } from "../../state/books.ts";
import { identityAt, identityRefusal, switchesAccounts } from "../../state/pilots.ts";
import type { Projection, RecordChange } from "../../state/projection.ts";
import { isUsable, type SiteState } from "../../state/site-state.ts";

/** Maximum number of records in memory; the oldest are removed first. */
const MOST_RECORDS = 10_000;
/** Refusals that one decision records; the others follow in the next. */
const MOST_AT_ONCE = 1000;

/** Filter of audit records; an absent field matches every record. */
interface AuditQuestion {
  readonly node?: string | undefined;
  readonly site?: string | undefined;
  readonly job?: string | undefined;
  /** Only jobs that ran, or were refused, at this instant; Unix ms. */
  readonly atMs?: number | undefined;
}

export const audit = {
  name: "audit",
  answers: { auditPayload },
  applies: {
    payloadAudited: (projection, { kind: _, startedAtMs, atMs: _atMs, ...begun }) => {
      const key = `${begun.job}/${begun.attempt}`;
      return kept(projection, { ...begun, key, refusal: null, fromMs: startedAtMs, toMs: null, end: null });
    },
    identityDenied: (projection, { kind: _, atMs, ...denied }) =>
      kept(projection, {
        ...{ ...denied, key: refusedKey(denied.job, denied.site), fromMs: atMs, toMs: atMs },
        ...{ pilot: null, node: null, account: null, rule: null, sha256: null, end: null },
      }),
  },
  before: (projection, event) => {
    const { books } = projection;
    if (event.kind !== "attemptEnded") return [];
    const record = books.audit.get(`${event.job}/${event.attempt}`);
    if (record === undefined) return notStarted(projection, event);
    if (record.toMs !== null) return [];
    const { cause, exitCode, cpuMs } = event.end;
    return [written("audit", { ...record, toMs: event.atMs, end: { cause, exitCode, cpuMs } })];
  },
  decide: deniedJobs,
  queries: {
    /** Records that match, latest first. */
    audit: ({ books }: Projection, { node, site, job, atMs }: AuditQuestion): readonly AuditRecord[] =>
      [...books.audit.values()]
        .filter(
          (it) =>
            (node === undefined || it.node === node) &&
            (site === undefined || it.site === site) &&
            (job === undefined || it.job === job) &&
            (atMs === undefined || (it.fromMs <= atMs && atMs <= (it.toMs ?? Number.POSITIVE_INFINITY))),
        )
        .sort((one, other) => other.fromMs - one.fromMs),
  },
} as const satisfies Feature;

/** Records the beginning of a job in a pilot, once. */
function auditPayload(
  projection: Projection,
  { job: id, attempt, sha256, startedAtMs }: CommandOf<"auditPayload">,
  nowMs: number,
): Answer {
  const { jobs, sites, books } = projection;
  const job = jobs.get(id);
  const site = sites.get(job?.site ?? "");
  const isKnown = books.audit.has(`${id}/${attempt}`);
  if (job?.pilot === undefined || job.attempt !== attempt || site === undefined || isKnown) {
    return accepted([]);
  }
  const decision = identityAt(projection, site, job, { nowMs: startedAtMs });
  const { pilot, account = null } = job;
  const begun = {
    ...{ pilot, node: books.pilots.get(pilot)?.node ?? null, account, sha256, startedAtMs },
    rule: decision.kind === "mapped" ? decision.rule : null,
  };
  return accepted([{ kind: "payloadAudited", ...auditedJob(job, site, attempt), ...begun, atMs: nowMs }]);
}

/** Record of a job that its pilot could not start under the local account to which it is mapped. */
function notStarted(
  projection: Projection,
  { job: id, attempt, end, atMs }: Extract<StintEvent, { kind: "attemptEnded" }>,
): RecordChange[] {
  const { jobs, sites, books } = projection;
  const job = jobs.get(id);
  const site = sites.get(job?.site ?? "");
  const { pilot, account } = job ?? {};
  if (job === undefined || site === undefined || pilot === undefined || account === undefined) return [];
  if (end.cause !== "launchFailed" || !switchesAccounts(site)) return [];
  const decision = identityAt(projection, site, job, { nowMs: atMs });
  return kept(projection, {
    ...{ ...auditedJob(job, site, attempt), key: `${id}/${attempt}`, fromMs: atMs, toMs: atMs, end: null },
    ...{ pilot, node: books.pilots.get(pilot)?.node ?? null, account, sha256: null },
    rule: decision.kind === "mapped" && decision.account === account ? decision.rule : null,
    refusal: { why: "notStarted", detail: end.detail },
  });
}

function auditedJob({ id: job, owner, consumer, description }: JobRecord, site: SiteState, attempt: number) {
  const { spec, name } = site;
  const { mode = "none" as const } = (spec.type === "slurm" ? spec.pilots?.identity : undefined) ?? {};
  return { job, attempt, site: name, owner, consumer, executable: description.executable, mode };
}

/** Events about waiting jobs that sites refuse, one for each job and site. */
function deniedJobs(projection: Projection, nowMs: number): readonly StintEvent[] {
  const { sites, unplaced, jobs, books } = projection;
  const checking = [...sites.values()].filter(
    ({ spec }) => spec.type === "slurm" && spec.pilots?.identity !== undefined,
  );
  if (checking.length === 0) return [];
  const denied: StintEvent[] = [];
  for (const id of unplaced) {
    const job = jobs.get(id);
    for (const site of job === undefined ? [] : checking) {
      if (job === undefined || books.audit.has(refusedKey(id, site.name))) continue;
      const refusal = isUsable(site, job.description) && identityRefusal(projection, site, job, nowMs);
      // An account of a pool is released.
      if (!refusal || refusal.why === "poolInUse") continue;
      denied.push({
        kind: "identityDenied",
        refusal,
        ...auditedJob(job, site, job.attempt + 1),
        atMs: nowMs,
      });
      if (denied.length === MOST_AT_ONCE) return denied;
    }
  }
  return denied;
}

function refusedKey(job: string, site: string): string {
  return `${job} ${site}`;
}

/**
 * Changes that add a record and drop the oldest ones beyond the limit. Records of jobs that still run, or
 * still wait after a refusal, are never dropped: the next decision would write them again.
 */
function kept(projection: Projection, record: AuditRecord): RecordChange[] {
  const { audit: book } = projection.books;
  let excess = book.size + 1 - MOST_RECORDS;
  const oldest: string[] = [];
  for (const [key, one] of excess > 0 ? book : []) {
    if (excess === 0) break;
    if (isNeeded(projection, one)) continue;
    oldest.push(key);
    excess--;
  }
  return [...oldest.map((key) => erased("audit", key)), written("audit", record)];
}

function isNeeded({ jobs, unplaced }: Projection, { job, attempt, refusal, toMs }: AuditRecord): boolean {
  return refusal === null ? toMs === null && jobs.get(job)?.attempt === attempt : unplaced.has(job);
}
