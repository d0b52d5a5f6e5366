/**
 * The ticket that a slot is wanted under, as it is given: its line.
 */
import type { PresentedTicket } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { refusalProblem } from "./problem.ts";

/** The ticket as a member, where there is one. @throws ProblemError `ticketRefused` if it is not signed */
export function ticketGiven(
  brokerApi: BrokerApi,
  { ticket: line }: { readonly ticket?: string },
): { readonly ticket?: PresentedTicket } {
  if (line === undefined) return {};
  const presented = brokerApi.presentTicket(line);
  if (!presented.ok) throw refusalProblem(presented.refusal);
  return { ticket: presented.value };
}
