/**
 * The watchdog of one site as a process of its own: `node watchdog-main.js DIRECTORY ID`. It has no parent to
 * ask and nobody to tell; it outlives a broker that is killed.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { letGoIn } from "./let-go.ts";
import { slurmRunner } from "./open-site.ts";
import { watchOver } from "./watch-over.ts";

const [directory = "", id = ""] = process.argv.slice(2);
await watchOver(directory, id, {
  nowMs: () => performance.now(),
  wait: (ms) => delay(ms),
  letGo: (order) => letGoIn(directory, order, slurmRunner(order.spec, directory)),
});
