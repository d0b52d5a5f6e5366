/** Reads JSDL 1.0: a `JobDescription` is a job. */
import { echoText } from "../echo-text.ts";
import { beginAccount, beginJob, type JobDraft, noEffect, notTranslated } from "../job-draft/index.ts";
import type { DescribedJob, JobReading, JobSurroundings } from "../job-reading/index.ts";
import { readElements, type XmlElement } from "../xml/index.ts";
import type { Words } from "../yaml/index.ts";
import { TERMS } from "./terms.ts";

/** Reads a text; never throws on its content. */
export function readJsdl(text: string, surroundings: JobSurroundings): JobReading {
  const account = beginAccount(text);
  const root = readElements(text);
  if ("why" in root) {
    account.notes.problem(root.at, { ...noXml, why: root.why });
    return account.reading([]);
  }
  const found = root.elements.filter(({ name }) => name === "JobDescription");
  const descriptions = root.name === "JobDescription" ? [root] : found;
  if (descriptions.length === 0) account.notes.problem(root.at, noDescription);
  const jobs: DescribedJob[] = [];
  for (const description of descriptions) {
    const draft = beginJob(account);
    for (const element of description.elements) take(element, "", { draft, surroundings });
    const job = draft.finished({ at: description.at, usual: {} });
    if (job !== undefined) jobs.push(job);
  }
  return account.reading(account.notes.problemCount() === 0 ? jobs : []);
}

/** True for an element whose elements have meanings. */
function isGroup(path: string): boolean {
  return [...TERMS.keys()].some((known) => known.startsWith(`${path}/`));
}

interface Frame {
  readonly draft: JobDraft;
  readonly surroundings: JobSurroundings;
}

/** Takes an element with a meaning of its own; else what is in it. */
function take(element: XmlElement, above: string, frame: Frame): void {
  const { draft, surroundings } = frame;
  const path = above === "" ? element.name : `${above}/${element.name}`;
  const directive = { at: element.at, written: writtenOf(element) };
  const read = TERMS.get(path);
  if (read !== undefined) {
    draft.take(directive, read(element, { surroundings, before: draft.said().arguments ?? [] }));
  } else if (element.elements.length > 0) {
    for (const one of element.elements) take(one, path, frame);
  } else if (isGroup(path)) draft.take(directive, noEffect("it is empty"));
  else
    draft.take(directive, notTranslated(`${echoText(element.name)} is not an element that Stint knows here`));
}

/** The element in short: `<Exact>4</Exact>` of a range is in its text. */
function writtenOf(element: XmlElement): string {
  const inner = [element, ...element.elements].map(({ text }) => text.trim()).filter((text) => text !== "");
  return `<${element.name}>${inner.length === 0 ? "" : ` ${inner.join(" ")}`}`;
}

const noXml: Words = {
  code: "xmlSyntax",
  what: "this is not the XML of a job",
  why: "",
  remedy: "correct it; every element is closed, and < in a text is written &lt;",
};

const noDescription: Words = {
  code: "descriptionEmpty",
  what: "there is no job in it",
  why: "it has no JobDescription",
  remedy: "write <JobDefinition><JobDescription>…</JobDescription></JobDefinition>",
};
