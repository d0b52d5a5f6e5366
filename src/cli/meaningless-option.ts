/** Faults for options that need another option beside them. */
import { Fault } from "../base/index.ts";

/** The fault `optionMisplaced`; `company` is the missing option as the user types it. */
export function meaningless(option: string, company: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `${option} has no effect here`,
    why: `it applies only together with ${company.split(" ")[0]}, which was not given`,
    remedy: `add ${company}, or leave it out`,
  });
}
