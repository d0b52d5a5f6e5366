/** An advertisement as the API writes it. */

import { setImmediate } from "node:timers/promises";
import { MS_PER_SECOND } from "../base/index.ts";
import type { FreeTimeView, SlotSetView } from "../contract/index.ts";
import type { Advertisement } from "../engine/index.ts";
import { baseCharge, countable, rateAt, type Tariff, tariffOf } from "../market/index.ts";
import type { SlotKind } from "../model/index.ts";
import { isoInstant } from "./iso-instant.ts";
import { suOf } from "./reservation-view.ts";

/** Number of slots written at a time. */
const AT_A_TIME = 2000;

/**
 * Slots of one site as JSON with prices for a consumer: in parts, between which other requests are answered,
 * since beside a long queue there are tens of thousands of slots.
 */
export async function* slotSetParts(set: Advertisement, consumer: string): AsyncGenerator<string> {
  const { slots } = set;
  const { slots: _, ...rest } = slotSetView({ ...set, slots: [] }, consumer);
  yield `${JSON.stringify(rest).slice(0, -1)},"slots":[`;
  for (let from = 0; from < slots.length; from += AT_A_TIME) {
    const part = slotSetView({ ...set, slots: slots.slice(from, from + AT_A_TIME), resources: [] }, consumer);
    yield `${from > 0 ? "," : ""}${JSON.stringify(part.slots).slice(1, -1)}`;
    await setImmediate();
  }
  yield "]}";
}

function slotSetView(set: Advertisement, consumer: string): SlotSetView {
  const { site, sequence, atMs, slots, resources, priceBook } = set;
  const tariff = (kind: SlotKind): Tariff => tariffOf(priceBook, { consumer, kind });
  const usual = tariff("reservation");
  return {
    site,
    sequence,
    at: isoInstant(atMs),
    slots: slots.map((slot) => ({ ...freeTime(slot, usual), procs: slot.procs })),
    resources: resources.map(({ kind, name, perProc, slots: its }) => {
      const own = tariff(kind);
      return {
        ...{ kind, name },
        slots: its.map((slot) => ({ ...freeTime(slot, own, perProc), amount: slot.procs })),
      };
    }),
  };
}

function freeTime(
  { startAt: startMs, procs, durationMs, divisible, extensible }: Advertisement["slots"][number],
  tariff: Tariff,
  perProc = 1,
): FreeTimeView {
  const { unitPriceThousandths, transactionProcMs } = rateAt(tariff, startMs);
  const baseProcMs = baseCharge({ procs, perProc, startMs, durationMs }, tariff);
  const priceProcMs = countable(baseProcMs + transactionProcMs);
  return {
    startAt: isoInstant(startMs),
    durationSec: durationMs / MS_PER_SECOND,
    divisible,
    extensible,
    ...{ priceSu: suOf(priceProcMs), priceProcMs },
    ...{ fixedSu: suOf(transactionProcMs), fixedProcMs: transactionProcMs },
    unitPrice: unitPriceThousandths / 1000,
  };
}
