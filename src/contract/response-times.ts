/**
 * How soon a site serves, as the API writes it.
 */
import { Type } from "typebox";
import type { StartMethod } from "../predict/index.ts";
import { type Shape, shownSec, strict } from "./fields.ts";
import { scoreSchema } from "./prospect.ts";

function responseTime<Method extends StartMethod>(methods: readonly Method[], description: string) {
  const said = Type.Object(
    {
      waitSec: shownSec,
      method: Type.Enum([...methods]),
      score: Type.Union([scoreSchema, Type.Null()], { description: "null: no record here yet" }),
    },
    strict,
  );
  return Type.Union([said, Type.Null()], { description });
}

/** `responseTimes` of a site. */
export const responseTimesSchema = Type.Union(
  [
    Type.Object(
      {
        at: Type.String({ format: "date-time", description: "Of which instant it is true" }),
        partition: Type.Union([Type.String(), Type.Null()], {
          description: "Of a cluster: the partition that was asked",
        }),
        estimated: responseTime(
          ["simulation", "schedule"],
          "ERT: the mean of many simulated starts, else the start by schedule",
        ),
        worst: responseTime(
          ["simulation", "history"],
          "WRT: within it the job starts with a probability of 0.95, by simulation or by past waits",
        ),
      },
      strict,
    ),
    Type.Null(),
  ],
  { description: "How soon a job of one processor would start; null: nothing was said of that yet" },
);

/** How soon a site serves, as it was last said: the waits of a job of one processor. */
export type ResponseTimesView = NonNullable<Shape<typeof responseTimesSchema>>;
/** A response time, the method that says it, and how often that was right here. */
export type ResponseTimeView = NonNullable<ResponseTimesView["estimated"] | ResponseTimesView["worst"]>;
