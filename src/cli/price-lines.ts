/** Prices of slots: a row for each start at each site, and remarks below the table. */
import type { PricedStartView, QuoteView } from "../api/client/index.ts";
import { suText } from "../base/index.ts";
import { localTimes, whenText } from "./instant-text.ts";
import type { Listing } from "./output-forms.ts";
import { rulesText } from "./rules-text.ts";

/** A start at a site. */
export interface SitePrice extends PricedStartView {
  readonly site: string;
  /** True for the start that α chose. */
  readonly isChosen: boolean;
}

export const PRICE_LISTING: Listing<SitePrice> = {
  columns: [
    { head: " ", cell: ({ isChosen }) => (isChosen ? ">" : "") },
    { head: "SITE", cell: ({ site }) => site },
    { head: "START", cell: ({ startAt }, nowMs) => whenText(startAt, nowMs) },
    { head: "PRICE", align: "right", cell: ({ priceProcMs }) => suText(priceProcMs) },
    { head: "FIXED", align: "right", isOptional: true, cell: ({ fixedProcMs }) => suText(fixedProcMs) },
    { head: "UNIT PRICE", align: "right", isWide: true, cell: ({ unitPrice }) => String(unitPrice) },
    { head: "EFFECT", isFlexible: true, cell: effectText },
  ],
  fields: [
    ...["site", "startAt", "priceSu", "baseSu", "fixedSu", "unitPrice", "delaysJobs", "delaySu"],
    ...["chosen", "effect", "hindrance", "transactionSu", "rules"],
  ],
  record: ({ hindrance, isChosen, rules, ...same }) => ({
    ...same,
    rules: rulesText(rules) ?? undefined,
    chosen: isChosen,
    hindrance: hindrance?.text,
  }),
  name: ({ startAt }) => startAt,
};

function effectText({ effect, hindrance, rules }: SitePrice): string {
  const by = rulesText(rules);
  const whole = by === null ? effect : `${effect}; priced by ${by}`;
  return hindrance === null ? whole : `${whole}; not for you: ${localTimes(hindrance.text)}`;
}

/** Starts in order; of equal ones the cheapest first. */
export function priceRows({ items, chosen }: QuoteView): readonly SitePrice[] {
  const isChosen = (site: string, startAt: string): boolean =>
    chosen?.site === site && chosen.startAt === startAt;
  return items
    .flatMap(({ site, starts }) =>
      starts.map((start) => ({ ...start, site, isChosen: isChosen(site, start.startAt) })),
    )
    .sort(
      (a, b) =>
        Date.parse(a.startAt) - Date.parse(b.startAt) ||
        a.priceProcMs - b.priceProcMs ||
        (a.site < b.site ? -1 : 1),
    );
}

/** Remarks: sites that could not be asked, and starts that are not listed. */
export function priceLines({ items }: QuoteView): readonly string[] {
  return items.flatMap(({ site, trouble, leftOut = 0 }) => [
    ...(trouble === null ? [] : [`${site} could not be reached: ${trouble}`]),
    ...(leftOut === 0 ? [] : [`${site} has a long queue: ${leftOut} more starts are possible; ${NARROWER}`]),
  ]);
}

const NARROWER = "`--from` prices those from an instant on, `--start` a single one";
