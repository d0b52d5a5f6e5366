/** Rules on combinations of attributes of a job, each from the JDL specification [WMS]. */
import type { Words } from "../yaml/index.ts";
import type { JdlText } from "./jdl-text.ts";
import type { TypedAttribute } from "./typed-value.ts";

type Typed = ReadonlyMap<string, TypedAttribute>;

/** Reports what does not fit together. */
export function judgeTogether(typed: Typed, source: JdlText): void {
  const { notes } = source;
  const problemAt = (name: string, words: Words): void => {
    const found = typed.get(name);
    if (found !== undefined) notes.problem(found.attribute.nameAt, words);
  };
  if (typed.has("InputData") && !typed.has("DataAccessProtocol")) problemAt("InputData", noProtocol);
  if (typed.has("WallTime") && typed.has("ReferenceTime")) problemAt("ReferenceTime", twoTimes);
  judgeUploads(typed, problemAt);
  judgeData(typed, problemAt);
}

function judgeUploads(typed: Typed, problemAt: (name: string, words: Words) => void): void {
  const targets = textsOf(typed.get("OutputSandboxDestURI"));
  if (!typed.has("OutputSandboxDestURI")) return;
  const sent = textsOf(typed.get("OutputSandbox"));
  if (targets.length !== sent.length) {
    problemAt("OutputSandboxDestURI", {
      code: "unequalLengths",
      what: `OutputSandboxDestURI has ${targets.length} items, and OutputSandbox ${sent.length}`,
      why: "each file needs exactly one target",
      remedy: "write as many targets as files, or OutputSandboxBaseDestURI for all of them",
    });
  }
  if (sent.some((name) => /[*?]/.test(name))) {
    problemAt("OutputSandboxDestURI", {
      code: "patternWithTarget",
      what: "OutputSandbox has a pattern",
      why: "a pattern may match many files, and each target is for one file",
      remedy: "name the files one by one, or write OutputSandboxBaseDestURI",
    });
  }
}

function judgeData(typed: Typed, problemAt: (name: string, words: Words) => void): void {
  for (const [name, needed] of [
    ["OutputData", ["OutputFile"]],
    ["DataRequirements", ["InputData", "DataCatalogType"]],
  ] as const) {
    const value = typed.get(name)?.value;
    if (value?.kind !== "ads") continue;
    for (const ad of value.ads) {
      const names = [...ad.keys()].map((key) => key.toLowerCase());
      const missing = needed.find((word) => !names.includes(word.toLowerCase()));
      if (missing !== undefined) problemAt(name, partMissing(name, missing));
    }
  }
}

function textsOf(attribute: TypedAttribute | undefined): readonly string[] {
  return attribute?.value.kind === "texts" ? attribute.value.items.map(({ text }) => text) : [];
}

const noProtocol: Words = {
  code: "wordMissing",
  what: "DataAccessProtocol is missing",
  why: "InputData needs it: it says how the program reads the files",
  remedy: 'write for instance DataAccessProtocol = "gsiftp", or {} for any',
};

const twoTimes: Words = {
  code: "wordsExclude",
  what: "WallTime and ReferenceTime are both given",
  why: "the first is a time at the site, the second is scaled by its speed, and a job has one limit",
  remedy: "keep one of them",
};

function partMissing(name: string, missing: string): Words {
  return {
    code: "wordMissing",
    what: `${name}: ${missing} is missing`,
    why: "it is mandatory in each entry",
    remedy: `write for instance ${name} = { [ ${missing} = "…" ] }`,
  };
}
