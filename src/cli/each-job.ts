/**
 * Applies one action to several jobs in turn: a failure is reported, the others continue, and the exit code
 * is that of the worst failure.
 */
import type { CommandContext } from "./command-context.ts";
import { asFault, EXIT_CODES, faultText } from "./report-fault.ts";

/** Calls `one` for each id in turn. @returns the results of the successful calls, in order */
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
