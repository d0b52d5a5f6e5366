/**
 * `stint quote --at … --at …`: what slots at several sites cost that begin and end together.
 */
import type { TogetherQuoteWish, TogetherView } from "../api/client/index.ts";
import type { Daily } from "./daily.ts";
import { instantText } from "./job-table.ts";
import { isForPeople, type OutputForm, writeItems } from "./output-forms.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { togetherListing, togetherRows, togetherText } from "./together-lines.ts";

/** What besides the slots was asked for. */
interface Asked {
  readonly keep: boolean;
  readonly output: OutputForm;
}

/** Lists the starts; with `keep` the chosen one becomes an offer at each site. */
export async function quoteTogether(
  wish: TogetherQuoteWish,
  { keep, output: form }: Asked,
  daily: Daily,
): Promise<void> {
  const { surface } = daily;
  const quote = await (await daily.client()).quoteTogether(wish);
  const rows = togetherRows(quote);
  const offer = keep && quote.chosen !== null ? await offered(wish, quote.chosen, daily) : undefined;
  const value = { ...quote, ...(offer === undefined ? {} : { offer }) };
  if (form === "name" && keep) {
    surface.writeResult((offer?.items ?? []).map(({ id }) => `${id}\n`).join(""));
  } else {
    await writeItems({ items: rows, form, value }, togetherListing(wish.parts), surface);
  }
  if (isForPeople(form)) {
    if (rows.length === 0) surface.writeError(`stint: ${NEVER_TOGETHER}\n`);
    else if (quote.chosen === null) surface.writeError("stint: none of these can be reserved by you\n");
    if (offer !== undefined) surface.writeResult(togetherText("offer", offer, acceptedBy(offer)));
  }
  if (rows.length === 0 || (keep && offer === undefined)) daily.endWith(EXIT_CODES.refused);
}

const NEVER_TOGETHER =
  "these slots cannot be had together; stint quote --site NAME -n N says what each site has, or does not";

function acceptedBy({ items: [first] }: TogetherView): string {
  if (first === undefined) return "";
  const until = instantText(first.expiresAt);
  return `; they stand until ${until}, and one accepts all: stint reserve ${first.id}`;
}

/** Keeps the slots of a start aside. */
export async function offered(
  { parts, durationSec, consumer }: TogetherQuoteWish,
  { startAt }: { readonly startAt: string },
  daily: Daily,
): Promise<TogetherView> {
  const whose = consumer === undefined ? {} : { consumer };
  return await (await daily.client()).offerTogether({ parts, durationSec, startAt, ...whose });
}
