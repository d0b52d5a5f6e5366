/** A process that archives the log in the directory named, and kills itself behind the step named. */
import { join } from "node:path";
import { archiveEvents, openSqliteLogbook } from "../dist/store/index.js";

const [directory = "", step = ""] = process.argv.slice(2);
const logbook = await openSqliteLogbook({ directory: join(directory, "log"), views: [] });
const removing = {
  ...logbook,
  /** @param {import("../src/runtime/index.ts").ArchivedStretch} stretch */
  async removeArchived(stretch) {
    // A part of the events is gone, and the rest is not: the process ends in the middle.
    if (step === "removing") setImmediate(() => process.kill(process.pid, "SIGKILL"));
    await logbook.removeArchived(stretch);
  },
};
await archiveEvents(removing, {
  beforeMs: Number.MAX_SAFE_INTEGER,
  directory: join(directory, "archive"),
  onStep: (done) => {
    if (done === step) process.kill(process.pid, "SIGKILL");
  },
});
await logbook.close();
