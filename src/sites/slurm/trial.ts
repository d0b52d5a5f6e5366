/**
 * A cluster that is tried out.
 */
import type { SlurmSiteSpec } from "../../model/index.ts";
import type { RunCommand } from "./run-command.ts";

/** What is tried, and where. */
export interface Trial {
  readonly spec: SlurmSiteSpec;
  readonly run: RunCommand;
  readonly nowMs: () => number;
}
