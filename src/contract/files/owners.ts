/** Mapping of owners: from the users and groups of an accounting to consumer paths. */
import { mapping, names, text } from "./shape.ts";
import { CONSUMER_PATTERN, noConsumer } from "./texts.ts";

const owner = text({
  ...{ defined: "owner", pattern: CONSUMER_PATTERN, examples: ["cms/higgs/alice"] },
  mismatch: { ...noConsumer, code: "badName", remedy: "write for instance cms/higgs/alice" },
});

/** The shape of a mapping of owners. */
export const ownersShape = mapping(
  {
    users: names(owner, {
      description: "A user's own path.",
      examples: ["{ 12: cms/higgs/alice }"],
    }),
    groups: names(owner, {
      description: "Parent path of all other users of a group; user 12 then is cms/u12.",
      examples: ["{ 3: cms }"],
    }),
    others: { ...owner, description: "Parent path of all other users." },
  },
  {
    description:
      "Maps the users and groups of accounting data or of a workload to consumers: for stint " +
      "policy verify --owners, and for owners of a site in a scenario. Users and groups are " +
      "written as in the data.",
    examples: ["{ users: { 12: cms/higgs/alice }, groups: { 3: cms }, others: guests }"],
  },
);
