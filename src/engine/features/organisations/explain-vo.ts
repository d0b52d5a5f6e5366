/**
 * Why a job that its organisation's enforcer has not let go still waits (rule EN-77).
 */
import { groupOf, type JobRecord, type WaitCause } from "../../../model/index.ts";
import type { Projection } from "../../state/projection.ts";
import { enforcedVo, waitingByVo } from "./decide-vo.ts";
import { type VoGroupAt, voView } from "./vo-view.ts";

/** None where no enforcer of an organisation has a say, or it has let the job go. */
export function notItsTurn(projection: Projection, job: JobRecord, nowMs: number): readonly WaitCause[] {
  const record = enforcedVo(projection, job);
  if (record === undefined || !projection.unplaced.has(job.id)) return [];
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
