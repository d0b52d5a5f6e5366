/** Scripts for Slurm. */
import type { Dialect } from "./dialect.ts";
import { SLURM_OPTIONS } from "./slurm-options.ts";

/** `#SBATCH`: only at the beginning of a line, and before the first command. */
export const SLURM: Dialect = {
  system: "Slurm",
  label: "#SBATCH",
  mark: /^#SBATCH(?=\s|$)/,
  endsAtCommand: true,
  style: "getopt",
  rows: SLURM_OPTIONS,
  nameOption: "--job-name",
  // Slurm writes both streams to one file.
  usual: () => ({ stdError: "stdout" }),
  variables: ({ name, procs, procsPerTask, nodes }, { submitDirectory }) => ({
    SLURM_SUBMIT_DIR: submitDirectory,
    SLURM_JOB_NAME: name,
    SLURM_NTASKS: String(Math.floor(procs / (procsPerTask ?? 1))),
    ...(procsPerTask !== undefined && { SLURM_CPUS_PER_TASK: String(procsPerTask) }),
    ...(nodes !== undefined && { SLURM_JOB_NUM_NODES: String(nodes) }),
  }),
};
