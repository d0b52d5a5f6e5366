/**
 * `stint quote --virtual`: when a job would be submitted that is to run from an instant on, and how surely.
 */
import type { CommandContext } from "./command-context.ts";
import { isForPeople, type OutputForm, writeItems } from "./output-forms.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { printable } from "./text-table.ts";
import {
  VIRTUAL_LISTING,
  virtualReservationLines,
  virtualReservationRows,
} from "./virtual-reservation-lines.ts";
import { type VirtualReservationOptions, virtualReservationRequest } from "./virtual-reservation-options.ts";

/** Asks and writes; ends with 5 where no site has one. */
export async function quoteVirtualReservation(
  options: VirtualReservationOptions & { readonly output: OutputForm },
  context: CommandContext,
): Promise<void> {
  const { terminal } = context;
  const request = virtualReservationRequest(options, terminal.nowMs);
  const quote = await (await context.client()).quoteVirtualReservation(request);
  const items = virtualReservationRows(quote);
  await writeItems({ items, form: options.output, value: quote }, VIRTUAL_LISTING, terminal);
  if (isForPeople(options.output)) {
    for (const line of virtualReservationLines(items, request.startAt))
      terminal.writeError(`stint: ${printable(line)}\n`);
  }
  if (quote.chosen === null) context.endWith(EXIT_CODES.refused);
}
