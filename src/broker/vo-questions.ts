/**
 * What organisations have said of placing their jobs, asked and changed through the broker's API.
 */
import type { Result } from "../base/index.ts";
import { rememberVoUses } from "../engine/index.ts";
import type { Command, Refusal, VoRecord } from "../model/index.ts";
import type { Logbook, Round } from "../runtime/index.ts";
import { pastJobs } from "./policy-questions.ts";

/** Those that have said something, in the order of their names. */
export function vosNow({ projection }: Round): readonly VoRecord[] {
  return [...projection.vos.records.values()].sort((one, other) => (one.vo < other.vo ? -1 : 1));
}

/** Has it said; what its groups used before counts for its enforcer, too. */
export async function changeVo(
  round: Round,
  logbook: Logbook,
  command: Extract<Command, { kind: "changeVo" }>,
): Promise<Result<undefined, Refusal>> {
  const answered = await round.ask(command);
  if (!answered.ok || command.enforcement === null) return answered;
  const { projection } = round;
  const past = await pastJobs(logbook, projection.policies.versions, round.nowMs());
  rememberVoUses(projection, past, round.nowMs());
  round.wake();
  return answered;
}
