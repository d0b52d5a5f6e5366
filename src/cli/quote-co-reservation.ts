/** `stint quote --at … --at …`: prices of slots at several sites that start and end together. */
import type { CoReservationQuoteRequest, CoReservationView } from "../api/client/index.ts";
import { coReservationListing, coReservationRows, coReservationText } from "./co-reservation-lines.ts";
import type { CommandContext } from "./command-context.ts";
import { datedText } from "./instant-text.ts";
import { isForPeople, type OutputForm, writeItems } from "./output-forms.ts";
import { EXIT_CODES } from "./report-fault.ts";

/** Options besides the slots. */
interface Asked {
  readonly keep: boolean;
  readonly output: OutputForm;
}

/** Lists the starts; with `keep` the chosen one becomes an offer at each site. */
export async function quoteCoReservation(
  request: CoReservationQuoteRequest,
  { keep, output: form }: Asked,
  context: CommandContext,
): Promise<void> {
  const { terminal } = context;
  const nowMs = terminal.nowMs();
  const quote = await (await context.client()).quoteCoReservation(request);
  const rows = coReservationRows(quote);
  const offer = keep && quote.chosen !== null ? await offered(request, quote.chosen, context) : undefined;
  const value = { ...quote, ...(offer === undefined ? {} : { offer }) };
  if (form === "name" && keep) {
    terminal.writeResult((offer?.items ?? []).map(({ id }) => `${id}\n`).join(""));
  } else {
    await writeItems({ items: rows, form, value }, coReservationListing(request.parts), terminal);
  }
  if (isForPeople(form)) {
    if (rows.length === 0) terminal.writeError(`stint: ${NEVER_TOGETHER}\n`);
    else if (quote.chosen === null) terminal.writeError("stint: none of these can be reserved by you\n");
    if (offer !== undefined)
      terminal.writeResult(coReservationText("offer", offer, { ending: acceptedBy(offer, nowMs), nowMs }));
  }
  if (rows.length === 0 || (keep && offer === undefined)) context.endWith(EXIT_CODES.refused);
}

const NEVER_TOGETHER =
  "these slots cannot be combined; stint quote --site NAME -n N says what each site has, or does not";

function acceptedBy({ items: [first] }: CoReservationView, nowMs: number): string {
  if (first === undefined) return "";
  const until = datedText(first.expiresAt, nowMs);
  return `; they stand until ${until}, and one accepts all: stint reserve ${first.id}`;
}

/** Makes offers of the slots of a start. */
export async function offered(
  { parts, durationSec, consumer }: CoReservationQuoteRequest,
  { startAt }: { readonly startAt: string },
  context: CommandContext,
): Promise<CoReservationView> {
  const whose = consumer === undefined ? {} : { consumer };
  return await (await context.client()).offerCoReservation({ parts, durationSec, startAt, ...whose });
}
