/** Scripts for Grid Engine: its directives may stand anywhere in the script. */
import type { Dialect } from "./dialect.ts";
import { GRID_ENGINE_OPTIONS } from "./grid-engine-options.ts";

/** `#$`. */
export const GRID_ENGINE: Dialect = {
  system: "Grid Engine",
  label: "#$",
  mark: /^#\$(?=[ \t]+-)/,
  endsAtCommand: false,
  style: "words",
  rows: GRID_ENGINE_OPTIONS,
  nameOption: "-N",
  usual: () => ({}),
  variables: ({ name, procs }, { submitDirectory, given }) => ({
    SGE_O_WORKDIR: submitDirectory,
    JOB_NAME: name,
    NSLOTS: String(procs),
    SGE_TASK_ID: given.has("-t") ? "" : "undefined",
  }),
};
