/** Pilots of a cluster in `stint.yaml`. */
import { identityShape } from "./identity.ts";
import { as, count, mapping, quantity, usually } from "./shape.ts";
import { consumerPath, timeLimit } from "./texts.ts";

/** Pilots of a cluster. */
export const pilotsShape = mapping(
  {
    max: count({
      description: "Largest number of pilots in the queue or running.",
      ...{ least: 1, most: 10_000, examples: ["4"] },
    }),
    procs: count({
      description: "Processors of each pilot, on one node.",
      ...{ least: 1, most: 1_000_000, examples: ["8"] },
    }),
    memory: as(
      "memoryBytes",
      quantity("size", {
        description: "Memory of each pilot; by default what the cluster gives a job of its processors.",
        examples: ["32G"],
        ifZero: { why: "programs need some", remedy: "omit it for the default" },
      }),
    ),
    gpus: count({
      description: "GPUs of each pilot; by default none.",
      ...{ least: 0, most: 1_000_000, examples: ["1"] },
    }),
    wallTime: as(
      "wallTimeMs",
      timeLimit("The time limit of pilots. Jobs must fit into what is left of it.", "no job would fit"),
    ),
    idle: as(
      "idleMs",
      usually(
        0,
        quantity("duration", {
          description: "How long a pilot waits for a job before it ends; by default not at all.",
          examples: ["2m"],
        }),
      ),
    ),
    consumer: usually("pilots", consumerPath),
    identity: identityShape,
  },
  {
    description:
      "Pilots: jobs in the cluster's queue that run jobs of Stint. Without it each job of Stint is put " +
      "into that queue.",
    ...{ defined: "pilots", examples: ["{ max: 4, procs: 8, wallTime: 12h }"] },
    required: {
      max: "nobody else can say how many jobs of the queue are allowed",
      procs: "pilots ask the cluster for them",
      wallTime: "pilots ask the cluster for it",
    },
  },
);
