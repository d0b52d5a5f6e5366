/** The stop of a broker, and what continues without it. */
import { Type } from "typebox";
import { orNull, type Shape, strict } from "./fields.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });

const leftSchema = Type.Object(
  {
    site: orNull(Type.String(), { description: "Null: at no site yet" }),
    type: orNull(Type.Enum(["managed", "simulated", "slurm", "exec"])),
    running: count("Running and suspended jobs: they continue"),
    waiting: count("Other active jobs"),
  },
  { ...strict, description: "Active jobs at a site" },
);

/** `POST /broker/stop` */
export const brokerStopSchema = Type.Object(
  {
    process: Type.Integer({ description: "Process id of the broker on its machine" }),
    host: Type.String({ description: "Name of its machine" }),
    left: Type.Array(leftSchema, { description: "Sites with active jobs, as the stop begins" }),
  },
  { ...strict, description: "A broker that is stopping" },
);

/** A broker that is stopping. */
export type BrokerStopView = Shape<typeof brokerStopSchema>;
/** Active jobs at a site. */
export type LeftAtSite = BrokerStopView["left"][number];
