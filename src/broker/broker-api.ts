/**
 * The broker's API inside the process: its commands, and the tables of its questions, which are answered
 * from memory where possible and from views otherwise.
 */
import { joined } from "../base/index.ts";
import { type Answer, type Question, query } from "../engine/index.ts";
import type { Command, JobRecord } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import type { ApiWorld } from "./api-world.ts";
import { arrayQuestions } from "./arrays.ts";
import type { BrokerAnswers, CommandByKind, CommandKind, CommandWorld } from "./broker-commands.ts";
import { stateQuestions } from "./checkpoints/state-questions.ts";
import { dagCommands, dagQuestions } from "./dags.ts";
import { clusterQuestions } from "./explain-there.ts";
import { findJob, jobCommands } from "./job-commands.ts";
import { fileQuestions } from "./job-files.ts";
import { jobQuestions } from "./job-questions.ts";
import { marketQuestions } from "./market-questions.ts";
import type { BrokerParts } from "./parts.ts";
import { createPastStates } from "./past-states.ts";
import { createPlans } from "./plans.ts";
import { applyPolicies, policyQuestions } from "./policy-questions.ts";
import { reservationCommands } from "./reservation-commands.ts";
import { createResponseBook } from "./response-times.ts";
import { NO_CARE } from "./site-care.ts";
import { siteCommands } from "./site-commands.ts";
import { siteQuestions } from "./site-questions.ts";
import { streamQuestions } from "./streams/submit-stream.ts";
import { ticketQuestions } from "./tickets.ts";
import { createTurns, oneAtATime } from "./turns.ts";
import { changeVo } from "./vo-questions.ts";
import { resultBytes } from "./workflows/result-bytes.ts";
import { workflowCommands } from "./workflows/workflow-commands.ts";

/** The parts of a broker at work that the API uses. */
export interface DoorWorld
  extends Pick<
    ApiWorld,
    "round" | "sites" | "predictions" | "observed" | "transfers" | "retirement" | "trials" | "streams"
  > {
  readonly listeners: Set<(record: JobRecord) => void>;
}

/** Commands that the broker handles itself; a kind in two tables does not compile. */
const ANSWERS: BrokerAnswers = joined([
  jobCommands,
  dagCommands,
  siteCommands,
  reservationCommands,
  workflowCommands,
  { applyPolicies, changeVo },
]);

function answered<Kind extends CommandKind>(
  world: CommandWorld,
  command: CommandByKind[Kind] & Command & { readonly kind: Kind },
): Promise<Answer> {
  const { kind }: { readonly kind: Kind } = command;
  const handler: BrokerAnswers[Kind] = ANSWERS[kind];
  return handler === undefined ? world.round.ask(command) : handler(world, command);
}

/** The API of a broker whose rounds have begun. */
export function createBrokerApi(parts: BrokerParts, { listeners, ...door }: DoorWorld): BrokerApi {
  const { logbook, clock, sandboxes, care = NO_CARE, streamProgram = [] } = parts;
  const { round } = door;
  const world: ApiWorld = {
    ...{ ...door, logbook, clock, sandboxes, care, streamProgram },
    find: (id) => findJob(round, logbook, id),
    inTurn: oneAtATime(),
    plans: createPlans(round, door.trials),
    pastStates: createPastStates(logbook),
    responses: createResponseBook({ ...door, clock }),
  };
  const commands: CommandWorld = { ...world, submissions: createTurns() };
  return {
    ask: (command) => answered(commands, command),
    query: (name, ...[question]) => {
      if (name === "siteAds" || name === "matchTable") askForQueues(door);
      return query(round.projection, { name, question: question as Question<typeof name> }, round.nowMs());
    },
    ...jobQuestions(world),
    ...arrayQuestions(world),
    ...dagQuestions(world),
    ...fileQuestions(world),
    ...stateQuestions(world),
    ...resultBytes(round, sandboxes),
    ...siteQuestions(world),
    ...clusterQuestions(world),
    ...marketQuestions(world),
    ...policyQuestions(world),
    ...ticketQuestions(world),
    ...streamQuestions(world),
    uploads: sandboxes.uploads,
    onJobChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Notes that ads of queues were asked for: the next survey of each site renews those that are old. */
function askForQueues({ round, sites }: Pick<DoorWorld, "round" | "sites">): void {
  for (const name of round.projection.sites.keys()) sites.get(name)?.askForQueues?.();
}
