/**
 * The program beside every job: `node wrapper.js JOB-DIRECTORY SPOOL-FILE`.
 *
 * A process in its own session, so that neither the broker's end nor a signal to the broker reaches the
 * job. It loads only Node's own modules: it starts in 45 ms and needs 12 MB of its own. It ends when its
 * last report is on the disk.
 *
 * TERM, INT and HUP are ignored: at a shutdown of the machine they end the job, and the wrapper reports
 * that.
 */

import { claimAttempt, readOrder, WAKE_SIGNAL } from "./job-files.ts";
import { placesIn } from "./places.ts";
import { bootMark, identify } from "./process-identity.ts";
import { retryWhileShort } from "./retry-shortage.ts";
import { Supervisor } from "./supervisor.ts";

const [, , directory = "", spool = ""] = process.argv;
const places = placesIn(directory, spool);
const order = await retryWhileShort("read the order", () => readOrder(places));
const self = await retryWhileShort("read its own start time", () => identify(process.pid));

if (order !== undefined && order.bootMark === bootMark() && self !== undefined) {
  process.umask(0o077);
  const supervisor = new Supervisor(order, places);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
  // Before the claim, for whoever finds the claim may wake us.
  process.on(WAKE_SIGNAL, () => supervisor.obey());
  const claim = { by: "wrapper", ...self } as const;
  if (await retryWhileShort("claim the job", () => claimAttempt(places, claim))) await supervisor.start();
}
