/** Stores and links of a site: requests and responses. */
import { type TObject, type TProperties, Type } from "typebox";
import { AD_ATTRIBUTE, APPLICATION_NAME, PUBLICATIONS, RESOURCE_NAME } from "../model/index.ts";
import { strict } from "./fields.ts";

const amount = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description });
const byName = <Fields extends TProperties>(offer: TObject<Fields>, description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: RESOURCE_NAME.source }), offer, { ...strict, description }),
  );

const absolutePath = (description: string) =>
  Type.String({ pattern: "^/[^\\u0000]*$", maxLength: 4096, description });

const absolutePaths = (description: string) =>
  Type.Optional(Type.Array(absolutePath(description), { maxItems: 100 }));
const setting = Type.String({ pattern: "^[^\\u0000]{0,4096}$" });
const settings = (description: string) =>
  Type.Optional(Type.Array(setting, { minItems: 1, maxItems: 100, description }));

/** Setup of an application for jobs that request it. */
const applicationSchema = Type.Object(
  {
    modules: settings("Modules to load, in their order"),
    init: Type.Optional(
      absolutePath("Script that defines `module` for a POSIX shell; absent: the usual one"),
    ),
    path: absolutePaths("Directories that come before all others of PATH"),
    environment: Type.Optional(
      Type.Record(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), setting, {
        ...strict,
        description: "Environment variables; those that the job sets itself take precedence",
      }),
    ),
    launcher: settings("Command that starts the program: its words come before those of the job"),
    container: Type.Optional(absolutePath("Image in which the program runs, by Apptainer")),
  },
  strict,
);

const procsClass = Type.Object(
  {
    name: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$" }),
    procs: Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Processors of the class" }),
    type: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9_.+-]{1,100}$", description: "Architecture" })),
    benchmark: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000, description: "Relative speed; absent: 1" }),
    ),
    queue: Type.Optional(
      Type.String({ pattern: "^[^\\p{Cc}\\s]{1,200}$", description: "Queue that has these processors" }),
    ),
    cpus: Type.Optional(
      Type.String({
        pattern: "^\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?){0,200}$",
        description: "Numbers of these processors on the machine of the site",
      }),
    ),
  },
  strict,
);

/** Fields of a site for its stores, its links, its streams and its applications. */
export const resourceFields = {
  stores: byName(
    Type.Object(
      {
        sizeBytes: amount("Capacity of the store"),
        directory: Type.Optional(
          absolutePath(
            "Path of the store on the nodes, where jobs may leave files (outputData); absent: they may " +
              "not",
          ),
        ),
        unitBytes: Type.Optional(amount("Amount that costs as much per hour as a processor; absent: 1 TiB")),
      },
      strict,
    ),
    "Its file stores, by name",
  ),
  links: byName(
    Type.Object(
      {
        rateBytesPerSec: amount("Bandwidth of the link"),
        unitBytesPerSec: Type.Optional(
          amount("Bandwidth that costs as much per hour as a processor; absent: 1 Gbit/s"),
        ),
      },
      strict,
    ),
    "Its links by name; a link and a store cannot have the same name",
  ),
  applications: Type.Optional(
    Type.Record(Type.String({ pattern: APPLICATION_NAME.source }), applicationSchema, {
      ...{ ...strict, maxProperties: 1000 },
      description: "Applications that jobs may request, by name, and how each is set up",
    }),
  ),
  ads: Type.Optional(
    Type.Record(Type.String({ pattern: AD_ATTRIBUTE.source }), Type.String({ maxLength: 4096 }), {
      ...{ ...strict, maxProperties: 200 },
      description: "Attributes of its ads as ClassAd expressions; they replace observed values",
    }),
  ),
  publish: Type.Optional(
    Type.Enum([...PUBLICATIONS], {
      description:
        "What users see of it; aggregates: totals and ranges, but no single partition, node or job of " +
        "others; absent: all",
    }),
  ),
  streams: Type.Optional(
    Type.Object(
      {
        inboundBytesPerSec: amount("Bandwidth for the data of all streams"),
        storageBytes: amount("Storage for the data of all streams"),
        directory: absolutePath(
          "Where the data are kept: on a file system that the broker and the nodes share",
        ),
        program: Type.Optional(absolutePath("Stint's program on the nodes; absent: that of the broker")),
        classes: Type.Optional(
          Type.Array(procsClass, {
            ...{ minItems: 1, maxItems: 100 },
            description: "Classes of processors, on each of which streams are tried; absent: all are alike",
          }),
        ),
      },
      { ...strict, description: "Resources that streams may use; absent: the site accepts no streams" },
    ),
  ),
};
