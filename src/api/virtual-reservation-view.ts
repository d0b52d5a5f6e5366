/**
 * Virtual reservations as the API writes them.
 */

import { PROC_MS_PER_SU } from "../base/index.ts";
import type {
  VirtualReservationJobView,
  VirtualReservationPlanView,
  VirtualReservationSiteView,
} from "../contract/index.ts";
import { unfitText } from "../engine/index.ts";
import { countable } from "../market/index.ts";
import { hindranceText, idleMsOf, type JobRecord } from "../model/index.ts";
import type { VirtualReservationQuote } from "../runtime/index.ts";
import { factsView } from "./facts-view.ts";
import { isoInstant } from "./iso-instant.ts";
import { scoreView } from "./prospect-view.ts";

const MS_PER_S = 1000;

/** Virtual reservation of a job; null for any other job. */
export function virtualReservationJobView(record: JobRecord): VirtualReservationJobView | null {
  const { virtual, procs } = record.description;
  if (virtual === undefined) return null;
  const { startMs, durationMs, submitMs, probability, besides = null } = virtual;
  // A job that an older broker took may idle for more than can be counted.
  const idleProcMs = countable(idleMsOf(record, virtual) * procs);
  return {
    ...{ startAt: isoInstant(startMs), durationSec: durationMs / MS_PER_S, submitAt: isoInstant(submitMs) },
    ...{ probability, besides, idleSu: idleProcMs / PROC_MS_PER_SU, idleProcMs },
  };
}

/** Answer of a site. */
export function virtualReservationSiteView({
  unfit,
  hindrance,
  plan,
  ...same
}: VirtualReservationQuote): VirtualReservationSiteView {
  const { site, partition, takesJobs, trouble, noRecord } = same;
  return {
    ...{ site, partition, takesJobs, trouble, noRecord },
    refusal: unfit === null ? null : { ...factsView(unfit), text: unfitText(unfit, isoInstant) },
    hindrance: hindrance === null ? null : { ...factsView(hindrance), text: hindranceText(hindrance) },
    plan: plan === null ? null : planView(plan),
  };
}

function planView(plan: NonNullable<VirtualReservationQuote["plan"]>): VirtualReservationPlanView {
  const { submitMs, wallTimeMs, probability, mostIdleProcMs, source, score, hasBeenWrong } = plan;
  return {
    submitAt: isoInstant(submitMs),
    wallTimeSec: wallTimeMs / MS_PER_S,
    ...{ probability, mostIdleSu: mostIdleProcMs / PROC_MS_PER_SU, mostIdleProcMs, method: "history" },
    source: { level: source.level, waits: source.waits },
    score: scoreView(score),
    hasBeenWrong,
  };
}
