/** `stint extend`: extends a reservation. */
import { Command } from "commander";
import type { PricedStartView } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";
import type { CommandContext } from "./command-context.ts";
import { suValue } from "./option-values.ts";
import { durationValue, slotSeconds } from "./quantity-values.ts";
import { costText, slotText } from "./reservation-table.ts";
import { printable } from "./text-table.ts";

interface ExtendOptions {
  readonly time: number;
  readonly most?: number;
  readonly yes: boolean;
}

const EXAMPLES = `
Examples:
  $ stint extend 7f3a -t 1h
  $ stint extend 7f3a -t 1h --most 70

The additional time costs as much as a slot of the same size that begins at the
reservation's end. The price is shown, and you are asked to accept it. --yes
accepts any price without asking, --most a price of up to this many SU.
`;

/** Command definition of `stint extend`. */
export function extendCommand(context: CommandContext): Command {
  return new Command("extend")
    .summary("extend a reservation")
    .description("Extends a reservation that has not ended, at the current price.")
    .argument("<id>", "a reservation; a unique prefix of its id is enough")
    .requiredOption("-t, --time <time>", "how much longer: 1h30m, 01:30:00", durationValue("-t"))
    .option("--most <su>", "only if it costs at most this many SU in total", suValue("--most"))
    .option("-y, --yes", "accept the price without asking", false)
    .addHelpText("after", EXAMPLES)
    .action(async (id: string, options: ExtendOptions) => await extend(id, options, context));
}

async function extend(
  id: string,
  { time, most, yes }: ExtendOptions,
  context: CommandContext,
): Promise<void> {
  const { terminal } = context;
  const moreSec = slotSeconds("-t", time);
  const client = await context.client();
  const price = await client.quoteExtension(id, moreSec);
  if (price.hindrance !== null) throw hindered(price.hindrance.text);
  if (most !== undefined && price.priceSu > most) throw dearer(price, most);
  const isAccepted = yes || most !== undefined;
  if (!isAccepted && terminal.askPerson === undefined) throw nobodyToAsk(price);
  const question = `It costs ${costText(price)}, and ${price.effect}. Extend it?`;
  if (!isAccepted && !(await terminal.askPerson?.(printable(question)))) {
    terminal.writeError("stint: nothing was changed\n");
    return;
  }
  // What was said of the price is what may be paid: up to the limit, else what was just quoted.
  const mostFixedSu = most === undefined ? price.fixedSu : most - price.baseSu;
  const extended = await client.extend(id, { moreSec, mostFixedSu });
  const slot = slotText(extended, context.terminal.nowMs());
  const text = `reservation ${extended.id}: ${slot}, ${costText(extended)} in all`;
  terminal.writeResult(`${printable(text)}\n`);
}

function hindered(why: string): Fault {
  return new Fault({
    kind: "refused",
    code: "mayNotReserveSlot",
    what: "the reservation cannot be extended by this duration",
    why,
    remedy: "ask for less time, or reserve another slot",
  });
}

function dearer(price: PricedStartView, most: number): Fault {
  return new Fault({
    kind: "refused",
    code: "priceAboveMost",
    what: `it costs more than your limit of ${most} SU`,
    why: `its price is ${costText(price)}`,
    remedy: "raise the limit with --most, or request less time",
  });
}

function nobodyToAsk(price: PricedStartView): Fault {
  return new Fault({
    kind: "refused",
    code: "notConfirmed",
    what: "nothing was changed",
    why:
      `it would cost ${costText(price)}, and without a terminal you cannot be asked to confirm; it ` +
      `${price.effect}`,
    remedy: "accept its price with --yes, or up to a limit in SU with --most",
  });
}
