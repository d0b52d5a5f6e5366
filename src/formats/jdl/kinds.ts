/** `Type` and `JobType`: what an ad describes. */
import { nearestWord } from "../../base/index.ts";
import type { JobDescription } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { attributeIn, type JdlAd, type JdlAttribute } from "./jdl-ad.ts";
import type { JdlText } from "./jdl-text.ts";

/** Kind of description in an ad. */
export interface JdlKind {
  readonly type: "job" | "dag" | "collection";
  /** Job types in lower case; `normal` is left out. */
  readonly jobTypes: ReadonlySet<string>;
  /** Offset of what says so, for remarks. */
  readonly at: number;
}

const TYPES = ["Job", "DAG", "Collection"];
const JOB_TYPES = ["Normal", "MPICH", "Parametric", "Interactive", "Checkpointable", "Partitionable"];
/** Job types that are recognised, and refused by their names. */
const LATER = ["Multiple"];

/** The kind of an ad; unknown ones are problems. */
export function kindOf(ad: JdlAd, source: JdlText): JdlKind {
  const type = attributeIn(ad, "Type");
  const jobType = attributeIn(ad, "JobType");
  const jobTypes = new Set(wordsOf(jobType));
  const [said = "job"] = wordsOf(type);
  // `JobType = "DAG"` is read as Type.
  const compound = ["dag", "collection"].find((one) => jobTypes.delete(one) || said === one);
  if (type !== undefined && !isOneOf(said, TYPES)) {
    source.notes.problem(type.at, unknownWord(type, said, TYPES));
  }
  for (const word of jobTypes) {
    if (jobType === undefined) break;
    if (isOneOf(word, LATER)) source.notes.problem(jobType.at, notRun(word));
    else if (!isOneOf(word, JOB_TYPES)) {
      source.notes.problem(jobType.at, unknownWord(jobType, word, [...JOB_TYPES, ...LATER]));
    }
  }
  jobTypes.delete("normal");
  return {
    type: compound === "dag" || compound === "collection" ? compound : "job",
    jobTypes,
    at: type?.at ?? jobType?.at ?? ad.at,
  };
}

/** Meaning of the job types of an ad. */
export function saidByType(ad: JdlAd): Pick<JobDescription, "interactive" | "checkpointable"> {
  const words = wordsOf(attributeIn(ad, "JobType"));
  return {
    ...(words.includes("interactive") ? { interactive: true } : {}),
    ...(words.includes("checkpointable") ? { checkpointable: true } : {}),
  };
}

/** Texts of an attribute in lower case; one of another type is reported where its row is read. */
function wordsOf(attribute: JdlAttribute | undefined): readonly string[] {
  const value = attribute?.value();
  const items = value?.kind === "list" ? value.items : [value];
  return items.flatMap((item) => (item?.kind === "string" ? [item.value.toLowerCase()] : []));
}

function isOneOf(word: string, words: readonly string[]): boolean {
  return words.some((one) => one.toLowerCase() === word);
}

function notRun(word: string) {
  const name = LATER.find((one) => one.toLowerCase() === word) ?? word;
  return {
    code: "jobTypeNotRun",
    what: `${name} jobs are not run yet`,
    why: `this version runs the job types ${JOB_TYPES.join(", ")}`,
    remedy: 'write JobType = "Normal" if it can run as such, or wait for a version that runs it',
  };
}

function unknownWord({ name }: JdlAttribute, word: string, words: readonly string[]) {
  const nearest = nearestWord(word, words);
  return {
    code: "wordUnknown",
    what: `${name}: ${echoText(word)} is not known`,
    why: `it is one of ${words.join(", ")}`,
    remedy: nearest === undefined ? "write one of these" : `did you mean "${nearest}"?`,
  };
}
