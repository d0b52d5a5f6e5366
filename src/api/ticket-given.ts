/** Ticket of a slot in a request: its line. */
import type { PresentedTicket } from "../model/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { refusalProblem } from "./problem.ts";

/** Ticket as an optional member. @throws ProblemError `ticketRefused` for an unsigned ticket */
export function ticketGiven(
  brokerApi: BrokerApi,
  { ticket: line }: { readonly ticket?: string },
): { readonly ticket?: PresentedTicket } {
  if (line === undefined) return {};
  const presented = brokerApi.presentTicket(line);
  if (!presented.ok) throw refusalProblem(presented.refusal);
  return { ticket: presented.value };
}
