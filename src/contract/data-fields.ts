/** Fields of a description about files of the replica catalogue. */
import { Type } from "typebox";
import { LOGICAL_NAME, OUTPUT_FILE, PROTOCOL, RESOURCE_NAME } from "../model/index.ts";
import { strict } from "./fields.ts";

/** Most input files of a job, and most outputs. */
const MOST_DATA = 1000;

export const dataFields = {
  inputData: Type.Optional(
    Type.Array(Type.String({ pattern: LOGICAL_NAME }), {
      ...{ minItems: 1, maxItems: MOST_DATA, uniqueItems: true },
      description: "Logical names of input files; sites that can read them sooner are preferred",
    }),
  ),
  dataAccessProtocol: Type.Optional(
    Type.Array(Type.String({ pattern: PROTOCOL }), {
      ...{ minItems: 1, maxItems: 50, uniqueItems: true },
      description: "URL schemes that the job can read; absent: any",
    }),
  ),
  outputSE: Type.Optional(
    Type.String({ pattern: RESOURCE_NAME.source, description: "A store that its site must have" }),
  ),
  outputData: Type.Optional(
    Type.Array(
      Type.Object(
        {
          file: Type.String({ pattern: OUTPUT_FILE, description: "Path in the job's directory" }),
          name: Type.Optional(
            Type.String({
              pattern: LOGICAL_NAME,
              description: "Logical name; absent: built from the consumer, the job's id and the path",
            }),
          ),
          store: Type.Optional(
            Type.String({
              ...{ pattern: RESOURCE_NAME.source },
              description:
                "Store that receives the file; absent: outputSE, or else the first store of the site that " +
                "accepts files",
            }),
          ),
        },
        strict,
      ),
      {
        ...{ minItems: 1, maxItems: MOST_DATA },
        description: "Files that are kept in a store of its site and registered as replicas if it succeeds",
      },
    ),
  ),
};
