/**
 * `stint quote --virtual`: when a job would be submitted that is to run from an instant on, and how surely.
 */
import type { Daily } from "./daily.ts";
import { isForPeople, type OutputForm, writeItems } from "./output-forms.ts";
import { EXIT_CODES } from "./report-fault.ts";
import { printable } from "./text-table.ts";
import { VIRTUAL_LISTING, virtualLines, virtualRows } from "./virtual-lines.ts";
import { type VirtualOptions, virtualWish } from "./virtual-options.ts";

/** Asks and writes; ends with 5 where no site has one. */
export async function quoteVirtual(
  options: VirtualOptions & { readonly output: OutputForm },
  daily: Daily,
): Promise<void> {
  const { surface } = daily;
  const wish = virtualWish(options, surface.nowMs);
  const quote = await (await daily.client()).quoteVirtual(wish);
  const items = virtualRows(quote);
  await writeItems({ items, form: options.output, value: quote }, VIRTUAL_LISTING, surface);
  if (isForPeople(options.output)) {
    for (const line of virtualLines(items, wish.startAt)) surface.writeError(`stint: ${printable(line)}\n`);
  }
  if (quote.chosen === null) daily.endWith(EXIT_CODES.refused);
}
