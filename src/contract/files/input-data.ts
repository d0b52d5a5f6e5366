/** Words of a job about files of the replica catalogue that it reads, and the store of those it writes. */
import { LOGICAL_NAME, OUTPUT_FILE, PROTOCOL, RESOURCE_NAME } from "../../model/index.ts";
import { list, mapping, text } from "./shape.ts";

const logicalName = text({
  pattern: LOGICAL_NAME.replace("^", "^(lfn:)?"),
  mismatch: {
    code: "badLogicalName",
    noun: "logical name of a file",
    why: "it is /VO/GROUP/…/NAME, with letters, digits and . _ + = @ - between the slashes",
    remedy: "write a name as `stint replica list` shows it, for instance /cms/run7/hits.root",
  },
});
const storeName = text({
  ...{ pattern: RESOURCE_NAME.source, examples: ["disk"] },
  mismatch: {
    code: "badStore",
    noun: "name of a store",
    why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
    remedy: "write a store that `stint site show` has in GlueCESEBindGroupSEUniqueID",
  },
});

/** A file that a job leaves in a store. */
export const outputDatum = mapping(
  {
    file: text({
      ...{
        description: "Path of the file in the job's directory.",
        pattern: OUTPUT_FILE,
        examples: ["hits.root"],
      },
      mismatch: {
        code: "badOutputFile",
        noun: "path of a file in the job's directory",
        why: "it is relative, without .. and without patterns",
        remedy: "write for instance results/hits.root",
      },
    }),
    name: {
      ...logicalName,
      description: "Logical name of the file; by default built from the consumer, the job's id and the path.",
      examples: ["/cms/run8/hits.root"],
    },
    store: {
      ...storeName,
      description: "The store; absent: outputSE, or else the first store of the site that accepts files.",
    },
  },
  { required: { file: "it is what is kept" } },
);

export const inputDataFields = {
  inputData: list(logicalName, {
    description:
      "Input files, by their logical names in the replica catalogue (stint replica). The time of " +
      "their transfer counts in the choice of its site.",
    ...{ orOne: true, examples: ["[/cms/run7/hits.root]"] },
  }),
  dataAccessProtocol: list(
    text({
      pattern: PROTOCOL,
      mismatch: {
        code: "badProtocol",
        noun: "protocol",
        why: "it must be the scheme of an address, without the colon",
        remedy: "write for instance gsiftp, https or file",
      },
    }),
    {
      description:
        "Protocols by which it can read its input data: only copies with such addresses count. By " +
        "default all.",
      ...{ orOne: true, examples: ["[gsiftp, https]"] },
    },
  ),
  outputSE: {
    ...storeName,
    description: "A store (storage element): only sites that have one of this name are considered.",
  },
  outputData: list(outputDatum, {
    description:
      "Files that are copied into a store of the job's site if it succeeds, and registered in the replica " +
      "catalogue. Its site must have such a store.",
    ...{ orOne: true, examples: ["[{ file: hits.root, name: /cms/run8/hits.root, store: disk }]"] },
  }),
};
