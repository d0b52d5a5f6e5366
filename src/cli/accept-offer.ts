/** Accepts an offer at its price, which the caller has agreed to beforehand or is asked for. */
import type { ReservationView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { costText } from "./reservation-table.ts";
import { printable } from "./text-table.ts";

/** Consent given on the command line. */
export interface Consent {
  /** Limit on the total price, in SU. */
  readonly most?: number;
  readonly yes: boolean;
}

/** An offer with its price and effect. */
export interface Offered {
  /** Id of the offer; of a co-reservation, of any of its offers. */
  readonly id: string;
  readonly price: Pick<ReservationView, "priceSu" | "priceProcMs" | "fixedProcMs">;
  readonly question: string;
}

/**
 * Accepts an offer where its price is agreed to, else withdraws it. @returns undefined where the user
 * declined
 */
export async function acceptIfAgreed(
  { id, price, question }: Offered,
  { most, yes }: Consent,
  context: CommandContext,
): Promise<ReservationView | undefined> {
  const { terminal } = context;
  try {
    // Its price is that of the moment in which it was made.
    demandWithin(price, most);
    if (yes || (await terminal.askPerson?.(printable(question)))) {
      return await (await context.client()).accept(id);
    }
  } catch (error) {
    await withdraw(id, context);
    throw error;
  }
  await withdraw(id, context);
  terminal.writeError("stint: nothing was reserved\n");
  return undefined;
}

/** A failed withdrawal is ignored: the offer lapses by itself. */
async function withdraw(id: string, context: CommandContext): Promise<void> {
  await (await context.client()).cancelReservation(id).catch(() => undefined);
}

/** @throws Fault `priceAboveMost` */
export function demandWithin(price: Offered["price"], most: number | undefined): void {
  if (most === undefined || price.priceSu <= most) return;
  throw new Fault({
    kind: "refused",
    code: "priceAboveMost",
    what: `it costs more than your limit of ${most} SU`,
    why: `its price is ${costText(price)}`,
    remedy: "raise the limit with --most, or see stint quote for cheaper starts",
  });
}

/**
 * Asserts that the price is agreed to or can be asked for; `slot` and `effect` describe the reservation.
 * @throws Fault `notConfirmed`
 */
export function demandAnswer(
  chosen: { readonly price: Parameters<typeof costText>[0]; readonly slot: string; readonly effect: string },
  { yes }: Consent,
  { terminal }: CommandContext,
): void {
  if (yes || terminal.askPerson !== undefined) return;
  const { price, slot, effect } = chosen;
  throw new Fault({
    kind: "refused",
    code: "notConfirmed",
    what: "nothing was reserved",
    why:
      `it would cost ${costText(price)}, ${slot}, and without a terminal you cannot be asked to confirm; ` +
      `it ${effect}`,
    remedy: "accept its price with --yes, and limit it with --most",
  });
}
