/** `/events/watch`: what has changed, for a page that then asks again. */
import { Type } from "typebox";
import { type Shape, strict } from "./fields.ts";

/** Data of an event named `changed`. */
export const changeSchema = Type.Object(
  {
    head: Type.Integer({ minimum: 0, description: "Number of the last event of the log; the stream's id" }),
    jobs: Type.Array(Type.String(), { description: "Changed jobs that the caller may see, at most 500" }),
    all: Type.Boolean({
      description: "True if there may be further changes: in the first event, and after a gap",
    }),
  },
  { ...strict, description: "Changes since the previous event" },
);

/** Changes since the previous event. */
export type ChangeView = Shape<typeof changeSchema>;
