/** Errors as RFC 9457 problem details, and the health of the broker. */
import { Type } from "typebox";
import { open, strict } from "./fields.ts";

const place = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: "JSON pointer into the body" })),
    parameter: Type.Optional(Type.String({ description: "Of the path, the query or a header" })),
    detail: Type.String(),
  },
  open,
);

/** Problem details. */
export const problemSchema = Type.Object(
  {
    type: Type.String({ description: "`urn:stint:<code>`, stable" }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: "What happened" }),
    why: Type.String(),
    remedy: Type.String({ description: "What to do about it" }),
    pointer: Type.Optional(Type.String({ description: "JSON pointer to the offending field" })),
    parameter: Type.Optional(Type.String({ description: "The offending parameter" })),
    errors: Type.Optional(Type.Array(place)),
  },
  { ...open, description: "Problem details (RFC 9457); more members are facts" },
);

/** Health of the broker. */
export const statusSchema = Type.Object(
  { status: Type.Enum(["ok", "notReady"]) },
  { ...strict, description: "Health of the broker" },
);
