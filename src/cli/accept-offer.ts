/**
 * From an offer to a reservation: its price is what is agreed to, beforehand or when asked.
 */
import type { ReservationView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { costText } from "./reservation-table.ts";
import { printable } from "./text-table.ts";

/** What was agreed to beforehand. */
export interface Consent {
  /** SU in all. */
  readonly most?: number;
  readonly yes: boolean;
}

/** What is offered. */
export interface Offered {
  /** Of several that are had together, any of them. */
  readonly id: string;
  readonly price: Pick<ReservationView, "priceSu" | "priceProcMs" | "fixedProcMs">;
  readonly question: string;
}

/** Accepts it where its price is agreed to, and else withdraws it; undefined where somebody said no. */
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

/** It lapses by itself: that it cannot be withdrawn keeps nobody. */
async function withdraw(id: string, context: CommandContext): Promise<void> {
  await (await context.client()).cancelReservation(id).catch(() => undefined);
}

/** @throws Fault `priceAboveMost` */
export function demandWithin(price: Offered["price"], most: number | undefined): void {
  if (most === undefined || price.priceSu <= most) return;
  throw new Fault({
    kind: "refused",
    code: "priceAboveMost",
    what: `it costs more than the ${most} SU that you allow`,
    why: `its price is ${costText(price)}`,
    remedy: "allow more with --most, or see stint quote for cheaper starts",
  });
}

/**
 * Somebody has agreed, or can be asked; `slot` and `effect` say what it would be and do.
 *
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
    why: `it would cost ${costText(price)}, ${slot}, and nobody is there to ask; it ${effect}`,
    remedy: "say --yes to accept its price, with --most to bound it",
  });
}
