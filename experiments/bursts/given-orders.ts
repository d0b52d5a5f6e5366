/**
 * How many orders a cluster was given, of what an enforcer's record has: a job that was let in and never held
 * is noted there as released, and nothing was ordered for it.
 */

/** An entry of the record. */
export interface RecordedAction {
  readonly verb: string;
  readonly job: string;
}

/** @param actions in order of time */
export function givenOrders(actions: readonly RecordedAction[]): number {
  const held = new Set<string>();
  return actions.filter(({ verb, job }) => {
    if (verb === "hold") held.add(job);
    return verb !== "release" || held.delete(job);
  }).length;
}
