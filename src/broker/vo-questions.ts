/**
 * What organisations say of placing their jobs, changed through the broker's API.
 */
import { type Answer, rememberVoUses } from "../engine/index.ts";
import type { Command } from "../model/index.ts";
import type { Logbook, Round } from "../runtime/index.ts";
import { pastJobs } from "./policy-questions.ts";

/** Has it said; what its groups used before counts for its enforcer, too. */
export async function changeVo(
  round: Round,
  logbook: Logbook,
  command: Extract<Command, { kind: "changeVo" }>,
): Promise<Answer> {
  const answered = await round.ask(command);
  if (!answered.ok || command.enforcement === null) return answered;
  const { projection } = round;
  const past = await pastJobs(logbook, projection.policies.versions, round.nowMs());
  rememberVoUses(projection, past, round.nowMs());
  round.wake();
  return answered;
}
