/**
 * The program beside every job: `node wrapper.js JOB-DIRECTORY SPOOL-FILE`.
 *
 * A process of its own, in its own session, so that neither the broker's end nor a signal to the broker
 * reaches the job. It starts as fast as Node does (45 ms), since it loads nothing but Node's own modules,
 * and shares its code with its like (12 MB of its own). It ends when its last report is on the disk.
 *
 * TERM, INT and HUP are not for it: when the machine goes down, they end the job, and it tells of that.
 */
import { insist } from "./insist.ts";
import { claimAttempt, readOrder, WAKE_SIGNAL } from "./job-files.ts";
import { placesIn } from "./places.ts";
import { bootMark, identify } from "./process-identity.ts";
import { Supervisor } from "./supervisor.ts";

const [, , directory = "", spool = ""] = process.argv;
const places = placesIn(directory, spool);
const order = await insist("read the order", () => readOrder(places));
const self = await insist("find its own beginning", () => identify(process.pid));

if (order !== undefined && order.bootMark === bootMark() && self !== undefined) {
  process.umask(0o077);
  const supervisor = new Supervisor(order, places);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
  // Before the claim, for whoever finds the claim may wake us.
  process.on(WAKE_SIGNAL, () => supervisor.obey());
  const claim = { by: "wrapper", ...self } as const;
  if (await insist("claim the job", () => claimAttempt(places, claim))) await supervisor.start();
}
