/** Data staging: files of this machine go along, results are kept for `stint output`. */
import { basename } from "node:path";
import { notTranslated, type Outcome, sentFiles, sets, wrong } from "../job-draft/index.ts";
import type { JobSurroundings } from "../job-reading/index.ts";
import type { XmlElement } from "../xml/index.ts";

/** Outcomes of one staged file, in or out or both. */
export function staged(element: XmlElement, surroundings: JobSurroundings): Outcome | readonly Outcome[] {
  const name = inner(element, "FileName")?.text.trim() ?? "";
  if (basename(name) === "" || name === "." || name === "..") {
    return wrong("it has no FileName", "write <FileName>data.txt</FileName>");
  }
  const source = inner(element, "Source");
  const target = inner(element, "Target");
  const outcomes: Outcome[] = [];
  if (source !== undefined) outcomes.push(stagedIn(name, addressOf(source), surroundings));
  if (target !== undefined)
    outcomes.push(sets({ outputSandbox: [basename(name)] }, "stint output brings it"));
  return outcomes.length === 0 ? notTranslated("it has neither source nor target") : outcomes;
}

function stagedIn(name: string, address: string, surroundings: JobSurroundings): Outcome {
  const path = address.replace(/^file:\/\/(localhost)?(?=\/)/, "");
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) {
    return notTranslated("only files of this machine are sent with the job: let the job fetch others");
  }
  if (basename(path) !== basename(name)) return notTranslated("a file that goes along keeps its name");
  const sent = sentFiles(path, surroundings);
  return "outcome" in sent ? sent.outcome : sets({ inputSandbox: sent.paths });
}

function addressOf(element: XmlElement): string {
  return inner(element, "URI")?.text.trim() ?? "";
}

function inner({ elements }: XmlElement, name: string): XmlElement | undefined {
  return elements.find((one) => one.name === name);
}
