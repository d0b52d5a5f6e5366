/** Wires `stint sensor`: the name of this host, and the folder of waiting readings. */
import { hostname } from "node:os";
import { join } from "node:path";
import { Fault } from "../base/index.ts";
import type { RunSensor } from "../cli/index.ts";
import { runSensor } from "../sites/host/index.ts";
import { findStateDirectory } from "./settings.ts";

/** Longest interval of readings, in ms: beyond it they form no series. */
const LONGEST_MS = 300_000;
const SHORTEST_MS = 1000;

/** Runs a sensor on this host. @throws Fault */
export const sensor: RunSensor = async (order, surroundings) => {
  const { site, host = hostname(), everyMs, isOnce } = order;
  if (process.platform !== "linux") throw notHere();
  if (everyMs < SHORTEST_MS || everyMs > LONGEST_MS) throw wrongPace();
  const spool = order.spool ?? join(await findStateDirectory(process.env), "sensor", site);
  if (!isOnce) surroundings.tell(`reading what jobs use on ${host} of ${site}; Ctrl-C ends it`);
  await runSensor({ site, host, everyMs, isOnce, spool }, surroundings);
};

function notHere(): Fault {
  return new Fault({
    kind: "failed",
    code: "noProcesses",
    what: "the processes of this host cannot be read",
    why: `the sensor reads /proc of Linux, and this is ${process.platform}`,
    remedy: "run it on hosts that run jobs",
  });
}

function wrongPace(): Fault {
  return new Fault({
    kind: "badInput",
    code: "paceWrong",
    what: "--every is not a valid interval between readings of hosts",
    why: "the interval between readings must be one second to five minutes",
    remedy: "omit it for the default of ten seconds, or write for instance --every 30s",
  });
}
