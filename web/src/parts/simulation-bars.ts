import { packRows } from "../../../src/base/index.ts";
import type { SimulationSchedule } from "../app/client.ts";
import type { GanttBar } from "../gantt/bar.ts";
import { lengthText, numberText } from "./format.ts";
import type { MovedJob } from "./moved-jobs.ts";

const length = (sec: number): string => lengthText(1000 * sec);

/** Jobs of a schedule as bars, in ms from the beginning; notes of jobs that moved tell of both starts. */
export function simulationBars(
  { procs, id, user, users, queue, queues, procsOf, submitSec, startSec, endSec }: SimulationSchedule,
  moved: ReadonlyMap<string, MovedJob>,
): readonly GanttBar[] {
  const places = id.map((_, at) => ({
    from: 1000 * (startSec[at] ?? 0),
    until: 1000 * (endSec[at] ?? 0),
    procs: procsOf[at] ?? 0,
  }));
  const rows = packRows(places, procs);
  return places.map((place, at) => {
    const key = id[at] ?? "";
    const name = users[user[at] ?? 0] ?? "";
    return {
      from: place.from,
      until: place.until,
      procs: place.procs,
      key,
      label: `job ${key}`,
      kind: "past",
      isMine: false,
      rows: rows[at] ?? [],
      consumer: name || "no user",
      partition: queues[queue[at] ?? 0] || "no queue",
      note: () => [
        `${name === "" ? "" : `${name}, `}${numberText(place.procs)} processors`,
        `waits ${length((startSec[at] ?? 0) - (submitSec[at] ?? 0))}, starts at ${length(startSec[at] ?? 0)}`,
        ...changeOf(moved.get(key)),
      ],
    };
  });
}

function changeOf(job: MovedJob | undefined): readonly string[] {
  if (job === undefined) return [];
  const { beforeSec, nowSec, submitSec } = job;
  return [
    `from ${length(beforeSec - submitSec)} to ${length(nowSec - submitSec)} of waiting: ` +
      `${length(Math.abs(nowSec - beforeSec))} ${nowSec < beforeSec ? "earlier" : "later"}`,
  ];
}
