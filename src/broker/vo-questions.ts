/** Settings of organisations for placing their jobs, changed through the broker's API. */
import { type Answer, rememberVoUses } from "../engine/index.ts";
import type { CommandOf, CommandWorld } from "./broker-commands.ts";
import { pastJobs } from "./policy-questions.ts";

/** Records the settings; what the groups of the organisation used before counts for its enforcer, too. */
export async function changeVo(
  { round, logbook }: CommandWorld,
  command: CommandOf<"changeVo">,
): Promise<Answer> {
  const answered = await round.ask(command);
  if (!answered.ok || command.enforcement === null) return answered;
  const { projection } = round;
  const past = await pastJobs(logbook, projection.policies.versions, round.nowMs());
  rememberVoUses(projection, past, round.nowMs());
  round.wake();
  return answered;
}
