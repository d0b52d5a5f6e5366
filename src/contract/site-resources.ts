/** Stores and links of a site: requests and responses. */
import { type TObject, type TProperties, Type } from "typebox";
import { RESOURCE_NAME } from "../model/index.ts";
import { strict } from "./fields.ts";

const amount = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
const byName = <Fields extends TProperties>(offer: TObject<Fields>, description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: RESOURCE_NAME.source }), offer, { ...strict, description }),
  );

/** Fields of a site for its stores and links. */
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
