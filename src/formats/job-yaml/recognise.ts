/**
 * Tells from its content in which language a file describes jobs.
 *
 * Today YAML is read (JSON is YAML too). The others that Stint will read are recognised, so that nobody is
 * told about YAML syntax in a file that never was YAML. A reader that comes enters here, and this file
 * then moves up beside the rooms it chooses among.
 */

/** The languages that are told apart. */
export type JobLanguage =
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

/** How people call each. */
export const LANGUAGE_NAMES: Readonly<Record<JobLanguage, string>> = {
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
