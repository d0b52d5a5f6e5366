/** Words of a job about files of the replica catalogue that it reads, and the store of those it writes. */
import { LOGICAL_NAME, PROTOCOL, RESOURCE_NAME } from "../../model/index.ts";
import { list, text } from "./shape.ts";

export const inputDataFields = {
  inputData: list(
    text({
      pattern: LOGICAL_NAME.replace("^", "^(lfn:)?"),
      mismatch: {
        code: "badLogicalName",
        noun: "logical name of a file",
        why: "it is /VO/GROUP/…/NAME, with letters, digits and . _ + = @ - between the slashes",
        remedy: "write a name as `stint replica list` shows it, for instance /cms/run7/hits.root",
      },
    }),
    {
      description:
        "Files that it reads, by their logical names in the replica catalogue (stint replica). The time of " +
        "their transfer counts in the choice of its site.",
      ...{ orOne: true, examples: ["[/cms/run7/hits.root]"] },
    },
  ),
  dataAccessProtocol: list(
    text({
      pattern: PROTOCOL,
      mismatch: {
        code: "badProtocol",
        noun: "protocol",
        why: "it is the scheme of an address, without a colon",
        remedy: "write for instance gsiftp, https or file",
      },
    }),
    {
      description:
        "Protocols by which it can read them: only copies with such addresses count. Any without it.",
      ...{ orOne: true, examples: ["[gsiftp, https]"] },
    },
  ),
  outputSE: text({
    description: "A store (storage element): only sites that have one of this name are considered.",
    ...{ pattern: RESOURCE_NAME.source, examples: ["disk"] },
    mismatch: {
      code: "badStore",
      noun: "name of a store",
      why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
      remedy: "write a store that `stint site show` has in GlueCESEBindGroupSEUniqueID",
    },
  }),
};
