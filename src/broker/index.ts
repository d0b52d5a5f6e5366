export { type Broker, startBroker } from "./broker.ts";
export type { Retention } from "./job-retention.ts";
export { runMail } from "./mail/run-mail.ts";
export type { BrokerParts, OpenSite } from "./parts.ts";
export { type Sandboxes, sandboxesIn } from "./sandbox.ts";
export type { SiteCare } from "./site-care.ts";
export {
  lastEventMs,
  steadyClock,
  systemClock,
  thisMachinesTime,
} from "./steady-clock.ts";
export { runSyslog } from "./syslog/run-syslog.ts";
export { runWebhooks } from "./webhooks/webhooks.ts";
