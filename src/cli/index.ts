export type { BrokerPlace } from "../api/client/index.ts";
export type { ArchiveTools, VerifiedPart } from "./archive.ts";
export type { BackUp, Restore } from "./backup.ts";
export type { Capabilities } from "./capabilities.ts";
export type { CheckReading } from "./check.ts";
export type {
  ClassAdTools,
  ExpressionAnswer,
  ManyQuestion,
  MatchResult,
  ScriptAnswer,
  ShownValue,
  SideAnswer,
} from "./classad-tools.ts";
export type { ShowConfiguration, ShownSetting } from "./config.ts";
export type { Demo } from "./demo.ts";
export { disciplineComparison } from "./discipline-comparison.ts";
export type { Examination } from "./doctor.ts";
export type { StopBroker } from "./down.ts";
export type { Keyboard } from "./keyboard.ts";
export type { LeftPauses } from "./pause.ts";
export type { PlanAnswer, PlanHooks, PlanRequest } from "./plan-tools.ts";
export type {
  AdmissionQuestion,
  HoldingPolicies,
  HoldingQuestion,
  JudgedRequest,
  PolicySet,
  PolicyTools,
} from "./policy-tools.ts";
export type { RecheckRequest, Verified, VerifyRequest, VerifyTools } from "./policy-verify-tools.ts";
export { runProgram } from "./program.ts";
export { reachBroker } from "./reach-broker.ts";
export { problemFault } from "./remark-text.ts";
export type { RunSensor } from "./sensor.ts";
export type { ServiceWorld } from "./service.ts";
export type { ConnectSite } from "./site-connect.ts";
export type { EndRequest, Terminal } from "./terminal.ts";
export type { LogSettings, Up } from "./up.ts";
export type { UsageHistory, WriteUsageReport } from "./usage.ts";
export {
  agreedText,
  definitionsText,
  gapText,
  jobsText,
  percentText,
  stretchText,
  totalText,
  VERDICT_WORDS,
  verdictText,
} from "./verify-text.ts";
