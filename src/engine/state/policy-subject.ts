/**
 * As whom policies judge a job (rule EN-94).
 */
import type { JobRecord } from "../../model/index.ts";

/** Consumer to which policies apply: the job's VO while it is under a ticket of it, else its own consumer. */
export function policySubject({ ticket, consumer }: Pick<JobRecord, "ticket" | "consumer">): string {
  return ticket !== undefined && ticket.heldMs > 0 ? ticket.vo : consumer;
}
