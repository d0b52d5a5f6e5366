export { Fault, type FaultKind } from "../../base/index.ts";
export type * from "../../contract/index.ts";
export type { CallOptions, OperationId, Operations } from "../operations.ts";
export type { Call } from "./call.ts";
export { createClient, type StintClient } from "./create-client.ts";
export type { BrokerPlace, ClientOptions, ReadOptions } from "./options.ts";
export { ProblemFault } from "./server-fault.ts";
