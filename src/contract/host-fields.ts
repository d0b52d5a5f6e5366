/** Fields of a description about the nodes of its processors. */
import { Type } from "typebox";
import { QUEUE_PATTERN } from "../model/index.ts";

const nodes = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description }));

/** Fields about nodes and queues. */
export const hostFields = {
  preferredQueues: Type.Optional(
    Type.Array(Type.String({ pattern: QUEUE_PATTERN }), {
      ...{ minItems: 1, maxItems: 20, uniqueItems: true },
      description:
        "Preferred queues or partitions: the job goes to the first that its site has, if it fits there",
    }),
  ),
  hostNumber: nodes("Nodes over which its processors are spread; the site's choice where absent"),
  smpGranularity: nodes("Processors per node"),
  wholeNodes: Type.Optional(
    Type.Boolean({
      description: "True: no other job may run on its nodes; only Slurm clusters support this",
    }),
  ),
};
