/** Commands on workflows that need more than one answer of the engine. */
import type { Answer } from "../../engine/index.ts";
import type { BrokerAnswers, CommandOf, CommandWorld } from "../broker-commands.ts";
import { confirmPlan } from "./confirm-plan.ts";

export const workflowCommands = {
  /** A second command with the same id waits until the first is answered. */
  startWorkflow: (world: CommandWorld, command: CommandOf<"startWorkflow">): Promise<Answer> =>
    world.inTurn(`workflow ${command.workflow}`, async () => {
      const isThere = world.round.projection.books.workflows.has(command.workflow);
      return isThere ? world.round.ask(command) : confirmPlan(world, command, command);
    }),
} as const satisfies BrokerAnswers;
