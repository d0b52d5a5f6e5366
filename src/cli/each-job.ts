/**
 * One thing done for each of several jobs: a failure is told, the others go on, and the exit code is that
 * of the worst (rule CL-9).
 */
import type { CommandContext } from "./command-context.ts";
import { asFault, EXIT_CODES, faultText } from "./report-fault.ts";

/**
 * Does `one` for each id in turn.
 *
 * @returns what came of those that went well, in their order
 */
export async function eachJob<Value>(
  ids: readonly string[],
  one: (id: string) => Promise<Value>,
  { terminal, endWith }: Pick<CommandContext, "terminal" | "endWith">,
): Promise<Value[]> {
  const values: Value[] = [];
  let worst = 0;
  for (const id of ids) {
    try {
      values.push(await one(id));
    } catch (error) {
      const fault = asFault(error);
      terminal.writeError(faultText(fault));
      worst = Math.max(worst, EXIT_CODES[fault.kind]);
      // Nobody answers: asking for the next one is idle.
      if (fault.kind === "unreachable") break;
    }
  }
  if (worst > 0) endWith(worst);
  return values;
}
