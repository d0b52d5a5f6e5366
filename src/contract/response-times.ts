/** Response times of a site: predicted waits of a job with one processor. */
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
        at: Type.String({ format: "date-time", description: "Instant of the observation" }),
        partition: Type.Union([Type.String(), Type.Null()], {
          description: "The partition queried, for a cluster",
        }),
        estimated: responseTime(
          ["simulation", "schedule"],
          "Estimated response time (ERT in GLUE): the mean of many simulated starts or, without a " +
            "simulation, the start in the site's schedule",
        ),
        worst: responseTime(
          ["simulation", "history"],
          "Worst response time (WRT in GLUE): the job starts within it with a probability of 0.95, " +
            "according to a simulation or to past waits",
        ),
      },
      strict,
    ),
    Type.Null(),
  ],
  { description: "Predicted wait of a job with one processor; null: none yet" },
);

/** Response times of a site: predicted waits of a job with one processor. */
export type ResponseTimesView = NonNullable<Shape<typeof responseTimesSchema>>;
/** A response time with its method and the method's record here. */
export type ResponseTimeView = NonNullable<ResponseTimesView["estimated"] | ResponseTimesView["worst"]>;
