export { type Broker, startBroker } from "./broker.ts";
export type { BrokerParts, OpenSite } from "./parts.ts";
export { type Sandboxes, sandboxesIn } from "./sandbox.ts";
export { systemClock } from "./system-clock.ts";
