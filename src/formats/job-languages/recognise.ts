/**
 * The language of a job description, recognised by its content (rule FO-21).
 *
 * Languages without a reader are recognised too, so that nobody is told about YAML syntax in a file that
 * never was YAML.
 */

/** Languages in which jobs, workflows and streams are described. */
export type JobLanguage =
  | "yaml"
  | "jdl"
  | "dax"
  | "jsdl"
  | "xml"
  | "wfformat"
  | "pegasusYaml"
  | "psplib"
  | "workflowYaml"
  | "stream"
  | "dagman"
  | "condorSubmit"
  | "batchScript"
  | "script"
  | "rsl";

/** The language of `text`; what is none of the others counts as YAML (as JSON does). */
export function recogniseJobLanguage(text: string): JobLanguage {
  if (isBatchScript(text)) return "batchScript";
  if (text.startsWith("#!")) return "script";
  const body = withoutComments(text);
  if (body.startsWith("<")) return xmlLanguage(body);
  if (body.startsWith("[")) return "jdl";
  if (/^[&+|]\s*\(|^\(\*|^\(\s*[\w-]+\s*=/.test(body)) return "rsl";
  if (body.startsWith("{")) return bracedLanguage(body);
  if (/^PRECEDENCE RELATIONS:/m.test(body)) return "psplib";
  if (dagmanLine.test(firstLine(body))) return "dagman";
  // `name = value`: of JDL with its outer brackets left out, or of HTCondor, which ends in `queue`.
  if (/^\+?[A-Za-z_][\w.]*[ \t]*=[^=]|^(if|include)\b/i.test(body)) {
    return /^[ \t]*queue\b/im.test(body) ? "condorSubmit" : "jdl";
  }
  if (/^(x-)?pegasus[ \t]*:/m.test(body)) return "pegasusYaml";
  if (/^stream[ \t]*:[ \t]*(#.*|\{.*)?\r?$/m.test(body)) return "stream";
  return isWorkflowYaml(body) ? "workflowYaml" : "yaml";
}

/** True for YAML with the first words of a workflow at its top level, and no word of a job there. */
function isWorkflowYaml(body: string): boolean {
  return /^["']?(workflow|tasks)["']?[ \t]*:/m.test(body) && !/^["']?executable["']?[ \t]*:/im.test(body);
}

/** True for a script with directives of a batch system. */
export function isBatchScript(text: string): boolean {
  return text.startsWith("#!") ? directive.test(text) : /^#(SBATCH|PBS|MSUB|BSUB)[ \t]/.test(text);
}

// LoadLeveler's lines look like tags of documentation, and end in `queue`.
const directive = /^#(SBATCH|PBS|MSUB|BSUB)[ \t]|^#\$[ \t]+-|^#[ \t]*@[ \t]*queue[ \t]*\r?$/m;

const dagmanWord = "job|parent|config|final|splice|subdag|dot|include|vars|retry|script";
const dagmanLine = new RegExp(`^((${dagmanWord})[ \\t]+[^\\s:=]+([ \\t]|$)|submit-description[ \\t])`, "i");

function xmlLanguage(body: string): JobLanguage {
  if (/<([\w.-]+:)?adag\b/.test(body)) return "dax";
  if (/^(<[?!][^>]*>\s*)*<([\w.-]+:)?stream[\s>/]/.test(body)) return "stream";
  return /<([\w.-]+:)?JobDefinition\b/.test(body) ? "jsdl" : "xml";
}

/** The language of a text in braces: JSON, or YAML in its form with braces. */
function bracedLanguage(body: string): JobLanguage {
  if (/"workflow"\s*:\s*\{/.test(body)) return "wfformat";
  const isWorkflow = /"tasks"\s*:\s*\[/.test(body) || /^\{\s*["']?(workflow|tasks)["']?\s*:/.test(body);
  return isWorkflow && !/"executable"\s*:/i.test(body) ? "workflowYaml" : "yaml";
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
