/**
 * The parts of stores and links that are the jobs' of a reservation: those that were had together with it
 * at its site (rule EN-116).
 */
import type { ReservationRecord, ResourceKind } from "../../model/index.ts";
import { endOf, partsOf, type Reserved } from "./reserved.ts";

type Records = Pick<Reserved, "records">;

/** Parts of stores, or of links, that go with a reservation. */
export interface BoundParts {
  /** Common key of these parts, by which their contents are counted. */
  readonly together: string;
  /** Bytes, or bytes a second, of all of them. */
  readonly amount: number;
}

/**
 * The parts of a kind that go with a reservation; undefined where it has none, or no longer holds capacity.
 */
export function boundParts(
  reserved: Records,
  reservation: string | undefined,
  kind: ResourceKind,
): BoundParts | undefined {
  const record = reserved.records.get(reservation ?? "");
  if (record === undefined || record.together === null) return undefined;
  const its = partsOf(reserved, record.id).filter((part) => part.site === record.site && isPart(part, kind));
  const amount = its.reduce((sum, part) => sum + (part.resource?.amount ?? 0), 0);
  return amount === 0 ? undefined : { together: record.together, amount };
}

/** Bytes a second that a reservation which has begun has of the links of its site; 0 where it has none. */
export function reservedRate(reserved: Records, reservation: string | undefined): number {
  const record = reserved.records.get(reservation ?? "");
  const hasBegun = record?.state === "ACTIVE";
  return hasBegun ? (boundParts(reserved, reservation, "link")?.amount ?? 0) : 0;
}

/** True if a part of a site's links is reserved now. */
export function hasReservedLink({ records }: Records, site: string): boolean {
  for (const record of records.values()) {
    if (record.site === site && record.state === "ACTIVE" && isPart(record, "link")) return true;
  }
  return false;
}

/** Reserved space in the stores of a site, and its period. */
export interface KeptStore {
  readonly consumer: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bytes: number;
  /** Key by which its contents are counted. */
  readonly together: string;
}

/** All that is kept of the stores of a site, now or later. */
export function keptStores({ records }: Records, site: string): readonly KeptStore[] {
  const kept = new Map<string, KeptStore>();
  for (const record of records.values()) {
    if (record.site !== site || !isPart(record, "store")) continue;
    const together = record.together ?? record.id;
    const bytes = (kept.get(together)?.bytes ?? 0) + (record.resource?.amount ?? 0);
    const { consumer, startMs } = record;
    kept.set(together, { consumer, fromMs: startMs, toMs: endOf(record), bytes, together });
  }
  return [...kept.values()];
}

/** True for a part of this kind that is promised; an offer is not a promise yet. */
function isPart({ state, resource }: ReservationRecord, kind: ResourceKind): boolean {
  return resource?.kind === kind && (state === "ACCEPTED" || state === "ACTIVE");
}
