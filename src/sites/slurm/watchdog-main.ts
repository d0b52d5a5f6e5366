/**
 * The watchdog of one site as a process of its own: `node watchdog-main.js DIRECTORY ID`. It outlives a
 * broker that is killed.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { slurmRunner } from "./open-site.ts";
import { resumeSuspended } from "./resume-suspended.ts";
import { watchBroker } from "./watch-broker.ts";

const [directory = "", id = ""] = process.argv.slice(2);
await watchBroker(directory, id, {
  nowMs: () => performance.now(),
  wait: (ms) => delay(ms),
  resume: (order) => resumeSuspended(directory, order, slurmRunner(order.spec, directory)),
});
