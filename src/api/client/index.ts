export type * from "../../contract/index.ts";
export { createClient, type StintClient } from "./create-client.ts";
export type { BrokerPlace, ClientOptions, ReadOptions } from "./options.ts";
export { ProblemFault } from "./server-fault.ts";
