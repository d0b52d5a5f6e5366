/** Terminals of interactive jobs: requests and responses. */
import { Type } from "typebox";
import { count, type Shape, strict } from "./fields.ts";

/** Bytes that are typed with one request, at most. */
export const MOST_TYPED_BYTES = 65_536;
/** Base64 has four characters for three bytes. */
const MOST_TYPED_TEXT = Math.ceil(MOST_TYPED_BYTES / 3) * 4;

const side = Type.Integer({ minimum: 1, maximum: 9999 });

/** Something typed into a terminal, or its size. */
export const terminalWriteSchema = Type.Object(
  {
    writer: Type.String({
      pattern: "^[!-~]{1,100}$",
      description: "Name that the caller gives this connection; only one writer at a time may type",
    }),
    take: Type.Optional(Type.Boolean({ description: "Take over from the current writer" })),
    leave: Type.Optional(
      Type.Boolean({ description: "Release the input, so that another connection may type at once" }),
    ),
    at: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          "Offset of the first byte in all input so far; bytes already received are not typed again",
      }),
    ),
    data: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9+/]*={0,2}$",
        maxLength: MOST_TYPED_TEXT,
        description: "Bytes in base64, with `at`; none where absent",
      }),
    ),
    rows: Type.Optional(side),
    columns: Type.Optional(side),
  },
  strict,
);
/** Something typed, or a size. */
export type TerminalWrite = Shape<typeof terminalWriteSchema>;

/** `/jobs/:id/terminal` */
export const terminalQuery = Type.Object(
  {
    from: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          "Offset of the first byte in all output so far; output that is no longer kept is omitted",
      }),
    ),
    last: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 16 * 1024 * 1024,
        description: "Alternative to the offset: number of bytes of the latest output",
      }),
    ),
  },
  strict,
);
/** Where a reading begins. */
export type TerminalQuery = Shape<typeof terminalQuery>;

/** Input that a terminal has received so far. */
export const terminalSchema = Type.Object(
  { inputBytes: { ...count, description: "Bytes typed so far" } },
  { ...strict, description: "Input that the terminal has received" },
);
/** Input that a terminal has received. */
export type TerminalView = Shape<typeof terminalSchema>;
