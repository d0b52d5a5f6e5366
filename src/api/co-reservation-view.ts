/** Prices of co-reservations, as the API writes them. */
import type { CoReservationStartView } from "../contract/index.ts";
import { hindranceText, type PriceCoReservation } from "../model/index.ts";
import { factsView } from "./facts-view.ts";
import { isoInstant } from "./iso-instant.ts";
import { priceSumView, priceView, resourceView, shortEffect } from "./reservation-view.ts";

/** A possible start with the total price and that of each part. */
export function coReservationStartView(price: PriceCoReservation): CoReservationStartView {
  return {
    startAt: isoInstant(price.startMs),
    ...priceSumView(price),
    effect: shortEffect(price),
    parts: price.parts.map(({ site, procs, hindrance, ...part }) => ({
      ...{ site, procs, resource: resourceView(part), ...priceView(part) },
      hindrance: hindrance === null ? null : { ...factsView(hindrance), text: hindranceText(hindrance) },
    })),
  };
}
