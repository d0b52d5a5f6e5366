/**
 * Slurm's words for our reservations: names, commands, and conflicts with others.
 *
 * They are ordered by processors, never by nodes: Slurm lets a reservation by nodes overlap an earlier one
 * by cores (seen with 22.05), but not the other way round. No flag is used, so that running jobs and other
 * reservations are respected. Slurm's clock has whole seconds and a `Duration` whole minutes, so ends are
 * given as instants. Source: scontrol(1), RESERVATIONS.
 */
import type { ExternalReservation } from "../../engine/index.ts";
import type { ClusterReservation, SlurmSiteSpec } from "../../model/index.ts";
import type { ReservationOrder } from "../../runtime/index.ts";

const MS_PER_SECOND = 1000;

/** Name of one of our reservations. */
export function reservationNameOf(mark: string, token: string): string {
  return `stint-${mark}-${token}`;
}

/** Token in the name of one of our reservations; null for others. */
export function reservationTokenOf(mark: string, name: string): string | null {
  const head = `stint-${mark}-`;
  const token = name.slice(head.length);
  return name.startsWith(head) && /^[a-z0-9-]{1,40}$/.test(token) ? token : null;
}

/** End in Unix ms as Slurm stores it: a whole second, and not before `nowMs`. */
export function endingMs(endMs: number, nowMs: number): number {
  const soonest = Math.floor(nowMs / MS_PER_SECOND) + 1;
  return Math.max(Math.ceil(endMs / MS_PER_SECOND), soonest) * MS_PER_SECOND;
}

/** Words that make a reservation for this user and, if set, the site's Slurm account. */
export function creationWords(
  { procs, startMs, endMs }: ReservationOrder,
  { name, user, nowMs }: { readonly name: string; readonly user: string; readonly nowMs: number },
  { account, partition }: Pick<SlurmSiteSpec, "account" | "partition">,
): readonly string[] {
  const startSeconds = Math.floor(startMs / MS_PER_SECOND);
  return [
    ...["scontrol", "create", "reservation", `ReservationName=${name}`],
    startMs <= nowMs ? "StartTime=now" : `StartTime=uts${startSeconds}`,
    `EndTime=${instantWord(endingMs(endMs, nowMs))}`,
    `TRES=cpu=${procs}`,
    `Users=${user}`,
    ...(account === null ? [] : [`Accounts=${account}`]),
    ...(partition === null ? [] : [`PartitionName=${partition}`]),
  ];
}

/** Words that move its end to an instant, in Unix ms. */
export function endChangeWords(name: string, endMs: number): readonly string[] {
  return ["scontrol", "update", `ReservationName=${name}`, `EndTime=${instantWord(endMs)}`];
}

function instantWord(ms: number): string {
  return `uts${ms / MS_PER_SECOND}`;
}

/** Other reservations with one of its nodes at some time within [fromMs, endMs). */
export function neighboursOf(
  ours: ClusterReservation,
  all: readonly ClusterReservation[],
  { fromMs, endMs }: { readonly fromMs: number; readonly endMs: number },
): readonly ClusterReservation[] {
  const nodes = new Set(ours.nodes);
  return all.filter(
    (other) =>
      other.name !== ours.name &&
      other.startAtMs < endMs &&
      other.endAtMs > fromMs &&
      other.nodes.some((node) => nodes.has(node)),
  );
}

/**
 * Reservations of others that are not over. At a site that is one partition those of other partitions are
 * left out; one without a partition counts in full, though some of its nodes may be elsewhere.
 */
export function setAsideForOthers(
  all: readonly ClusterReservation[],
  {
    mark,
    partition: own,
    nowMs,
  }: { readonly mark: string; readonly partition: string | null; readonly nowMs: number },
): readonly ExternalReservation[] {
  return all.flatMap(({ name, procs, partition, startAtMs, endAtMs }) => {
    const isElsewhere = own !== null && partition !== null && partition !== own;
    if (isElsewhere || procs < 1 || endAtMs <= nowMs || reservationTokenOf(mark, name) !== null) return [];
    return [{ name, procs, startMs: startAtMs, endMs: endAtMs }];
  });
}

/** True if a reservation has every processor of its nodes, so that no other can be on them. */
export function isWhole({ nodes, procs }: ClusterReservation, procsOf: ReadonlyMap<string, number>): boolean {
  return procs >= nodes.reduce((sum, node) => sum + (procsOf.get(node) ?? 0), 0);
}
