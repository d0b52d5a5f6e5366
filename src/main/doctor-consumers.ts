/**
 * Whether those who hold tokens are known to the policies (rule CL-117): a name that was mistyped in one of
 * the two is seen nowhere else until a job is refused.
 */
import type { Examination } from "../cli/index.ts";
import { type Role, voOf } from "../model/index.ts";

/** A token, in part. */
export interface HeldToken {
  readonly consumer: string;
  readonly role: Role;
  readonly state: "valid" | "expired" | "revoked";
}

/** The policies that hold, in part; null: none. */
export interface HoldingNow {
  readonly now: { readonly policies: readonly { readonly consumer: string }[] } | null;
}

/** Undefined where no policies hold: then everybody may submit. */
export function examineConsumers(tokens: readonly HeldToken[], { now }: HoldingNow): Examination | undefined {
  if (now === null || now.policies.length === 0) return undefined;
  const known = new Set(now.policies.map(({ consumer }) => voOf(consumer)));
  const submitting = tokens.filter(({ state, role }) => state === "valid" && SUBMITTERS.includes(role));
  const unknown = [...new Set(submitting.map(({ consumer }) => voOf(consumer)))].filter(
    (vo) => !known.has(vo),
  );
  const name = "consumers";
  if (unknown.length === 0) return { name, isWell: true, found: "who has a token is in the policies" };
  return {
    ...{ name, isWell: false },
    found: `tokens are of ${listed(unknown)}, and the policies speak of ${listed([...known])}`,
    remedy:
      "see stint token list; write the name as the policies do, there and in --vo, --for and " +
      "virtualOrganisation, or apply a policy for it",
  };
}

function listed(names: readonly string[]): string {
  return [...names].sort().join(", ");
}

/** Who may submit, and is not the broker's own. */
const SUBMITTERS: readonly Role[] = ["user", "voAdmin"];
