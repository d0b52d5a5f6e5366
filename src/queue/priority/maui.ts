/**
 * Job priority in the manner of the Maui scheduler.
 *
 * Equivalent to the published descriptions [MAUI], [JSC01]: priority = Σ over components of weight ×
 * min(cap, Σ over parts of weight × value), with the components credential, fair share, service and
 * resource. Fair share is the distance of the delivered share from its target in percent, positive below
 * it; a floor counts only below it, a ceiling only above. It differs in these ways: targets by user,
 * group and queue only; delivered is dedicated processor time, to the millisecond; no target service
 * levels, node, memory or usage parts. First-fit backfilling with one reservation is the discipline EASY
 * over this order.
 */
import { MS_PER_MINUTE, MS_PER_SECOND } from "../../base/index.ts";
import type {
  ByName,
  MauiComponent,
  MauiCredential,
  MauiParts,
  MauiRules,
  MauiTarget,
} from "../../model/index.ts";
import type { OwnedJob, Owner, PriorityScheme } from "./scheme.ts";
import { changeWindowedUse, noWindowedUsage, type WindowedUsage, windowedUsageAt } from "./windowed-usage.ts";

/** Kinds of name for which fair share is counted, and the field of the rules with their targets. */
const KINDS = { user: "users", group: "groups", queue: "queues" } as const;
type Kind = keyof typeof KINDS;
const kinds = Object.keys(KINDS) as readonly Kind[];

/** The scheme of these rules. Without any target every known user has an equal one. */
export function mauiScheme(rules: MauiRules): PriorityScheme {
  const windows = { intervalMs: rules.intervalMs, depth: rules.depth, decay: rules.decay };
  const all = noWindowedUsage(windows);
  const used: Record<Kind, Map<string, WindowedUsage>> = {
    user: new Map(),
    group: new Map(),
    queue: new Map(),
  };
  const hasTargets = kinds.some((kind) => Object.values(rules[KINDS[kind]]).some(({ target }) => target));

  function usageOf(kind: Kind, name: string): WindowedUsage {
    const there = used[kind].get(name);
    if (there !== undefined) return there;
    const made = noWindowedUsage(windows);
    used[kind].set(name, made);
    return made;
  }

  function change(owner: Owner, count: number, atMs: number): void {
    changeWindowedUse(all, count, { atMs, windows });
    for (const kind of kinds) changeWindowedUse(usageOf(kind, owner[kind]), count, { atMs, windows });
  }

  function targetOf(kind: Kind, name: string): MauiTarget | undefined {
    if (hasTargets) return credentialOf(rules[KINDS[kind]], name)?.target;
    return kind === "user" ? { percent: 100 / used.user.size, kind: "target" } : undefined;
  }

  /** The distances of owners at one instant, each computed once. */
  function distancesAt(nowMs: number): (owner: Owner) => MauiParts["fairShare"] {
    const delivered = windowedUsageAt(all, nowMs, windows);
    const known: Record<Kind, Map<string, number>> = { user: new Map(), group: new Map(), queue: new Map() };
    const distance = (kind: Kind, name: string): number => {
      const there = known[kind].get(name);
      if (there !== undefined) return there;
      const own = windowedUsageAt(usageOf(kind, name), nowMs, windows);
      const made = fairShareDistance(targetOf(kind, name), delivered > 0 ? (100 * own) / delivered : 0);
      known[kind].set(name, made);
      return made;
    };
    return ({ user, group, queue }) => ({
      user: distance("user", user),
      group: distance("group", group),
      queue: distance("queue", queue),
    });
  }

  return {
    known: (owner) => void usageOf("user", owner.user),
    started: (owner, count, atMs) => change(owner, count, atMs),
    ended: (owner, count, atMs) => change(owner, -count, atMs),
    order: (waiting, { nowMs }) => {
      const distances = distancesAt(nowMs);
      return waiting.map((job) =>
        mauiPriority(
          {
            credential: credentials(job.owner, rules),
            fairShare: distances(job.owner),
            ...jobValues(job, nowMs),
          },
          rules,
        ),
      );
    },
  };
}

/** The weighted and capped sum of a job's values. */
export function mauiPriority(values: MauiParts, { weights, parts, caps }: MauiRules): number {
  let sum = 0;
  for (const component of Object.keys(parts) as MauiComponent[]) {
    const weighted: Readonly<Record<string, number>> = parts[component];
    const own: Readonly<Record<string, number>> = values[component];
    let within = 0;
    for (const part of Object.keys(weighted)) within += weighted[part] * own[part];
    const cap = caps[component] ?? Number.POSITIVE_INFINITY;
    sum += weights[component] * Math.max(-cap, Math.min(cap, within));
  }
  return sum;
}

/** Percent below (positive) or above the target, as far as the target counts that. */
export function fairShareDistance(target: MauiTarget | undefined, percentUsed: number): number {
  if (target === undefined) return 0;
  const distance = target.percent - percentUsed;
  if (target.kind === "floor") return Math.max(0, distance);
  if (target.kind === "ceiling") return Math.min(0, distance);
  return distance;
}

/** Values of the service and resource components of a job. */
export function jobValues(job: OwnedJob, nowMs: number): Pick<MauiParts, "service" | "resource"> {
  const waitedMs = nowMs - job.arrivedAtMs;
  const procs = job.need[0];
  const wallTime = job.estimateMs / MS_PER_SECOND;
  return {
    service: { queueTime: waitedMs / MS_PER_MINUTE, xFactor: 1 + waitedMs / job.estimateMs },
    resource: { procs, wallTime, procSeconds: procs * wallTime },
  };
}

function credentials({ user, group, queue }: Owner, rules: MauiRules): MauiParts["credential"] {
  return {
    user: credentialOf(rules.users, user)?.priority ?? 0,
    group: credentialOf(rules.groups, group)?.priority ?? 0,
    queue: credentialOf(rules.queues, queue)?.priority ?? 0,
  };
}

/** Credential of a name, else that of the name `default`. */
function credentialOf<Credential extends MauiCredential>(
  named: ByName<Credential>,
  name: string,
): Credential | undefined {
  return named[name] ?? named.default;
}
