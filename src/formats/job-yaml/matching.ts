/** The attributes of a job about the choice of its site: ClassAd expressions, draws, retries. */
import { adOf, type PlainValue, unparse } from "../../classad/index.ts";
import { problemOfDescription, uselessRetry } from "../../match/index.ts";
import { type JobDescription, refusalText } from "../../model/index.ts";
import type { ReadJob } from "./attributes.ts";

/** @param others unknown attributes, as ClassAd texts */
export function readMatching(
  { said }: ReadJob,
  others: Readonly<Record<string, string>>,
): Partial<JobDescription> {
  const { fuzzyRank, expiryTime, inputData = [], dataAccessProtocol = [], outputData = [] } = said;
  const attributes = { ...others, ...said.attributes };
  return {
    ...(fuzzyRank === undefined ? {} : { fuzzyRank: drawOf(fuzzyRank) }),
    ...(dataAccessProtocol.length === 0 ? {} : { dataAccessProtocol: [...new Set(dataAccessProtocol)] }),
    ...(inputData.length === 0 ? {} : { inputData: [...new Set(inputData.map(withoutScheme))] }),
    ...(outputData.length === 0 ? {} : { outputData: outputData.map(namedPlainly) }),
    ...(expiryTime === undefined ? {} : { expiryTimeMs: expiryTime.atMs }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

/** `/cms/file` of `lfn:/cms/file`, as JDL writes logical names. */
function withoutScheme(name: string): string {
  return name.replace(/^lfn:/, "");
}

function namedPlainly<Output extends { readonly name?: string }>(output: Output): Output {
  return output.name === undefined ? output : { ...output, name: withoutScheme(output.name) };
}

function drawOf(text: string): number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return Number(text);
}

/** A plain value as a ClassAd expression. */
export function plainText(value: unknown): string {
  const node = adOf({ value: value as PlainValue }).attributes.get("value")?.node;
  return node === undefined ? "undefined" : unparse(node);
}

/** Reports expressions that cannot be read, requirements that no site can fulfil, retries without effect. */
export function judgeMatching({ said, notes, at }: ReadJob, description: JobDescription): void {
  const useless = uselessRetry(description);
  if (useless !== undefined) {
    notes.problem(at(said, useless.attribute), { code: useless.kind, ...refusalText(useless) });
  }
  const problem = problemOfDescription({ description, consumer: "vo", owner: "" });
  if (problem === undefined) return;
  const word = "attribute" in problem ? problem.attribute : "requirements";
  const place = Object.hasOwn(said, word) ? at(said, word) : at(said.attributes ?? said, word);
  notes.problem(place, { code: problem.kind, ...refusalText(problem) });
}
