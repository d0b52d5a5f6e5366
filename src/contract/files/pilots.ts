/** Pilots of a cluster in `stint.yaml`. */
import { identityShape } from "./identity.ts";
import { as, count, mapping, quantity, usually } from "./shape.ts";
import { consumerPath, timeLimit } from "./texts.ts";

/** Pilots of a cluster. */
export const pilotsShape = mapping(
  {
    max: count({
      description: "Maximum number of pilots that are queued or running.",
      ...{ least: 1, most: 10_000, examples: ["4"] },
    }),
    procs: count({
      description: "Processors of each pilot, on one node.",
      ...{ least: 1, most: 1_000_000, examples: ["8"] },
    }),
    memory: as(
      "memoryBytes",
      quantity("size", {
        description: "Memory of each pilot; by default what the cluster gives a job with these processors.",
        examples: ["32G"],
        ifZero: { why: "the amount must be above 0", remedy: "omit it for the default" },
      }),
    ),
    gpus: count({
      description: "GPUs of each pilot; by default none.",
      ...{ least: 0, most: 1_000_000, examples: ["1"] },
    }),
    wallTime: as(
      "wallTimeMs",
      timeLimit("Time limit of each pilot. A job must fit into the time that is left.", "no job would fit"),
    ),
    idle: as(
      "idleMs",
      usually(
        0,
        quantity("duration", {
          description: "Time for which a pilot without jobs waits for one before it ends.",
          examples: ["2m"],
        }),
      ),
    ),
    consumer: usually("pilots", {
      ...consumerPath,
      description: "Consumer under which the jobs of pilots are listed; it is not charged.",
    }),
    identity: identityShape,
  },
  {
    description:
      "Pilots: jobs in the cluster's queue that run jobs of Stint. By default there are none, and each " +
      "job of Stint is put into that queue.",
    ...{ defined: "pilots", examples: ["{ max: 4, procs: 8, wallTime: 12h }"] },
    required: {
      max: "there is no default for the number of pilots",
      procs: "each pilot requests them from the cluster",
      wallTime: "each pilot requests it from the cluster",
    },
  },
);
