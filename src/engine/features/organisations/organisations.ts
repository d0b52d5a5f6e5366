/**
 * Virtual organisations: how their jobs are placed, and whose turn it is.
 */

import { accepted, type Result, refused } from "../../../base/index.ts";
import {
  type Command,
  groupOf,
  isConsumerPath,
  type JobRecord,
  type Refusal,
  type StintEvent,
  type VoRecord,
  voOf,
  type WaitCause,
} from "../../../model/index.ts";
import type { Feature } from "../../feature.ts";
import type { Projection } from "../../state/projection.ts";
import { changedVo, noteSent } from "../../state/vo-book.ts";
import { waitsByHolders } from "../../state/waiting-replicas.ts";
import { enforcedVo, turnsWakeAtMs, waitingByVo } from "./decide-vo.ts";
import { keepUseOf, noteVoJobs, rememberVoUses } from "./vo-use.ts";
import { type VoGroupAt, voView } from "./vo-view.ts";

/**
 * Wait cause of a job that its organisation's enforcer has not released; none where no enforcer decides on
 * it.
 */
function notItsTurn(projection: Projection, job: JobRecord, nowMs: number): readonly WaitCause[] {
  const record = enforcedVo(projection, job);
  if (record === undefined || !projection.unplaced.has(job.id) || waitsByHolders(job)) return [];
  const waiting = waitingByVo(projection).get(record.vo) ?? [];
  const { groups, allocation } = voView(projection, record, waiting, nowMs);
  const named = groups.find(({ consumer }) => consumer === groupOf(job.consumer));
  const group = named ?? groups.find(({ consumer }) => consumer === record.vo);
  if (group === undefined) return [];
  const inUseByAll = groups.reduce((sum, { inUse }) => sum + inUse, 0);
  const needed = job.description.procs;
  const at = group.waiting.findIndex((it) => it.job === job.id);
  const { consumer, inUse, epoch, burst, extra } = group;
  const because = becauseOf(group, { needed, allocation, inUseByAll });
  const standing = { needed, inUse, epoch, burst, extra, allocation, inUseByAll };
  return [{ kind: "voTurn", group: consumer, because, ...standing, jobsAhead: Math.max(0, at) }];
}

function becauseOf(
  { inUse, epoch, burst, extra }: VoGroupAt,
  of: { readonly needed: number; readonly allocation: number; readonly inUseByAll: number },
) {
  const { needed, allocation, inUseByAll } = of;
  if (needed > burst + extra) return "tooWide";
  if (inUse + needed > burst) return "burst";
  return inUseByAll + needed > allocation && inUse + needed > epoch ? "share" : "order";
}

/** Records an organisation's setting if it changes; an organisation is the first name of a consumer path. */
function changeVo(
  { vos }: Projection,
  { vo, selector, enforcement, by }: Extract<Command, { kind: "changeVo" }>,
  nowMs: number,
): Result<readonly StintEvent[], Refusal> {
  if (!isConsumerPath(vo) || voOf(vo) !== vo) return refused({ kind: "consumerInvalid", consumer: vo });
  const before = vos.records.get(vo);
  const isSame =
    (before?.selector ?? null) === selector &&
    (before?.enforcement?.extraPpm ?? null) === (enforcement?.extraPpm ?? null);
  if (isSame && before !== undefined) return accepted([]);
  return accepted([{ kind: "voChanged", vo, selector, enforcement, by, atMs: nowMs }]);
}

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
    /** Organisations with settings on record, by name. */
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
