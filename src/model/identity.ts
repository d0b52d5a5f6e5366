/**
 * Mapping of consumers to the local accounts under which a site runs their jobs ([WMS] slides 108 to 112).
 * The first mapping rule that matches decides, then a ban list. A job that no rule matches is refused.
 */
import { counted } from "../base/index.ts";

/** A mapping rule. A condition that is null holds for every job. */
interface IdentityRule {
  /** Consumer to which the rule applies, with all below it. */
  readonly path: string | null;
  /** Path of the program; a trailing `*` matches any text. */
  readonly executable: string | null;
  /** Time of day in UTC, ms after midnight; a period whose end is before its start includes midnight. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Local account; null: one of the pool, or, without a pool, the rule refuses the job. */
  readonly account: string | null;
  /** Accounts of which each is leased to one owner at a time. */
  readonly pool?: readonly string[];
}

/** Mapping of consumers to accounts at a site. */
export interface IdentityRules {
  /**
   * `verify`: jobs are checked and run under the pilot's account; `setpriv` and `sudo`: the pilot switches
   * accounts.
   */
  readonly mode: (typeof IDENTITY_MODES)[number];
  /** Absolute path, on the nodes, of the helper that `sudo` starts; absent: the usual one. */
  readonly helper?: string;
  readonly rules: readonly IdentityRule[];
  /** Consumers whose jobs are refused, each with all below it. */
  readonly banned: readonly string[];
}

/** Modes of identity mapping; `none`: nothing is checked. */
export const IDENTITY_MODES = ["none", "verify", "setpriv", "sudo"] as const;

/** Usual path of the helper that `sudo` starts. */
export const SWITCH_HELPER = "/usr/local/libexec/stint-as";

/** Syntax of local accounts; root is excluded, since no job may run as root. */
export const LOCAL_ACCOUNT = "^(?!root$)[a-z_][a-z0-9_-]{0,31}$";

/** Consumer and program of a job whose account is requested. */
export interface IdentityRequest {
  readonly consumer: string;
  readonly executable: string;
}

/** Why a site refuses a job. */
export type IdentityRefusal =
  | { readonly why: "rule"; readonly rule: number }
  | { readonly why: "banned"; readonly banned: string }
  | { readonly why: "noRule" }
  /** Other owners have jobs under all accounts of the pool of the rule. */
  | { readonly why: "poolInUse"; readonly rule: number; readonly accounts: number }
  /** Only pilots can switch accounts, but the job does not fit into one, or must go to a particular queue. */
  | { readonly why: "outsidePilots" };

/** An account (null: that of the pilot) with the number of its rule, from 1, or a refusal. */
export type IdentityDecision =
  | {
      readonly kind: "mapped";
      readonly account: string | null;
      readonly rule: number | null;
      /** Accounts of which one is chosen when the job is given to a pilot. */
      readonly pool?: readonly string[];
    }
  | ({ readonly kind: "refused" } & IdentityRefusal);

const DAY_MS = 86_400_000;

/** Lease of a pool account to an owner, who keeps it while jobs of the owner run under it. Unix ms. */
export interface AccountLease {
  readonly site: string;
  readonly account: string;
  readonly owner: string;
  /** Number of the owner's jobs under the account that have not ended; at 0 others may lease it. */
  readonly jobs: number;
  readonly sinceMs: number;
}

/**
 * Decides under which account a job runs at an instant, or why it is refused.
 *
 * @param leased account of a pool for its owner; undefined if others have all of them
 */
export function decideIdentity(
  { mode, rules, banned }: IdentityRules,
  { consumer, executable }: IdentityRequest,
  nowMs: number,
  leased?: (pool: readonly string[]) => string | undefined,
): IdentityDecision {
  if (mode === "none") return { kind: "mapped", account: null, rule: null };
  const timeMs = nowMs % DAY_MS;
  const at = rules.findIndex(
    (rule) =>
      (rule.path === null || isBelow(rule.path, consumer)) &&
      (rule.executable === null || isNamed(rule.executable, executable)) &&
      isWithin(rule, timeMs),
  );
  if (at < 0) return { kind: "refused", why: "noRule" };
  const { account, pool = [] } = rules[at];
  const rule = at + 1;
  const isPooled = account === null && pool.length > 0;
  if (account === null && !isPooled) return { kind: "refused", why: "rule", rule };
  const ban = banned.find((path) => isBelow(path, consumer));
  if (ban !== undefined) return { kind: "refused", why: "banned", banned: ban };
  if (!isPooled || mode === "verify") return { kind: "mapped", account, rule };
  if (leased === undefined) return { kind: "mapped", account: null, rule, pool };
  const hers = leased(pool);
  if (hers === undefined) return { kind: "refused", why: "poolInUse", rule, accounts: pool.length };
  return { kind: "mapped", account: hers, rule };
}

function isBelow(path: string, consumer: string): boolean {
  return consumer === path || consumer.startsWith(`${path}/`);
}

function isNamed(pattern: string, executable: string): boolean {
  return pattern.endsWith("*") ? executable.startsWith(pattern.slice(0, -1)) : executable === pattern;
}

function isWithin({ fromMs, untilMs }: IdentityRule, timeMs: number): boolean {
  if (fromMs < untilMs) return fromMs <= timeMs && timeMs < untilMs;
  return timeMs >= fromMs || timeMs < untilMs;
}

/** Reason for a refusal, as a clause. */
export function identityRefusalText(refusal: IdentityRefusal): string {
  switch (refusal.why) {
    case "rule":
      return `mapping rule ${refusal.rule} of the site has no account for it`;
    case "banned":
      return `${refusal.banned} is on the site's ban list`;
    case "noRule":
      return "no mapping rule of the site matches its consumer and program at this time";
    case "poolInUse":
      return (
        `the ${counted(refusal.accounts, "account")} of the pool of mapping rule ${refusal.rule} ` +
        `${refusal.accounts === 1 ? "is" : "are"} in use by jobs of other owners`
      );
    case "outsidePilots":
      return (
        "there, only pilots run jobs, under local accounts, but it does not fit into a pilot or must go to " +
        "a particular queue"
      );
  }
}
