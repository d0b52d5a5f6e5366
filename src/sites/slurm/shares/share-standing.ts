/**
 * State of a change of a cluster's own shares, from the accounting's present content (rule EN-82).
 *
 * No other source is reliable: a command may have run before a broker died, or have failed on a setting
 * that was already right, and other users may have changed it since.
 */
import type { ChangedSetting, NativeShares, ShareChange } from "../../../model/index.ts";
import type { ShareLanguage, ShareStanding } from "../../../runtime/index.ts";
import { compileShares } from "./compile-shares.ts";
import { accountIn, accountSetting, qosSetting } from "./compile-words.ts";

/** State of a change. */
function standingOf(change: ShareChange, shares: NativeShares): ShareStanding {
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

/** Uses by others of an account or QOS that we added, which prevent its removal. */
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

/** True if the name of an account that we added can be removed too: no cluster has it any more. */
function isForgettable({ name, forget }: ShareChange, shares: NativeShares): boolean {
  return (
    forget !== undefined && shares.accountNames.includes(name) && !shares.usedAccountNames.includes(name)
  );
}

/** Usage policies in the words of Slurm's accounting. */
export const slurmShareLanguage: ShareLanguage = {
  compile: compileShares,
  ...{ howStands: standingOf, usedByOthers, isForgettable },
};

interface Now {
  readonly setting: ChangedSetting;
  readonly now: string | null;
}

/** Present settings; undefined if the account or the QOS does not exist. */
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
