export type { BrokerPlace } from "../api/client/index.ts";
export { disciplineComparison } from "./discipline-comparison.ts";
export type { Examination, Examine } from "./doctor.ts";
export { positiveInteger } from "./option-values.ts";
export { type Capabilities, runProgram } from "./program.ts";
export { reachBroker } from "./reach-broker.ts";
export { asFault, EXIT_CODES, faultText } from "./report-fault.ts";
export type { EndRequest, StreamName, Surface } from "./surface.ts";
export type { Up, UpRequest, UpSurroundings } from "./up.ts";
