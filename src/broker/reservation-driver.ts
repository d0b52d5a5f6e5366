/**
 * Drives reservations at a foreign site: has them made, changed and released (rule BR-22).
 *
 * Nothing changes there before acceptance. Every order is idempotent: after a restart all current
 * reservations are ordered again.
 */
import { Fault, messageOf } from "../base/index.ts";
import { endOf, type Survey } from "../engine/index.ts";
import type { ReservationRecord, StintEvent } from "../model/index.ts";
import type { ForeignSite, Round } from "../runtime/index.ts";
import type { Outbox } from "./outbox.ts";

/** Dependencies on the site's driver. */
export interface ReservationWorld {
  readonly site: ForeignSite;
  readonly round: Round;
  readonly outbox: Outbox;
  readonly warn: (message: string) => void;
  /** Resolves when something may be tried again at the site, at an instant or later. */
  readonly again: (name: string) => Promise<void>;
  readonly isDetached: () => boolean;
}

/** Reservations at a foreign site. */
export interface ReservationDriver {
  dispatch(event: StintEvent): void;
  /** Asks again for all that hold something there. */
  sendAgain(): void;
  /** Releases expired reservations that the site still has, whatever their origin. */
  seen(survey: Survey): void;
}

/** See the header. */
export function reservationDriver(world: ReservationWorld): ReservationDriver {
  const { site, round, outbox } = world;
  const { records } = round.projection.reserved;
  // Parts of stores and links are in our book alone: nothing is said of them there.
  const keptHere = new Set<string>();
  const make = (id: string): void => {
    if (records.get(id)?.resource === undefined) outbox.send(nameOf(id), () => made(world, id));
    else keptHere.add(id);
  };
  const leaving = new Set<string>();
  const giveUp = (id: string): void => {
    if (keptHere.delete(id) || leaving.has(id)) return;
    leaving.add(id);
    outbox.send(nameOf(id), () => givenUp(world, id).finally(() => leaving.delete(id)));
  };
  return {
    dispatch(event) {
      switch (event.kind) {
        case "offerAccepted":
        case "reservationExtended":
        case "extensionRefused":
          make(event.reservation);
          return;
        case "reservationCancelled":
        case "reservationRelinquished":
        case "reservationViolated":
          giveUp(event.reservation);
          return;
        default:
      }
    },
    sendAgain() {
      for (const record of records.values()) if (record.site === site.name) make(record.id);
    },
    seen(survey) {
      for (const { token } of survey.reservations) if (!records.has(token)) giveUp(token);
    },
  };
}

function nameOf(id: string): string {
  return `reservation ${id}`;
}

async function made(world: ReservationWorld, id: string): Promise<void> {
  const { site, round, outbox, warn } = world;
  // Commit, then respond: what memory says may be on its way to the log.
  await round.durable();
  const record = round.projection.reserved.records.get(id);
  if (record === undefined || record.state === "OFFERED" || world.isDetached()) return;
  try {
    const siteReservation = await site.reserve(orderFor(record));
    await round.reservation({ reservation: id, kind: "made", siteReservation, endMs: endOf(record) });
  } catch (error) {
    if (isCertain(error)) await round.reservation({ reservation: id, kind: "failed", why: wordsOf(error) });
    else {
      warn(`${nameOf(id)}: ${site.name} did not confirm it: ${messageOf(error)}`);
      void world.again(nameOf(id)).then(() => outbox.send(nameOf(id), () => made(world, id)));
    }
  }
}

/** A release that fails is repeated when a survey still shows the reservation. */
async function givenUp({ site, round, warn, isDetached }: ReservationWorld, id: string): Promise<void> {
  await round.durable();
  if (isDetached()) return;
  try {
    await site.unreserve(id);
  } catch (error) {
    warn(`${nameOf(id)}: ${site.name} did not give it up: ${messageOf(error)}`);
  }
}

function orderFor(record: ReservationRecord) {
  const { id, procs, memoryBytes, gpus, startMs } = record;
  const size = { procs, memoryBytes, ...(gpus === undefined ? {} : { gpus }) };
  return { token: id, ...size, startMs, endMs: endOf(record) };
}

/** True if an error proves that a site did nothing; after a failed connection that is not known. */
function isCertain(error: unknown): error is Fault {
  return error instanceof Fault && error.kind !== "unreachable";
}

function wordsOf(error: unknown): string {
  return error instanceof Fault ? `${error.why}; ${error.remedy}` : messageOf(error);
}
