/**
 * How a change of a cluster's own shares stands, by what the cluster has now (rule EN-82).
 *
 * Nothing else tells: a command may have been given before a broker died, or have complained of what is as
 * it should be, and somebody else may have changed the same since.
 */
import type { ChangedSetting, NativeShares, ShareChange } from "../../../model/index.ts";
import type { ShareLanguage, ShareStanding } from "../../../runtime/index.ts";
import { compileShares } from "./compile-shares.ts";
import { accountIn, accountSetting, qosSetting } from "./compile-words.ts";

/** How it stands. */
function howStands(change: ShareChange, shares: NativeShares): ShareStanding {
  const now = settingsNow(change, shares);
  if (now === undefined)
    return change.kind === "add" ? { kind: "notMade" } : otherwise(`${change.name} is not there any more`);
  const isMade = (it: Now): boolean => it.now === it.setting.after;
  const isBefore = (it: Now): boolean => it.now === it.setting.before;
  if (now.every(isMade)) return { kind: "made" };
  if (change.kind === "modify" && now.every(isBefore)) return { kind: "notMade" };
  const strange = now.find((it) => !isMade(it) && !(change.kind === "modify" && isBefore(it)));
  if (strange === undefined) return { kind: "partly" };
  const { setting, now: value } = strange;
  return otherwise(
    `${setting.name} of ${change.name} is ${value ?? "not set"} there, and was set to ${setting.after}`,
  );
}

/** What others have made of something that we added, so that it is not ours alone to take away. */
function usedByOthers(
  { entity, kind, name, settings }: ShareChange,
  shares: NativeShares,
): string | undefined {
  if (kind !== "add") return undefined;
  const { associations } = shares;
  if (entity === "qos") {
    const user = associations.find(({ qos, defaultQos }) => qos.includes(name) || defaultQos === name);
    return user === undefined ? undefined : `account ${user.account} allows QOS ${name}`;
  }
  const below = associations.find(
    ({ account, user, parent }) => (account === name && user !== null) || parent === name,
  );
  if (below !== undefined) return `${below.user ?? below.account} is in account ${name}`;
  const there = accountIn(shares, name);
  const ours = new Set(settings.map((it) => it.name));
  const more = Object.keys(there?.group.tres ?? {}).find((tres) => !ours.has(`GrpTRES=${tres}`));
  return more === undefined ? undefined : `account ${name} has a limit of ${more} that was not set by us`;
}

/** Whether the name of an account that we added is to be forgotten, too: no cluster has it any more. */
function isForgettable({ name, forget }: ShareChange, shares: NativeShares): boolean {
  return (
    forget !== undefined && shares.accountNames.includes(name) && !shares.usedAccountNames.includes(name)
  );
}

/** Usage policies in the words of Slurm's accounting. */
export const slurmShareLanguage: ShareLanguage = {
  compile: compileShares,
  ...{ howStands, usedByOthers, isForgettable },
};

interface Now {
  readonly setting: ChangedSetting;
  readonly now: string | null;
}

/** Undefined where the account or the QOS is not there. */
function settingsNow(
  { entity, name, settings }: ShareChange,
  shares: NativeShares,
): readonly Now[] | undefined {
  if (entity === "qos") {
    const there = shares.qos.find((it) => it.name === name);
    return there && settings.map((setting) => ({ setting, now: qosSetting(there, setting) }));
  }
  const there = accountIn(shares, name);
  return there && settings.map((setting) => ({ setting, now: accountSetting(there, setting) }));
}

function otherwise(why: string): ShareStanding {
  return { kind: "otherwise", why };
}
