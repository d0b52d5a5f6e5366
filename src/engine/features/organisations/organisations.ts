/**
 * Virtual organisations: how their jobs are placed, and whose turn it is.
 */
import { type VoRecord, voOf } from "../../../model/index.ts";
import type { Feature } from "../../feature.ts";
import type { Projection } from "../../state/projection.ts";
import { changedVo, noteSent } from "../../state/vo-book.ts";
import { changeVo } from "./answer-vo.ts";
import { turnsWakeAtMs } from "./decide-vo.ts";
import { notItsTurn } from "./explain-vo.ts";
import { keepUseOf, noteVoJobs, rememberVoUses } from "./vo-use.ts";

export const organisations = {
  name: "organisations",
  answers: { changeVo },
  applies: {
    // What its groups use is counted from now on where it has an enforcer.
    voChanged: (projection, event) => {
      const record = changedVo(projection.vos, event);
      const its = [...projection.jobs.values()].filter(({ consumer }) => voOf(consumer) === record.vo);
      keepUseOf(projection, record, its, event.atMs);
      return [{ kind: "vo", record }];
    },
  },
  after: (projection, event, jobs) => {
    if (jobs.length > 0) noteVoJobs(projection, jobs, event.atMs);
    const consumer = event.kind === "jobPlaced" ? projection.jobs.get(event.job)?.consumer : undefined;
    if (event.kind !== "jobPlaced" || consumer === undefined) return [];
    const record = noteSent(projection.vos, { consumer, site: event.site }, event.atMs);
    return record === undefined ? [] : [{ kind: "vo", record }];
  },
  wakeAtMs: turnsWakeAtMs,
  explain: { atBroker: notItsTurn },
  queries: {
    /** Those that have said something, in the order of their names. */
    vos: ({ vos }: Projection): readonly VoRecord[] =>
      [...vos.records.values()].sort((one, other) => (one.vo < other.vo ? -1 : 1)),
  },
  views: [{ name: "vos", columns: {}, isReadWhole: true }],
  rows: { vo: ({ record }) => ({ view: "vos", key: record.vo, record, columns: {} }) },
  restore: (projection, { vos = [] }) => {
    for (const record of vos) projection.vos.records.set(record.vo, record);
  },
  resume: (projection, { pastJobs }, nowMs) => rememberVoUses(projection, pastJobs, nowMs),
} as const satisfies Feature;
