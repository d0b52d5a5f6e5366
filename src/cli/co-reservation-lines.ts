/** Prices of co-reservations: a row for each start, a column for each site. */
import type {
  CoReservationPartRequest,
  CoReservationQuoteView,
  CoReservationStartView,
  CoReservationView,
  ReservationView,
} from "../api/client/index.ts";
import { suText } from "../base/index.ts";
import { localTimes, whenText } from "./instant-text.ts";
import type { Listing } from "./output-forms.ts";
import { partText } from "./part-value.ts";
import { costText, slotText } from "./reservation-table.ts";
import { rulesText } from "./rules-text.ts";
import { printable } from "./text-table.ts";

/** A start at which all slots are possible. */
export interface CoReservationRow extends CoReservationStartView {
  /** True for the start that α chose. */
  readonly isChosen: boolean;
}

/** Starts with their prices, the earliest first. */
export function coReservationRows({ items, chosen }: CoReservationQuoteView): readonly CoReservationRow[] {
  return items.map((start) => ({ ...start, isChosen: chosen?.startAt === start.startAt }));
}

/** Columns of the table, one for each of the sites. */
export function coReservationListing(parts: readonly CoReservationPartRequest[]): Listing<CoReservationRow> {
  return {
    columns: [
      { head: " ", cell: ({ isChosen }) => (isChosen ? ">" : "") },
      { head: "START", cell: ({ startAt }, nowMs) => whenText(startAt, nowMs) },
      { head: "PRICE", align: "right", cell: ({ priceProcMs }) => suText(priceProcMs) },
      { head: "FIXED", align: "right", isOptional: true, cell: ({ fixedProcMs }) => suText(fixedProcMs) },
      ...parts.map((part, at) => ({
        head: partText(part),
        align: "right" as const,
        isOptional: true,
        cell: (row: CoReservationRow) => suText(row.parts[at]?.priceProcMs ?? 0),
      })),
      { head: "EFFECT", isFlexible: true, cell: effectText },
    ],
    fields: [
      ...["startAt", "priceSu", "baseSu", "fixedSu", "delaysJobs", "delaySu", "chosen", "effect"],
      ...["hindrance", "parts"],
    ],
    record: ({ isChosen, ...same }) => ({
      ...same,
      chosen: isChosen,
      hindrance: hindranceTexts(same).join("; "),
    }),
    name: ({ startAt }) => startAt,
  };
}

function effectText(row: CoReservationRow): string {
  const priced = row.parts.flatMap(({ site, rules }) => {
    const by = rulesText(rules);
    return by === null ? [] : [`priced at ${site} by ${by}`];
  });
  const hindered = hindranceTexts(row).map((text) => `not for you at ${text}`);
  return [row.effect, ...priced, ...hindered].join("; ");
}

/** Rules that forbid the start, each with its site. */
export function hindranceTexts({ parts }: Pick<CoReservationStartView, "parts">): readonly string[] {
  return parts.flatMap(({ site, hindrance }) =>
    hindrance === null ? [] : [`${site}: ${localTimes(hindrance.text)}`],
  );
}

/** Total price of a start. */
export function priceOfAll(items: readonly ReservationView[]) {
  const sum = (of: (item: ReservationView) => number) => items.reduce((total, item) => total + of(item), 0);
  return {
    priceSu: sum(({ priceSu }) => priceSu),
    priceProcMs: sum(({ priceProcMs }) => priceProcMs),
    fixedProcMs: sum(({ fixedProcMs }) => fixedProcMs),
  };
}

/** A line for each part, and one for the total. @param noun `offer`, `reservation` */
export function coReservationText(
  noun: string,
  { items }: CoReservationView,
  { ending, nowMs }: { readonly ending: string; readonly nowMs: number },
): string {
  const lines = items.map((item) => `${noun} ${item.id}: ${slotText(item, nowMs)}, ${costText(item)}`);
  const all = `in all ${costText(priceOfAll(items))}${ending}`;
  return [...lines, all].map((line) => `${printable(line)}\n`).join("");
}
