/**
 * An option that means something only beside another one.
 */
import { Fault } from "../base/index.ts";

/** The fault `optionMisplaced`; `company` as it is to be typed. */
export function meaningless(option: string, company: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionMisplaced",
    what: `${option} means nothing here`,
    why: `it says more about ${company.split(" ")[0]}, which is not given`,
    remedy: `add ${company}, or leave it out`,
  });
}
