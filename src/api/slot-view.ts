/**
 * An advertisement as the API says it.
 */
import { MS_PER_SECOND } from "../base/index.ts";
import type { Advertisement } from "../engine/index.ts";
import { baseCharge, countable, rateAt, type Tariff, tariffOf } from "../market/index.ts";
import type { SlotKind } from "../model/index.ts";
import type { FreeTimeView, SlotSetView } from "./client/slot-types.ts";
import { isoInstant } from "./iso-instant.ts";
import { suOf } from "./reservation-view.ts";

/** The set of one site, at what it would cost a consumer to reserve. */
export function slotSetView(set: Advertisement, consumer: string): SlotSetView {
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
    start: isoInstant(startMs),
    durationSec: durationMs / MS_PER_SECOND,
    divisible,
    extensible,
    ...{ priceSu: suOf(priceProcMs), priceProcMs },
    ...{ fixedSu: suOf(transactionProcMs), fixedProcMs: transactionProcMs },
    unitPrice: unitPriceThousandths / 1000,
  };
}
