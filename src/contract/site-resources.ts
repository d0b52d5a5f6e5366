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

const absolutePath = (description: string) =>
  Type.String({ pattern: "^/[^\\u0000]*$", maxLength: 4096, description });

/** Fields of a site for its stores, its links and its streams. */
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
  streams: Type.Optional(
    Type.Object(
      {
        inboundBytesPerSec: amount("Bandwidth for the data of all streams"),
        storageBytes: amount("Storage for the data of all streams"),
        directory: absolutePath(
          "Where the data are kept: on a file system that the broker and the nodes share",
        ),
        program: Type.Optional(absolutePath("Stint's program on the nodes; that of the broker where absent")),
      },
      { ...strict, description: "What streams may use; where absent it takes none" },
    ),
  ),
};
