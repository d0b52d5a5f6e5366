/**
 * Leases of pool accounts ([WMS] slides 110 and 111): an owner holds an account of the pool while the
 * owner has jobs in pilots under it (rule EN-308). Afterwards the account stays with the owner until another
 * owner needs it.
 */
import type { AccountLease, StintEvent } from "../../model/index.ts";
import { erased, written } from "./books.ts";
import type { Projection, RecordChange } from "./projection.ts";
import type { SiteState } from "./site-state.ts";

/** Owners, by account, to whom accounts of a site are leased by decisions that are not recorded yet. */
export type PendingLeases = ReadonlyMap<string, string>;

/**
 * Account of a pool for an owner: the one that the owner has, else one that was never leased, else the unused
 * one with the oldest lease; undefined if others use all of them.
 */
export function pooledAccount(
  { books: { accountLeases } }: Pick<Projection, "books">,
  { name }: Pick<SiteState, "name">,
  { owner, pool }: { readonly owner: string; readonly pool: readonly string[] },
  pending: PendingLeases = new Map(),
): string | undefined {
  const leaseOf = (account: string) => accountLeases.get(`${name}/${account}`);
  const promised = pool.find((account) => pending.get(account) === owner);
  if (promised !== undefined) return promised;
  const left = pool.filter((account) => !pending.has(account));
  const hers = left.find((account) => leaseOf(account)?.owner === owner);
  if (hers !== undefined) return hers;
  let best: string | undefined;
  for (const account of left) {
    const lease = leaseOf(account);
    if (lease === undefined) return account;
    if (lease.jobs > 0) continue;
    const oldest = best === undefined ? undefined : leaseOf(best);
    if (oldest === undefined || lease.sinceMs < oldest.sinceMs) best = account;
  }
  return best;
}

/** The lease after one more job of an owner under a pool account; nothing for any other account. */
export function leaseBegins(projection: Projection, event: StintEvent): RecordChange[] {
  if (event.kind !== "jobPlaced" || event.account === undefined) return [];
  const { books, jobs, sites } = projection;
  const { site, account, atMs } = event;
  const owner = jobs.get(event.job)?.owner;
  if (owner === undefined || !isPooled(sites.get(site), account)) return [];
  const before = books.accountLeases.get(`${site}/${account}`);
  const lease: AccountLease =
    before?.owner === owner ? before : { site, account, owner, jobs: 0, sinceMs: atMs };
  return [written("accountLeases", { ...lease, jobs: lease.jobs + 1 })];
}

/** The lease after the end of a job, computed while the job still has its account. */
export function leaseEnds({ books, jobs }: Projection, event: StintEvent): RecordChange[] {
  if (event.kind !== "attemptEnded" && event.kind !== "jobCancelled") return [];
  const { site, account, owner } = jobs.get(event.job) ?? {};
  const lease = books.accountLeases.get(`${site}/${account}`);
  if (lease === undefined || lease.owner !== owner) return [];
  return [written("accountLeases", { ...lease, jobs: Math.max(0, lease.jobs - 1) })];
}

/** Leases of a site that was removed. */
export function leasesGone({ books }: Projection, event: StintEvent): RecordChange[] {
  if (event.kind !== "siteRemoved") return [];
  const there = [...books.accountLeases].filter(([, { site }]) => site === event.site);
  return there.map(([key]) => erased("accountLeases", key));
}

function isPooled(site: Pick<SiteState, "spec"> | undefined, account: string): boolean {
  const { identity } = (site?.spec.type === "slurm" ? site.spec.pilots : undefined) ?? {};
  return identity?.rules.some(({ pool = [] }) => pool.includes(account)) === true;
}

/** Leases that placements of one decision begin at a site. */
export function pendingLeases(
  { jobs }: Pick<Projection, "jobs">,
  placements: readonly StintEvent[],
  site: string,
): PendingLeases {
  const leases = new Map<string, string>();
  for (const event of placements) {
    if (event.kind !== "jobPlaced" || event.site !== site || event.account === undefined) continue;
    const owner = jobs.get(event.job)?.owner;
    if (owner !== undefined) leases.set(event.account, owner);
  }
  return leases;
}
