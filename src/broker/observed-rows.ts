/** Conditions on views of jobs, reservations and actions: whose rows somebody may see. */
import type { ObservedJob } from "../engine/index.ts";
import type { ViewCondition, ViewConditions } from "../runtime/index.ts";

/** Conditions by column, to which others are added. */
export type Conditions = Record<string, ViewCondition>;

/** Conditions for these jobs or reservations, of a view with the columns owner, consumer and site. */
export function conditionsOf({ of, owner, consumer, site }: ObservedJob): {
  readonly where: Conditions;
  readonly eitherOf?: readonly ViewConditions[];
} {
  const where: Conditions = {};
  if (owner !== undefined) where.owner = { is: owner };
  if (consumer !== undefined) where.consumer = { within: consumer };
  if (site !== undefined) where.site = { is: site };
  if (of === undefined) return { where };
  return { where, eitherOf: [{ owner: { is: of.owner } }, { consumer: { is: of.consumer } }] };
}
