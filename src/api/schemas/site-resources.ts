/**
 * The stores and links of a site, as they are requested and as the API writes them.
 */
import { type TSchema, Type } from "@fastify/type-provider-typebox";
import { RESOURCE_NAME, type SiteOffer } from "../../model/index.ts";
import { invalid } from "./validator.ts";

const strict = { additionalProperties: false };
const amount = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
const byName = (offer: TSchema, description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: RESOURCE_NAME.source }), offer, { ...strict, description }),
  );

/** The fields of a site that say them. */
export const resourceFields = {
  stores: byName(
    Type.Object(
      {
        sizeBytes: amount("What it holds"),
        unitBytes: Type.Optional(amount("So much of it costs what a processor does; a TiB where absent")),
      },
      strict,
    ),
    "Its file stores, by name",
  ),
  links: byName(
    Type.Object(
      {
        rateBytesPerSec: amount("What it carries"),
        unitBytesPerSec: Type.Optional(
          amount("So much of it costs what a processor does; 1 Gbit/s where absent"),
        ),
      },
      strict,
    ),
    "Its links, by name; none has the name of a store",
  ),
};

/** Reservations and policies name either by its name alone. @throws ProblemError where two share one */
export function demandOwnNames({ stores = {}, links = {} }: Pick<SiteOffer, "stores" | "links">): void {
  const shared = Object.keys(links).find((name) => Object.hasOwn(stores, name));
  if (shared === undefined) return;
  throw invalid([{ pointer: `/spec/links/${shared}`, detail: "a store has this name" }]);
}
