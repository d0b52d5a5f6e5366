/**
 * The QOS that say what accounts alone cannot (rule EN-80).
 *
 * - A consumer with several accounts there has one limit over all of them: a QOS counts its jobs whatever
 *   their account is.
 * - A `preempting` share has two classes of jobs: those of the QOS of its consumer use no more than the share
 *   and push aside those of the QOS for what is lent, which give way at once (and are put back).
 *
 * Source: Slurm's manual, qos.html and preempt.html; the pair of an entitled and a lent QOS is what sites do.
 */
import { mulDiv } from "../../../base/index.ts";
import type { ChangedSetting, NativeShares, ShareChange } from "../../../model/index.ts";
import { type SiteResource, WHOLE_SHARE } from "../../../policy/index.ts";
import type { ShareLevel } from "./compile-levels.ts";
import { added, groupLimit, modified, ONE_MORE_TO_PREEMPT, qosName, qosSetting } from "./compile-words.ts";

/** What a level's accounts get of QOS. */
export interface LevelQos {
  /** Their usual one; null: they keep the one they have. */
  readonly usual: string | null;
  /** The one for what is lent; null where nothing is lent so. */
  readonly lent: string | null;
}

/** What QOS are made for. */
export interface QosAsked {
  readonly levels: readonly ShareLevel[];
  readonly there: Pick<NativeShares, "name" | "qos">;
  readonly capacity: Readonly<Record<SiteResource, number>>;
}

/** Which QOS the accounts of each level get, by its path, and the changes that make them. */
export function compileQos({ levels, there, capacity }: QosAsked): {
  readonly changes: readonly ShareChange[];
  readonly byPath: ReadonlyMap<string, LevelQos>;
} {
  const lent = levels.some(isPreempting) ? qosName(there.name, "lent") : null;
  const changes = lent === null ? [] : changeOf(there, lent, "", [{ name: "PreemptMode", after: "requeue" }]);
  const byPath = new Map<string, LevelQos>();
  for (const level of levels) {
    if (level.accounts.length === 0) continue;
    const limits = limitsOf(level, capacity);
    const usual = limits.length === 0 ? null : qosName(there.name, level.path);
    byPath.set(level.path, { usual, lent });
    if (usual === null) continue;
    const gives = isPreempting(level) && lent !== null ? [{ name: ONE_MORE_TO_PREEMPT, after: lent }] : [];
    changes.push(...changeOf(there, usual, level.path, [...limits, ...gives]));
  }
  return { changes, byPath };
}

/** Whether what is lent of it comes back at once. */
export function isPreempting({ shares, accounts }: ShareLevel): boolean {
  return accounts.length > 0 && shares.some(({ policy }) => policy.mode === "preempting");
}

/** Of a preempting share the share itself; of several accounts what they may use together at once. */
function limitsOf(
  level: ShareLevel,
  capacity: QosAsked["capacity"],
): readonly Omit<ChangedSetting, "before">[] {
  const isOurs = isPreempting(level);
  if (!isOurs && level.accounts.length < 2) return [];
  return level.shares.flatMap(({ resource, node }) => {
    const share = isOurs ? node.epochShare : node.burstShare;
    const amount = mulDiv(share, capacity[resource], WHOLE_SHARE, "down");
    return share >= WHOLE_SHARE ? [] : [groupLimit(resource, amount)];
  });
}

function changeOf(
  { name: cluster, qos }: QosAsked["there"],
  name: string,
  consumer: string,
  wanted: readonly Omit<ChangedSetting, "before">[],
): ShareChange[] {
  const there = qos.find((it) => it.name === name);
  const settings = wanted.map((it) => ({
    ...it,
    before: there === undefined ? null : qosSetting(there, it),
  }));
  const about = { entity: "qos", name, consumer, cluster } as const;
  if (there === undefined) return [added({ ...about, settings })];
  const differing = settings.filter(({ before, after }) => before !== after);
  return differing.length === 0 ? [] : [modified({ ...about, settings: differing })];
}
