/**
 * What a program can hand to its commands.
 */
import type { StintClient } from "../api/client/index.ts";
import type { Describe, Generate, QuoteSnapshot, RunScenario, Simulate, WhatIf } from "../model/index.ts";
import type { ReadJobFile } from "./check.ts";
import type { ClassAdTools } from "./classad-tools.ts";
import type { ShowConfiguration } from "./config.ts";
import type { Demo } from "./demo.ts";
import type { Examine } from "./doctor.ts";
import type { LeftPauses } from "./pause.ts";
import type { PolicyTools } from "./policy-tools.ts";
import type { VerifyTools } from "./policy-verify-tools.ts";
import type { RunSensor } from "./sensor.ts";
import type { ConnectSite } from "./site-connect.ts";
import type { Up } from "./up.ts";
import type { WriteUsageReport } from "./usage.ts";

/** What the program can do, each loaded when it is first used (rule CL-6). */
export interface Capabilities {
  readonly simulate: () => Promise<Simulate>;
  readonly generate: () => Promise<Generate>;
  readonly describe: () => Promise<Describe>;
  readonly scenario: () => Promise<RunScenario>;
  readonly whatIf: () => Promise<WhatIf>;
  readonly quote: () => Promise<QuoteSnapshot>;
  readonly readJobFile: () => Promise<ReadJobFile>;
  readonly policies: () => Promise<PolicyTools>;
  /** Absent where this program cannot read logs and accountings. */
  readonly verify?: () => Promise<VerifyTools>;
  /** Absent where this program cannot look at the host. */
  readonly sensor?: () => Promise<RunSensor>;
  /** Absent where this program writes no pages. */
  readonly usageReport?: () => Promise<WriteUsageReport>;
  /** Absent where this program does not know the ClassAd language. */
  readonly classAds?: () => Promise<ClassAdTools>;
  /** A way to the broker; closed when the command has ended. */
  readonly client: () => Promise<StintClient>;
  /** Absent where this program opens no connections for a broker. */
  readonly connectSite?: () => Promise<ConnectSite>;
  /** Absent where no broker of this program's own could be told later. */
  readonly leftPauses?: () => Promise<LeftPauses>;
  /** Absent where this program cannot start a broker; then there is no `stint up`. */
  readonly up?: () => Promise<Up>;
  /** Absent where this program cannot start a broker and replay a trace. */
  readonly demo?: () => Promise<Demo>;
  /** Absent where this program has no state of its own to look at. */
  readonly doctor?: () => Promise<Examine>;
  /** Absent where nothing of this program is configured. */
  readonly config?: () => Promise<ShowConfiguration>;
}
