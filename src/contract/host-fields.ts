/** Fields of a description about the nodes of its processors. */
import { Type } from "typebox";

const nodes = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description }));

export const hostFields = {
  hostNumber: nodes("Nodes over which its processors are spread; the site's choice where absent"),
  smpGranularity: nodes("Processors of it on each node"),
  wholeNodes: Type.Optional(
    Type.Boolean({ description: "True where no other job is to run on its nodes; some sites can do that" }),
  ),
};
