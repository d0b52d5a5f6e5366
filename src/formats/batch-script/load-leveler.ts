/** Scripts for LoadLeveler: `# @ keyword = value`, with a `queue` for each step. */
import type { Dialect } from "./dialect.ts";
import { LOAD_LEVELER_KEYWORDS } from "./load-leveler-keywords.ts";

/** `# @`, with any blanks between, before a keyword; a tag of documentation is none. */
export const LOAD_LEVELER: Dialect = {
  system: "LoadLeveler",
  label: "# @",
  mark: /^#[ \t]*@(?=[ \t]*(?:queue[ \t]*$|[A-Za-z_.]+[ \t]*=))/,
  endsAtCommand: false,
  style: "keyword",
  rows: LOAD_LEVELER_KEYWORDS,
  nameOption: "job_name",
  usual: () => ({}),
  variables: ({ name, procs }, { submitDirectory }) => ({
    LOADL_STEP_INITDIR: submitDirectory,
    LOADL_JOB_NAME: name,
    LOADL_TOTAL_TASKS: String(procs),
  }),
};
