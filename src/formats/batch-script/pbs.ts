/** Scripts for PBS and Moab. */
import type { Dialect } from "./dialect.ts";
import { PBS_OPTIONS } from "./pbs-options.ts";

/** `#PBS`, and `#MSUB` with the same options. */
export const PBS: Dialect = {
  system: "PBS",
  label: "#PBS",
  mark: /^#(?:PBS|MSUB)(?=\s|$)/,
  endsAtCommand: true,
  style: "getopt",
  rows: PBS_OPTIONS,
  nameOption: "-N",
  usual: () => ({}),
  variables: ({ name, procs, nodes }, { submitDirectory, given }) => ({
    PBS_O_WORKDIR: submitDirectory,
    PBS_JOBNAME: name,
    PBS_ENVIRONMENT: "PBS_BATCH",
    PBS_NP: String(procs),
    ...(nodes !== undefined && { PBS_NUM_NODES: String(nodes) }),
    ...(given.has("-t") && { PBS_ARRAYID: "" }),
    ...(given.has("-J") && { PBS_ARRAY_INDEX: "" }),
  }),
};
