/** `/replicas`: files by their logical names, and their copies at sites. */
import { Type } from "typebox";
import { LOGICAL_NAME, RESOURCE_NAME } from "../model/index.ts";
import { count, ref, type Shape, strict } from "./fields.ts";

const name = Type.String({
  pattern: LOGICAL_NAME,
  description: "a logical name, `/vo/group/…/name`; its folder is the consumer that may change it",
});
const siteName = Type.String({ minLength: 1, maxLength: 63, description: "The site of a copy" });
const store = Type.String({ pattern: RESOURCE_NAME.source, description: "A store of the site" });
const checksum = Type.Optional(
  Type.String({ pattern: "^(adler32|md5|sha256):[0-9a-f]{1,64}$", description: "Checksum of the file" }),
);
const url = Type.Optional(
  Type.String({ pattern: "^[!-~]{1,4096}$", description: "Where the copy is in the store" }),
);
const copy = { site: siteName, store, url };

/** `POST /replicas` */
export const replicaRequest = Type.Object(
  {
    ...{ name, checksum, ...copy },
    bytes: Type.Optional(
      Type.Integer({
        ...{ minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        description: "Size of the file; as known of other copies where absent",
      }),
    ),
  },
  strict,
);

/** `GET /replicas` */
export const replicaQuery = Type.Object(
  { under: Type.Optional(Type.String({ maxLength: 1000, description: "Prefix of the logical names" })) },
  strict,
);

/** `DELETE /replicas` */
export const replicaRemoval = Type.Object(
  { name, site: Type.Optional(siteName), store: Type.Optional(store) },
  { ...strict, description: "One copy, or without site and store all of them" },
);

/** A file with its copies. */
export const replicaSchema = Type.Object(
  { name, bytes: count, checksum, copies: Type.Array(Type.Object(copy, strict)) },
  { ...strict, description: "A file by its logical name, with its copies" },
);

/** All of them. */
export const replicaListSchema = Type.Object(
  { items: Type.Array(ref<ReplicaView>("Replica")) },
  { ...strict, description: "Files of the replica catalogue" },
);

/** A file with its copies. */
export type ReplicaView = Shape<typeof replicaSchema>;
/** A copy to record. */
export type ReplicaRequest = Shape<typeof replicaRequest>;
/** Which files to list. */
export type ReplicaQuery = Shape<typeof replicaQuery>;
/** What to remove. */
export type ReplicaRemoval = Shape<typeof replicaRemoval>;
