/** The batch systems whose directives are read; of several in one script the first here counts. */
import type { Dialect } from "./dialect.ts";
import { GRID_ENGINE } from "./grid-engine.ts";
import { LOAD_LEVELER } from "./load-leveler.ts";
import { LSF } from "./lsf.ts";
import { PBS } from "./pbs.ts";
import { SLURM } from "./slurm.ts";

/** All of them. */
export const DIALECTS: readonly Dialect[] = [SLURM, PBS, GRID_ENGINE, LSF, LOAD_LEVELER];
