/**
 * `stint reserve --at … --at …`: reserves slots at several sites that start and end together, all or none.
 */
import type {
  CoReservationQuoteRequest,
  CoReservationQuoteView,
  CoReservationStartView,
  CoReservationView,
  ReservationFilter,
  ReservationList,
  ReservationView,
  StintClient,
} from "../api/client/index.ts";
import { Fault, suText } from "../base/index.ts";
import { acceptIfAgreed, type Consent, demandAnswer, demandWithin } from "./accept-offer.ts";
import { coReservationRows, coReservationText, hindranceTexts, priceOfAll } from "./co-reservation-lines.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { offered } from "./quote-co-reservation.ts";
import { costText, slotText } from "./reservation-table.ts";

/** Chooses a start, makes offers, and accepts them. @returns undefined where the user declined */
export async function reserveCoReservation(
  asked: CoReservationQuoteRequest,
  consent: Consent,
  context: CommandContext,
): Promise<CoReservationView | undefined> {
  const { most } = consent;
  const request = { ...asked, ...(most === undefined ? {} : { mostSu: most }) };
  const client = await context.client();
  const quote = await client.quoteCoReservation(request);
  const chosen = coReservationRows(quote).find(({ isChosen }) => isChosen);
  if (chosen === undefined) throw nothingToChoose(quote, most);
  demandAnswer({ price: chosen, slot: placesText(chosen), effect: chosen.effect }, consent, context);
  const { together, items } = await offered(request, chosen, context);
  const [first] = items;
  if (first === undefined) return undefined;
  const price = priceOfAll(items);
  const slots = items.map((item) => slotText(item, context.terminal.nowMs())).join(", and ");
  const question = `${slots}: ${costText(price)}; it ${chosen.effect}. Reserve them?`;
  const accepted = await acceptIfAgreed({ id: first.id, price, question }, consent, context);
  if (accepted === undefined) return undefined;
  return { together, items: await Promise.all(items.map(({ id }) => client.reservation(id))) };
}

/** Accepts a co-reservation by one of its offers, where its total price is within the limit. */
export async function acceptCoReservation(
  { id, together, owner }: ReservationView & { readonly together: string },
  { most }: Pick<Consent, "most">,
  client: StintClient,
): Promise<CoReservationView> {
  const parts: ReservationView[] = [];
  let cursor: string | null = null;
  do {
    const more: Pick<ReservationFilter, "cursor"> = cursor === null ? {} : { cursor };
    const list: ReservationList = await client.reservations({
      state: ["OFFERED"],
      owner,
      limit: 1000,
      ...more,
    });
    for (const part of list.items) if (part.together === together) parts.push(part);
    cursor = list.next;
  } while (cursor !== null);
  demandWithin(priceOfAll(parts), most);
  await client.accept(id);
  return { together, items: await Promise.all(parts.map((part) => client.reservation(part.id))) };
}

/** Prints the reservations. */
export function writeCoReservation(
  reserved: CoReservationView,
  output: "table" | "json" | "name",
  { terminal }: CommandContext,
): void {
  if (output === "json") terminal.writeResult(jsonText(reserved));
  else if (output === "name") terminal.writeResult(reserved.items.map(({ id }) => `${id}\n`).join(""));
  else
    terminal.writeResult(
      coReservationText("reservation", reserved, {
        ending: "; what cancels one cancels all",
        nowMs: terminal.nowMs(),
      }),
    );
}

function placesText({ parts, startAt }: CoReservationStartView): string {
  return `at ${parts.map(({ site }) => site).join(" and ")} from ${instantText(startAt)}`;
}

function nothingToChoose({ items }: CoReservationQuoteView, most: number | undefined): Fault {
  const free = items.filter((start) => hindranceTexts(start).length === 0);
  const least = Math.min(...free.map(({ priceProcMs }) => priceProcMs));
  const tooDear =
    free.length === 0 ? undefined : `the cheapest costs ${suText(least)}, and you allow ${most} SU`;
  const [hindrance] = items.flatMap(hindranceTexts);
  return new Fault({
    kind: "refused",
    code: "nothingToReserve",
    what: "these slots cannot be reserved together",
    why: tooDear ?? hindrance ?? "there is no start at which they are free at all of the sites",
    remedy: "see stint quote --site NAME -n N for what each site has; request less, or another time",
  });
}
