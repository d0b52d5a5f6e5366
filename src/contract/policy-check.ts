/** Checks of policies before they are applied: requests and responses. */
import { Type } from "typebox";
import { SHARED_RESOURCES } from "../model/index.ts";
import { instant, orNull, type Shape, strict } from "./fields.ts";
import { policySchema } from "./policy.ts";

/** Longest text of a policy file in a request, in characters. */
const MOST_TEXT = 1_000_000;

/** Policies of a request: as a text, or as entries. */
export const policyTextFields = {
  text: Type.Optional(
    Type.String({ maxLength: MOST_TEXT, description: "A policy file: YAML, or tuples, a line each" }),
  ),
  policies: Type.Optional(Type.Array(policySchema, { maxItems: 5000 })),
};

/** `POST /policies/check` */
export const policyCheckRequestSchema = Type.Object(
  { ...policyTextFields, effectiveFrom: Type.Optional(instant) },
  { ...strict, description: "A text or policies; where neither is given, those in force" },
);

const shareText = Type.Object(
  { interval: Type.String(), share: Type.String(), window: Type.Optional(Type.String()) },
  strict,
);

/** A policy in the words of a policy file. */
const longFormSchema = Type.Object(
  {
    resource: Type.Enum([...SHARED_RESOURCES]),
    ...{ provider: Type.String(), consumer: Type.String() },
    ...{ epoch: shareText, burst: shareText },
    rule: Type.Enum(["entitlement", "cap"]),
    mode: Type.Enum(["shared", "preempting", "dedicated"]),
    carry: Type.Enum(["forgive", "repay"]),
  },
  { ...strict, description: "A policy in the words of a policy file" },
);

/** `POST /policies/check` */
export const policyCheckSchema = Type.Object(
  {
    ok: Type.Boolean({ description: "True without errors: these policies can be applied" }),
    onVersion: Type.Integer({
      minimum: 0,
      description:
        "Latest version, with which the policies were compared; 0: none. Send it as If-Match to " +
        "apply them",
    }),
    findings: Type.Array(
      Type.Object(
        {
          severity: Type.Enum(["error", "warning"]),
          line: Type.Optional(Type.Integer({ minimum: 1, description: "Line in the text" })),
          column: Type.Optional(Type.Integer({ minimum: 1, description: "Column in characters" })),
          pointer: Type.Optional(Type.String({ description: "JSON pointer into the request" })),
          code: Type.String({ description: "Code of the finding, the same in all versions" }),
          what: Type.String(),
          why: Type.String(),
          remedy: Type.String(),
        },
        strict,
      ),
    ),
    policies: Type.Array(policySchema, {
      description: "Policies in force at that instant, as input for applying them",
    }),
    lines: Type.Array(Type.Integer({ minimum: 1 }), {
      description: "Line of each of the policies in the text; empty without a text",
    }),
    changes: Type.Array(
      Type.Object(
        {
          change: Type.Enum(["added", "removed", "changed"]),
          before: orNull(longFormSchema),
          after: orNull(longFormSchema),
        },
        strict,
      ),
      { description: "Differences from the latest version" },
    ),
    overProvisioned: Type.Array(
      Type.Object(
        {
          resource: Type.Enum([...SHARED_RESOURCES]),
          provider: Type.String(),
          sumPpm: Type.Integer({ description: "Sum of the shares, in parts per million" }),
          consumers: Type.Array(
            Type.Object(
              {
                consumer: Type.String(),
                sharePpm: Type.Integer(),
                entitledPpm: Type.Integer({
                  description:
                    "Share to which it is entitled while all consumers have demand, in parts per million",
                }),
              },
              strict,
            ),
          ),
        },
        strict,
      ),
      { description: "Providers that give away more than they have" },
    ),
    text: Type.String({ description: "The policies as a policy file" }),
  },
  { ...strict, description: "Result of parsing policies: errors, and changes against the current version" },
);

/** A policy file, or policies, to check. */
export type PolicyCheckRequest = Shape<typeof policyCheckRequestSchema>;
/** Result of parsing policies: errors, and changes against the current version. */
export type PolicyCheckView = Shape<typeof policyCheckSchema>;
