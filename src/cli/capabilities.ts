/** Capabilities that a program passes to its commands. */
import type { StintClient } from "../api/client/index.ts";
import type { Describe, Generate, QuoteSnapshot, RunScenario, Simulate, WhatIf } from "../model/index.ts";
import type { ArchiveTools } from "./archive.ts";
import type { BackUp, Restore } from "./backup.ts";
import type { CheckFile, ReadJobFile } from "./check.ts";
import type { ClassAdTools } from "./classad-tools.ts";
import type { ShowConfiguration } from "./config.ts";
import type { Demo } from "./demo.ts";
import type { Examine } from "./doctor.ts";
import type { StopBroker } from "./down.ts";
import type { LeftPauses } from "./pause.ts";
import type { PlanWorkflow } from "./plan-tools.ts";
import type { PolicyTools } from "./policy-tools.ts";
import type { VerifyTools } from "./policy-verify-tools.ts";
import type { RunSensor } from "./sensor.ts";
import type { ServiceWorld } from "./service.ts";
import type { SimulateStreams } from "./sim-streams.ts";
import type { ConnectSite } from "./site-connect.ts";
import type { TestAdapter } from "./site-test.ts";
import type { RunStreamWrapper } from "./stream-wrapper.ts";
import type { Up } from "./up.ts";
import type { WriteUsageReport } from "./usage.ts";

/** Capabilities of the program, each loaded when it is first used. */
export interface Capabilities {
  readonly simulate: () => Promise<Simulate>;
  readonly generate: () => Promise<Generate>;
  readonly describe: () => Promise<Describe>;
  readonly scenario: () => Promise<RunScenario>;
  readonly whatIf: () => Promise<WhatIf>;
  /** Absent where this program simulates no streams. */
  readonly simulateStreams?: () => Promise<SimulateStreams>;
  readonly quote: () => Promise<QuoteSnapshot>;
  readonly readJobFile: () => Promise<ReadJobFile>;
  readonly checkFile: () => Promise<CheckFile>;
  readonly policies: () => Promise<PolicyTools>;
  /** Absent where this program cannot read logs and accountings. */
  readonly verify?: () => Promise<VerifyTools>;
  /** Absent where this program cannot look at the host. */
  readonly sensor?: () => Promise<RunSensor>;
  /** Absent where this program pulls no streams. */
  readonly streamWrapper?: () => Promise<RunStreamWrapper>;
  /** Absent where this program writes no pages. */
  readonly usageReport?: () => Promise<WriteUsageReport>;
  /** Absent where this program does not know the ClassAd language. */
  readonly classAds?: () => Promise<ClassAdTools>;
  /** Absent where this program plans no workflows. */
  readonly planWorkflow?: () => Promise<PlanWorkflow>;
  /** Opens a client of the broker; closed when the command has ended. */
  readonly client: () => Promise<StintClient>;
  /** Absent where this program opens no connections for a broker. */
  readonly connectSite?: () => Promise<ConnectSite>;
  /** Absent where this program starts no adapters. */
  readonly testAdapter?: () => Promise<TestAdapter>;
  /** Absent where the state directory of a broker cannot hold pause requests. */
  readonly leftPauses?: () => Promise<LeftPauses>;
  /** Absent where this program cannot start a broker; then there is no `stint up`. */
  readonly up?: () => Promise<Up>;
  /** Absent where this program has no state directory to back up. */
  readonly backUp?: () => Promise<BackUp>;
  /** Absent where this program has no state directory to restore into. */
  readonly restore?: () => Promise<Restore>;
  /** Absent where this program has no state directory with a log. */
  readonly archives?: () => Promise<ArchiveTools>;
  /** Absent where this program cannot see whether a broker has ended. */
  readonly down?: () => Promise<StopBroker>;
  /** Absent where this program cannot start a broker and replay a trace. */
  readonly demo?: () => Promise<Demo>;
  /** Absent where this program has no state directory to check. */
  readonly doctor?: () => Promise<Examine>;
  /** Absent where this program cannot be run as a service. */
  readonly service?: () => Promise<ServiceWorld>;
  /** Absent where this program has no configuration. */
  readonly config?: () => Promise<ShowConfiguration>;
}
