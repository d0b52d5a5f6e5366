/** Checks of a reservation order, common to all foreign sites: its validity, and its conflicts. */
import { Fault } from "../base/index.ts";
import type { ReservationOrder, ReservationToken } from "./foreign-site.ts";

const tokenShape = /^[a-z0-9-]{1,40}$/;

/** @throws Fault `badReservationOrder` */
export function checkReservationToken(token: ReservationToken): void {
  if (!tokenShape.test(token)) throw bad(token, "a token is 1 to 40 of a-z, 0-9 and -");
}

/**
 * Refuses what can be a reservation nowhere.
 *
 * @throws Fault `badReservationOrder`
 */
export function checkReservationOrder(order: ReservationOrder): void {
  const { token, procs, memoryBytes, gpus = 0, startMs, endMs } = order;
  checkReservationToken(token);
  const isWhole = Number.isSafeInteger;
  if (!(isWhole(procs) && procs >= 1)) throw bad(token, `${procs} is no number of processors`);
  if (!(isWhole(memoryBytes) && memoryBytes >= 0)) throw bad(token, `${memoryBytes} bytes are no memory`);
  if (!(isWhole(gpus) && gpus >= 0)) throw bad(token, `${gpus} is no number of GPUs`);
  if (!(isWhole(startMs) && isWhole(endMs) && startMs < endMs)) {
    throw bad(token, `from ${startMs} to ${endMs} is no time in which anything could be kept free`);
  }
}

/** The site cannot keep it free. Nothing was reserved or changed. */
export function reservationConflict(token: ReservationToken, why: string): Fault {
  return new Fault({
    kind: "refused",
    code: "reservationConflict",
    what: `cannot keep ${token} free`,
    why,
    remedy: "request a new quote: it shows what is free now",
  });
}

function bad(token: string, why: string): Fault {
  const remedy = "correct it and order it again";
  return new Fault({
    kind: "badInput",
    code: "badReservationOrder",
    what: `cannot reserve ${JSON.stringify(token)}`,
    why,
    remedy,
  });
}
