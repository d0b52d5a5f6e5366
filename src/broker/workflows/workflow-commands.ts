/** Commands on workflows that need more than one answer of the engine. */
import type { Answer } from "../../engine/index.ts";
import type { BrokerAnswers, CommandOf, CommandWorld } from "../broker-commands.ts";
import { confirmPlan } from "./confirm-plan.ts";
import { sourceOf } from "./move-file.ts";
import { contentOf } from "./workflow-store.ts";

export const workflowCommands = {
  /** A second command with the same id waits until the first is answered. */
  startWorkflow: (world: CommandWorld, command: CommandOf<"startWorkflow">): Promise<Answer> =>
    world.inTurn(`workflow ${command.workflow}`, async () => {
      const isThere = world.round.projection.books.workflows.has(command.workflow);
      return isThere ? world.round.ask(command) : startWithFiles(world, command);
    }),
} as const satisfies BrokerAnswers;

/** Copies the user's files before the workflow starts, so that none can be missing later. */
async function startWithFiles(world: CommandWorld, command: CommandOf<"startWorkflow">): Promise<Answer> {
  const { sandboxes } = world;
  const { workflow, owner, isByToken, sources = [], files = [] } = command;
  await sandboxes.keep(workflow, sources, { owner, isByToken });
  try {
    const known = await Promise.all(
      files.map(async (file, at) => {
        if (file.writer !== null) return file;
        return { ...file, ...(await contentOf(sourceOf(world, { ...file, workflow, at }))) };
      }),
    );
    const whole = files.length === 0 ? command : { ...command, files: known };
    const answer = await confirmPlan(world, whole, command);
    if (!answer.ok) await sandboxes.drop(workflow);
    return answer;
  } catch (error) {
    await sandboxes.drop(workflow);
    throw error;
  }
}
