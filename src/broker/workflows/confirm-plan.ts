/**
 * Confirms a plan: its reservations are offered one after the other, at all sites, then accepted in one
 * answer of the engine. Where one is refused, the others are withdrawn; offers left by a crash lapse.
 */
import type { Answer } from "../../engine/index.ts";
import { type PlacedPlan, reservesProcsOnly } from "../../model/index.ts";
import type { Round } from "../../runtime/index.ts";
import type { CommandOf } from "../broker-commands.ts";

type Confirming = CommandOf<"startWorkflow"> | CommandOf<"replanWorkflow">;

/** Identity that reserves. */
interface Whose {
  readonly owner: string;
  readonly consumer: string;
}

/** Takes all reservations of a plan, with what follows from them, or none. */
export async function confirmPlan(
  { round }: { readonly round: Pick<Round, "ask" | "projection"> },
  command: Confirming,
  { owner, consumer }: Whose,
): Promise<Answer> {
  const made: string[] = [];
  const withdraw = async (): Promise<void> => {
    for (const reservation of made) await round.ask({ kind: "cancelReservation", reservation, by: owner });
  };
  for (const pilot of command.pilots) {
    const offered = await round.ask({
      kind: "offerSlot",
      ...slotOf(round.projection, pilot),
      owner,
      consumer,
    });
    if (!offered.ok) {
      await withdraw();
      return offered;
    }
    made.push(pilot.reservation);
  }
  const answer = await round.ask(command);
  if (!answer.ok) await withdraw();
  return answer;
}

/** Reserved amounts of a pilot; where only processors are reserved, the pilot requests the rest inside. */
function slotOf(
  { sites }: Round["projection"],
  { reservation, site, procs, startMs, endMs, memoryBytes = 0, gpus = 0 }: PlacedPlan["pilots"][number],
) {
  const spec = sites.get(site)?.spec;
  const isProcsOnly = spec !== undefined && reservesProcsOnly(spec);
  const beside = isProcsOnly ? { memoryBytes: 0 } : { memoryBytes, ...(gpus === 0 ? {} : { gpus }) };
  return { reservation, site, procs, ...beside, startMs, durationMs: endMs - startMs };
}
