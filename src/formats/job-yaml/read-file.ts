/**
 * Reads the job descriptions of a file, whatever language they are in (rule FO-21).
 */
import { dirname } from "node:path";
import { expandInput } from "../input-files/index.ts";
import { fileState, readBounded, type Surroundings, textOfBytes, type Words } from "../yaml/index.ts";
import { type JobReading, readJobYaml } from "./read.ts";

/** Reads a file; its paths are relative to its folder. An unreadable file is a problem. */
export async function readJobFile(file: string): Promise<JobReading> {
  const bytes = await readBounded(file);
  return bytes.ok ? readJobBytes(bytes.value, dirname(file)) : onlyProblem(bytes.refusal);
}

/** Reads bytes of a file, stdin or a request; paths are relative to `folder`. */
export function readJobBytes(bytes: Uint8Array, folder: string): JobReading {
  const text = textOfBytes(bytes);
  return text.ok ? readJobText(text.value, { folder, fileState, expandInput }) : onlyProblem(text.refusal);
}

/** Reads a text in whatever language it is. */
export function readJobText(text: string, surroundings: Surroundings): JobReading {
  const language = recogniseJobLanguage(text);
  return language === "yaml" ? readJobYaml(text, surroundings) : onlyProblem(notReadYet(language));
}

function onlyProblem(problem: Words): JobReading {
  return { jobs: [], warnings: [], problems: [problem] };
}

function notReadYet(language: Exclude<JobLanguage, "yaml">): Words {
  return {
    code: "languageNotRead",
    what: `this looks like ${LANGUAGE_NAMES[language]}, which is not read yet`,
    why: "today job descriptions are read in YAML",
    remedy:
      language === "script" || language === "batchScript"
        ? "run it: stint submit SCRIPT ARGUMENTS…, the script as the first file and no description beside it"
        : "write it in YAML: executable:, arguments:, …; stint check --help shows one",
  };
}

// Tells from its content in which language a file describes jobs. Today YAML is read (JSON is YAML too).
// The others that Stint will read are recognised, so that nobody is told about YAML syntax in a file
// that never was YAML. A reader that comes enters here, and this file then moves up beside the rooms it
// chooses among.

type JobLanguage =
  | "yaml"
  | "jdl"
  | "dax"
  | "jsdl"
  | "xml"
  | "wfformat"
  | "dagman"
  | "condorSubmit"
  | "batchScript"
  | "script"
  | "rsl";

/** Names of the languages in messages. */
const LANGUAGE_NAMES: Readonly<Record<JobLanguage, string>> = {
  yaml: "YAML",
  jdl: "JDL",
  dax: "DAX (a workflow in XML)",
  jsdl: "JSDL (a job in XML)",
  xml: "XML",
  wfformat: "WfFormat (a workflow in JSON)",
  dagman: "a DAGMan file",
  condorSubmit: "an HTCondor submit file",
  batchScript: "a batch script (#SBATCH, #PBS or #$ lines)",
  script: "a script",
  rsl: "RSL",
};

/** The language of `text`; what is none of the others counts as YAML. */
export function recogniseJobLanguage(text: string): JobLanguage {
  if (text.startsWith("#!")) {
    return /^#(SBATCH|PBS|\$)[ \t]/m.test(text) ? "batchScript" : "script";
  }
  const body = withoutComments(text);
  if (body.startsWith("<")) return xmlLanguage(body);
  if (body.startsWith("[")) return "jdl";
  if (/^[&+|]\s*\(/.test(body)) return "rsl";
  if (body.startsWith("{")) return /"workflow"\s*:/.test(body) ? "wfformat" : "yaml";
  if (dagmanLine.test(firstLine(body))) return "dagman";
  // `name = value`: of JDL with its outer brackets left out, or of HTCondor, which ends in `queue`.
  if (/^\+?[A-Za-z_][\w.]*[ \t]*=[^=]/.test(body)) {
    return /^[ \t]*queue\b/im.test(body) ? "condorSubmit" : "jdl";
  }
  return "yaml";
}

const dagmanLine = /^(job|parent|config|final|splice|subdag|dot)[ \t]+[^\s:]+([ \t]|$)/i;

function xmlLanguage(body: string): JobLanguage {
  if (/<([\w.-]+:)?adag\b/.test(body)) return "dax";
  return /<([\w.-]+:)?JobDefinition\b/.test(body) ? "jsdl" : "xml";
}

/** From the first character on that is neither blank nor part of a comment of any of these languages. */
function withoutComments(text: string): string {
  const comment = /(?:\s+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)/y;
  let end = 0;
  while (comment.test(text)) end = comment.lastIndex;
  return text.slice(end);
}

function firstLine(body: string): string {
  return body.slice(0, 1000).split("\n", 1)[0];
}
