/** Sites as planners of workflows take them. */
import { Type } from "typebox";
import { count, instant, type Shape, strict } from "./fields.ts";

const sec = Type.Number({ minimum: 0, description: "Seconds from the beginning of the plan" });

const slotForSale = Type.Object(
  {
    startSec: sec,
    durationSec: Type.Number({ minimum: 0 }),
    procs: Type.Integer({ minimum: 1 }),
    price: Type.Number({ description: "Unit price at its start: SU per processor-hour" }),
    fixedSu: Type.Number({ description: "Fixed price of each reservation, in SU" }),
  },
  strict,
);

const freeBeside = Type.Object(
  { fromSec: sec, memoryBytes: count, gpus: count },
  { ...strict, description: "Memory and GPUs that may be reserved from an instant until the next" },
);

/** Slots that each site can still sell, from the beginning of a plan on. */
export const platformSchema = Type.Object(
  {
    beginAt: instant,
    sites: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          procs: count,
          memoryBytes: count,
          gpus: count,
          speed: Type.Number({ description: "Divides the runtimes of tasks" }),
          price: Type.Number({
            description: "Unit price at the beginning of the plan: SU per processor-hour",
          }),
          marginSec: Type.Number({
            minimum: 0,
            description:
              "Time to add to the end of each reservation, because a job may start some time after its " +
              "reservation begins",
          }),
          slots: Type.Array(slotForSale),
          freeBeside: Type.Array(freeBeside, {
            description: "Free memory and GPUs, in order of time",
          }),
        },
        strict,
      ),
    ),
    link: Type.Object(
      { latencySec: Type.Number({ minimum: 0 }), bytesPerSec: Type.Number({ minimum: 0 }) },
      { ...strict, description: "Assumed between any two sites" },
    ),
  },
  { ...strict, description: "Sites that accept jobs now, as input for planners; advisory" },
);

/** `GET /platform` */
export const platformQuery = Type.Object(
  {
    site: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 63 }), {
        maxItems: 1000,
        description: "Only these sites",
      }),
    ),
  },
  strict,
);

/** Sites that take jobs now, as planners take them. */
export type PlatformView = Shape<typeof platformSchema>;
/** Which sites. */
export type PlatformFilter = Shape<typeof platformQuery>;
