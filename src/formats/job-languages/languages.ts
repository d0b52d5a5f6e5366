/**
 * The languages of job descriptions: their names, and the readers of those that are read.
 *
 * A new reader is a folder beside `job-yaml/`, a line here, and its marks in `recognise.ts`. Readers are
 * loaded when a text of their language is read.
 */
import type { ReadJobs } from "../job-reading/index.ts";
import type { JobLanguage } from "./recognise.ts";

interface Language {
  /** Name in messages. */
  readonly name: string;
  /** True for workflows, which `formats/workflow` reads for plans. */
  readonly isWorkflow?: true;
  /** Loads the reader of jobs; absent where the language is not read as jobs. */
  readonly load?: () => Promise<ReadJobs>;
}

/** Every language that is recognised. */
export const LANGUAGES: Readonly<Record<JobLanguage, Language>> = {
  yaml: { name: "YAML", load: async () => (await import("../job-yaml/index.ts")).readJobYaml },
  jdl: { name: "JDL", load: async () => (await import("../jdl/index.ts")).readJobJdl },
  dax: { name: "Pegasus DAX", isWorkflow: true },
  jsdl: { name: "JSDL", load: async () => (await import("../jsdl/index.ts")).readJsdl },
  xml: { name: "XML" },
  wfformat: { name: "WfFormat", isWorkflow: true },
  pegasusYaml: { name: "Pegasus YAML", isWorkflow: true },
  psplib: { name: "a PSPLIB project", isWorkflow: true },
  workflowYaml: { name: "YAML with tasks", isWorkflow: true },
  stream: { name: "a stream" },
  dagman: { name: "DAGMan files", load: async () => (await import("../dagman/index.ts")).readDagman },
  condorSubmit: {
    name: "HTCondor submit files",
    load: async () => (await import("../condor-submit/index.ts")).readCondorSubmit,
  },
  batchScript: {
    name: "batch scripts (#SBATCH, #PBS, #$, #BSUB, # @)",
    load: async () => (await import("../batch-script/index.ts")).readBatchScript,
  },
  script: { name: "a script" },
  rsl: { name: "RSL", load: async () => (await import("../rsl/index.ts")).readRsl },
};

/** Names of the languages that are read: `YAML, JDL or RSL`. */
export function readLanguages(): string {
  const names = Object.values(LANGUAGES).flatMap(({ name, load }) => (load === undefined ? [] : name));
  return names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
