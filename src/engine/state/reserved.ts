/** Reserved capacity at all sites, and the queues in which jobs of reservations wait and run. */
import { assert } from "../../base/index.ts";
import {
  columnsAt,
  isForeign,
  type JobRecord,
  type ReservationRecord,
  type StintEvent,
  type WantedSlot,
} from "../../model/index.ts";
import { createNamedQueue, keepFree, type NamedQueue, settle } from "../../queue/index.ts";
import type { PolicyBook } from "./policy-book.ts";
import type { SiteState } from "./site-state.ts";
import type { TicketBook, TicketChange } from "./ticket-book.ts";

/** A reservation without a price that was cancelled or never used. */
export interface Wasted {
  readonly site: string;
  readonly consumer: string;
  readonly atMs: number;
}

/** Everything that is reserved or offered. */
export interface Reserved {
  /** Reservations and offers that hold capacity, now or later, in the order in which they were offered. */
  readonly records: Map<string, ReservationRecord>;
  /** Queues of reservations at managed sites by id, each as large as its reservation. */
  readonly rooms: Map<string, NamedQueue>;
  /** Ids of reservations whose queue has changes that its machine has not processed yet. */
  readonly unsettledRooms: Set<string>;
  /** Wasted reservations of the last week, and perhaps earlier ones. */
  readonly wasted: Wasted[];
  /** Reservations that their site no longer shows, each with the instant since when. Not recorded. */
  readonly missing: Map<string, number>;
  /** Reservations that their site could not restore, each with the reason, until that is recorded. */
  readonly broken: Map<string, string>;
  /** Number of offers made so far. */
  offered: number;
}

/** The part of the state that reservations live in. */
export interface ReservedState {
  readonly jobs: Map<string, JobRecord>;
  readonly declared: Map<string, number>;
  readonly sites: Map<string, SiteState>;
  readonly unsettled: Set<string>;
  readonly reserved: Reserved;
  readonly policies: PolicyBook;
  readonly tickets: TicketBook;
}

/** A record of a reservation that an event has changed, or of a job that it concerns. */
export type ReservationChange =
  | { readonly kind: "reservation"; readonly record: ReservationRecord }
  | { readonly kind: "job"; readonly record: JobRecord }
  | TicketChange;

/** Nothing is reserved. */
export function noneReserved(): Reserved {
  return {
    records: new Map(),
    rooms: new Map(),
    unsettledRooms: new Set(),
    wasted: [],
    missing: new Map(),
    broken: new Map(),
    offered: 0,
  };
}

/** When a reservation ends. */
export function endOf({ startMs, durationMs }: Pick<ReservationRecord, "startMs" | "durationMs">): number {
  return startMs + durationMs;
}

/** The reservations that hold processors at a site. */
export function heldAt(reserved: Reserved, site: string): readonly ReservationRecord[] {
  return keptAt(reserved, site).filter(({ resource }) => resource === undefined);
}

/** All reservations at a site, of its processors, stores and links. */
export function keptAt({ records }: Reserved, site: string): readonly ReservationRecord[] {
  return [...records.values()].filter((it) => it.site === site);
}

/** Amounts that a slot takes from its queue; for a store or a link only its own amount. */
export function needOfSlot(
  spec: SiteState["spec"],
  slot: Pick<WantedSlot, "procs" | "memoryBytes" | "gpus" | "resource">,
): readonly number[] {
  return slot.resource === undefined ? columnsAt(spec, slot) : [slot.resource.amount];
}

/**
 * All parts of the co-reservation to which this id belongs, itself included; none where it stands alone or is
 * over.
 */
export function partsOf({ records }: Pick<Reserved, "records">, id: string): readonly ReservationRecord[] {
  const together = records.get(id)?.together ?? null;
  return together === null ? [] : [...records.values()].filter((it) => it.together === together);
}

/** Cancellations of the running jobs of a reservation that ends at a managed site: TERM, then KILL. */
export function endedWith(
  { jobs, reserved }: Pick<ReservedState, "jobs" | "reserved">,
  id: string,
  atMs: number,
): StintEvent[] {
  if (!reserved.rooms.has(id)) return [];
  return [...jobs.values()].flatMap((job): StintEvent[] => {
    const hasBegun = job.startDecidedAtMs !== null || job.startedAtMs !== null;
    const isInIt = job.description.reservation === id && hasBegun && !job.isCancelRequested;
    return isInIt ? [{ kind: "cancelRequested", job: job.id, cause: "reservationEnded", atMs }] : [];
  });
}

/** Queue of a job that has a site: that of its reservation, or the site's own. */
export function queueOf({ sites, reserved }: ReservedState, job: JobRecord): NamedQueue {
  const { reservation } = job.description;
  const room = reservation === undefined ? undefined : reserved.rooms.get(reservation);
  if (room !== undefined) return room;
  const site = sites.get(job.site ?? "");
  assert(site !== undefined, "a job is at a site that is known");
  return site.queue;
}

/** Notes that the queue of a job at a managed site has changes that its machine has not processed yet. */
export function markUnsettled({ unsettled, reserved }: ReservedState, job: JobRecord): void {
  const { reservation } = job.description;
  if (reservation !== undefined && reserved.rooms.has(reservation)) reserved.unsettledRooms.add(reservation);
  else if (job.site !== null) unsettled.add(job.site);
}

/** A room: as large as its reservation, closed until it begins. */
export function createRoom(
  record: Pick<ReservationRecord, "procs" | "memoryBytes" | "gpus" | "startMs">,
  site: SiteState,
  nowMs: number,
): NamedQueue {
  const capacity = columnsAt(site.spec, record);
  const room = createNamedQueue(capacity, site.spec.discipline, nowMs);
  if (record.startMs > nowMs) {
    const closed = { pool: 0, need: capacity, startMs: nowMs, durationMs: record.startMs - nowMs };
    const refusal = keepFree(room, "closed", closed, nowMs);
    assert(refusal === undefined, "an empty room can be closed");
  }
  return room;
}

/** Keeps what is left of a reservation free in a queue that was settled at `nowMs`; says why it cannot. */
export function keepRest(
  queue: NamedQueue,
  {
    spec,
    record,
  }: { readonly spec: SiteState["spec"]; readonly record: WantedSlot & { readonly id: string } },
  nowMs: number,
): string | undefined {
  const endMs = endOf(record);
  if (endMs <= nowMs) return undefined;
  const startMs = Math.max(record.startMs, nowMs);
  const need = needOfSlot(spec, record);
  if (!fitsEmpty(queue, need)) return `it is larger than ${record.resource?.name ?? "the site"} is now`;
  const slot = { pool: 0, need, startMs, durationMs: endMs - startMs };
  const refusal = keepFree(queue, record.id, slot, nowMs);
  return refusal === undefined ? undefined : "what runs there, or another reservation, is in its way";
}

/** A copy of a site's queue as it is now, with all that is reserved there in it. */
export function queueNow(site: SiteState, reserved: Reserved, copy: NamedQueue, nowMs: number): NamedQueue {
  settle(copy, nowMs);
  if (!isForeign(site.spec)) return copy;
  for (const record of heldAt(reserved, site.name)) {
    if (!copy.slots.has(record.id)) keepRest(copy, { spec: site.spec, record }, nowMs);
  }
  return copy;
}

function fitsEmpty({ machine }: NamedQueue, need: readonly number[]): boolean {
  return need.every((amount, column) => amount <= machine.pools[0].capacity[column]);
}

/** The site of a job's reservation, as long as that lasts. */
export function reservedPlace(
  { reserved }: { readonly reserved: Reserved },
  { description }: JobRecord,
): string | undefined {
  return description.reservation === undefined
    ? undefined
    : reserved.records.get(description.reservation)?.site;
}
