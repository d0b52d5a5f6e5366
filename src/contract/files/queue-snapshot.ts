/** A snapshot of a site's queue, as a user wrote it for `stint quote --snapshot`. */
import { DISCIPLINES } from "../../model/index.ts";
import { as, count, list, mapping, number, text, usually, word } from "./shape.ts";

/** A thousand years, so that sums of milliseconds stay exact. */
const MOST_SECONDS = 31_556_952_000;
const inMilliseconds = { most: MOST_SECONDS, perOne: 1000, isRounded: true, examples: ["3600"] } as const;
const whyNeeded = "a quote needs to know it";

const id = text({ defined: "id", examples: ['"17"'] });
const procs = count({ defined: "procs", least: 1, most: 100_000_000, examples: ["64"] });
const instant = number({ defined: "instant", least: 0, noun: "a number of seconds", ...inMilliseconds });
const length = number({
  ...{ defined: "length", least: 0.001, noun: "a length of time in seconds" },
  ...inMilliseconds,
});
const needed = { id: whyNeeded, procs: whyNeeded } as const;

/** The shape of a snapshot. */
export const queueSnapshotShape = mapping(
  {
    nowSec: as("nowMs", instant),
    procs,
    discipline: word(DISCIPLINES, { examples: ["easy"] }),
    running: usually(
      [],
      list(
        mapping(
          { id, procs, endSec: as("endMs", { ...instant, description: "Its estimated end." }) },
          { isOpen: true, required: { ...needed, endSec: whyNeeded } },
        ),
      ),
    ),
    queued: usually(
      [],
      list(
        mapping(
          { id, procs, estimateSec: as("estimateMs", length) },
          { isOpen: true, required: { ...needed, estimateSec: whyNeeded } },
        ),
        { description: "Jobs in order of arrival." },
      ),
    ),
    reservations: usually(
      [],
      list(
        mapping(
          { id, procs, startSec: as("startMs", instant), durationSec: as("durationMs", length) },
          { isOpen: true, required: { ...needed, startSec: whyNeeded, durationSec: whyNeeded } },
        ),
      ),
    ),
  },
  {
    description:
      "The queue of a site at one instant, for stint quote --snapshot: one pool of processors. " +
      "Times are seconds on one clock, and may have fractions. Other keys are ignored. Running " +
      "jobs and reservations fit on the machine together, nothing needs more processors than it " +
      "has, and ids are unique in their list.",
    isOpen: true,
    required: { nowSec: whyNeeded, procs: whyNeeded, discipline: whyNeeded },
  },
);
