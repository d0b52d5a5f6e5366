/** Scripts for LSF. */
import type { Dialect } from "./dialect.ts";
import { LSF_OPTIONS } from "./lsf-options.ts";

/** `#BSUB`. */
export const LSF: Dialect = {
  system: "LSF",
  label: "#BSUB",
  mark: /^#BSUB(?=\s|$)/,
  endsAtCommand: false,
  style: "words",
  rows: LSF_OPTIONS,
  nameOption: "-J",
  // LSF writes both streams to one file.
  usual: ({ given }) => (given.has("-e") || given.has("-eo") ? {} : { stdError: "stdout" }),
  variables: ({ name, procs }, { submitDirectory, given }) => ({
    LS_SUBCWD: submitDirectory,
    LSB_JOBNAME: name,
    LSB_DJOB_NUMPROC: String(procs),
    LSB_JOBINDEX: (given.get("-J") ?? "").includes("[") ? "" : "0",
  }),
};
