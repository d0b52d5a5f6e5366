/**
 * Jobs and consumers that a change of policies would have affected, on a recorded workload (rule SI-84).
 *
 * The record is simulated under today's rules and compared with the recorded starts, then under the change.
 * Both are reported: an effect smaller than the error of the first is not significant.
 */
import type { PolicyEffects, PolicyTrial } from "../../model/index.ts";
import { effectsOf } from "./effects.ts";
import { recordIn } from "./find-record.ts";
import { readTracePolicies } from "./read-trace-policies.ts";
import { playRecordTrial } from "./record-trial.ts";
import { playSwfTrial } from "./swf-trial.ts";

/**
 * Plays the record under today's rules and under the policies.
 *
 * @throws Fault and AggregateError as the files are read
 */
export async function affectedBy(trial: PolicyTrial): Promise<PolicyEffects> {
  const { files, before, form, owners: named } = trial;
  const nowMs = Date.now();
  const owners = named === undefined ? {} : { owners: named };
  const after = await readTracePolicies({ files, form, ...owners }, nowMs);
  const present =
    before.length === 0 ? undefined : await readTracePolicies({ files: before, form, ...owners }, nowMs);
  const record = await recordIn(trial);
  const played =
    record === undefined
      ? await playSwfTrial(trial, { present, after })
      : await playRecordTrial(trial, record, { present, after });
  return effectsOf(after.site, played);
}
