/**
 * Under which local account a site runs the jobs of a consumer ([WMS] slides 108 to 112): mapping rules, of
 * which the first that matches decides, then a ban list. Whoever no rule names is refused.
 */

/** A mapping rule; what it leaves open is null. */
interface IdentityRule {
  /** A consumer, with all below it. */
  readonly path: string | null;
  /** Path of the program; a `*` at its end stands for anything. */
  readonly executable: string | null;
  /** Time of day in UTC, ms after midnight; a rule whose end is before its begin holds over midnight. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Null: refused. */
  readonly account: string | null;
}

/** How a site maps consumers to accounts. */
export interface IdentityRules {
  /** `verify`: checked, and run under the account of the pilot; `setpriv`: switched by a pilot of root. */
  readonly mode: (typeof IDENTITY_MODES)[number];
  readonly rules: readonly IdentityRule[];
  /** Consumers, each with all below it. */
  readonly banned: readonly string[];
}

/** Modes of identity switching; `none`: nothing is checked. */
export const IDENTITY_MODES = ["none", "verify", "setpriv"] as const;

/** Syntax of local accounts; jobs of others never run as root. */
export const LOCAL_ACCOUNT = "^(?!root$)[a-z_][a-z0-9_-]{0,31}$";

/** Consumer and program of a job. */
export interface IdentityRequest {
  readonly consumer: string;
  readonly executable: string;
}

/** Why a site refuses the jobs of somebody. */
export type IdentityRefusal =
  | { readonly why: "rule"; readonly rule: number }
  | { readonly why: "banned"; readonly banned: string }
  | { readonly why: "noRule" }
  /** Only pilots switch accounts, and the job does not fit into one, or has to name a queue. */
  | { readonly why: "outsidePilots" };

/** An account (null: that of the pilot) with the number of its rule, from 1, or a refusal. */
export type IdentityDecision =
  | { readonly kind: "mapped"; readonly account: string | null; readonly rule: number | null }
  | ({ readonly kind: "refused" } & IdentityRefusal);

const DAY_MS = 86_400_000;

/** Decides at an instant. */
export function decideIdentity(
  { mode, rules, banned }: IdentityRules,
  { consumer, executable }: IdentityRequest,
  nowMs: number,
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
  const { account } = rules[at];
  if (account === null) return { kind: "refused", why: "rule", rule: at + 1 };
  const ban = banned.find((path) => isBelow(path, consumer));
  if (ban !== undefined) return { kind: "refused", why: "banned", banned: ban };
  return { kind: "mapped", account, rule: at + 1 };
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

/** A refusal in words. */
export function identityRefusalText(refusal: IdentityRefusal): string {
  switch (refusal.why) {
    case "rule":
      return `mapping rule ${refusal.rule} of the site refuses it`;
    case "banned":
      return `the site has banned ${refusal.banned}`;
    case "noRule":
      return "no mapping rule of the site names its consumer and program at this time";
    case "outsidePilots":
      return (
        "only pilots run jobs under accounts of their owners there, and it does not fit into a pilot, " +
        "or requires a queue of its own"
      );
  }
}
