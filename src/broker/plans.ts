/**
 * Plans of long queues, made in the thread of trials before something is asked that is answered from them
 * (rule BR-63).
 */
import { draftPlan, type PlanDraft, type SiteState } from "../engine/index.ts";
import type { NamedQueue } from "../queue/index.ts";
import type { Round } from "../runtime/index.ts";
import type { Trials } from "./trials/trials.ts";

/** Plans of the queues of all sites. */
export interface Plans {
  /**
   * Has the plan of a site's queue made where it is long and there is none; resolves to the instant for
   * which it holds, which is now where there is nothing to be made.
   */
  ready(site: string | null): Promise<number>;
}

/** After this many changes of the queue during planning, the caller plans itself. */
const TRIES = 3;

interface UnderWay {
  readonly version: number;
  readonly done: Promise<boolean>;
}

/** None yet. */
export function createPlans(round: Pick<Round, "projection" | "nowMs">, trials: Pick<Trials, "plan">): Plans {
  const underWay = new WeakMap<NamedQueue, UnderWay>();
  const queueOf = (name: string | null): SiteState["queue"] | undefined =>
    name === null ? undefined : round.projection.sites.get(name)?.queue;
  /** True where the thread has finished the plan. */
  const made = (queue: NamedQueue, draft: PlanDraft): Promise<boolean> => {
    const before = underWay.get(queue);
    if (before?.version === draft.version) return before.done;
    const done = trials.plan(draft.task).then((plan) => {
      if (plan !== undefined) draft.take(plan);
      return plan !== undefined;
    });
    underWay.set(queue, { version: draft.version, done });
    return done;
  };
  return {
    async ready(name) {
      for (let left = TRIES; left > 0; left--) {
        const nowMs = round.nowMs();
        const queue = queueOf(name);
        const draft = queue === undefined ? undefined : draftPlan(queue, nowMs);
        if (queue === undefined || draft === undefined) return nowMs;
        if (!(await made(queue, draft))) break;
        if (queueOf(name) === queue && queue.version === draft.version) return nowMs;
      }
      return round.nowMs();
    },
  };
}
