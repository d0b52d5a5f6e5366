/** Input of a site's checks. */
import type { SlurmSiteSpec } from "../../model/index.ts";
import type { RunCommand } from "./run-command.ts";

/** A cluster under test. */
export interface Trial {
  readonly spec: SlurmSiteSpec;
  readonly run: RunCommand;
  readonly nowMs: () => number;
}
