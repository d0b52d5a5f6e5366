/**
 * Validation of parsed JSON as a bundle; docs/schemas/evidence.schema.json is the same for other programs.
 *
 * Bundles come from other parties, so nothing of one is used before it is validated.
 */
import { SHARED_RESOURCES } from "../../model/index.ts";
import { BUNDLE_FORMAT, BUNDLE_PARTS, BUNDLE_VERSION } from "./bundle.ts";

/** Path of the first wrong value; undefined for a valid bundle. */
export function shapeMisfit(value: unknown): string | undefined {
  return whole(value, "");
}

/** Validates a value; returns the path of the wrong part. */
type Check = (value: unknown, path: string) => string | undefined;

const text: Check = (value, path) => (typeof value === "string" ? undefined : path);
const instant: Check = (value, path) => (Number.isSafeInteger(value) ? undefined : path);
const amount: Check = (value, path) => (Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : path);
const length: Check = (value, path) => (Number.isSafeInteger(value) && Number(value) > 0 ? undefined : path);
const flag: Check = (value, path) => (typeof value === "boolean" ? undefined : path);
const hash: Check = (value, path) =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value) ? undefined : path;
const anyObject: Check = (value, path) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : path;
const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? undefined : check(value, path);
const oneOf =
  (...words: readonly (string | number)[]): Check =>
  (value, path) =>
    words.some((word) => word === value) ? undefined : path;
const list =
  (check: Check, least = 0): Check =>
  (value, path) => {
    if (!Array.isArray(value) || value.length < least) return path;
    return firstOf(value.map((item: unknown, at) => () => check(item, `${path}/${at}`)));
  };
/** An object with these members and no others; those in `optional` may be missing. */
const object =
  (members: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return path;
    const all: Readonly<Record<string, Check>> = { ...members, ...optional };
    const entries = new Map<string, unknown>(Object.entries(value));
    const stranger = [...entries.keys()].find((name) => !Object.hasOwn(all, name));
    if (stranger !== undefined) return `${path}/${stranger}`;
    const missing = Object.keys(members).find((name) => !entries.has(name));
    if (missing !== undefined) return `${path}/${missing}`;
    return firstOf(
      [...entries].map(
        ([name, member]) =>
          () =>
            all[name](member, `${path}/${name}`),
      ),
    );
  };

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}

const ppm: Check = (value, path) => amount(value, path) ?? (Number(value) <= 1_000_000 ? undefined : path);
const resource = oneOf(...SHARED_RESOURCES);
const amounts = object({}, Object.fromEntries(SHARED_RESOURCES.map((name) => [name, amount])));
const stretch = object({ fromMs: instant, toMs: instant });
const recordedStretch = object({ fromMs: instant, toMs: instant }, { resource });
const open = { fromMs: instant, toMs: orNull(instant) };
const sliding = object({ kind: oneOf("sliding"), lengthMs: length });
const fixed = object({
  ...{ kind: oneOf("fixed"), offsetMs: instant },
  unit: oneOf("hour", "day", "week", "month"),
});
const window: Check = (value, path) => (sliding(value, path) === undefined ? undefined : fixed(value, path));
const policy = object({
  ...{ resource, provider: text, consumer: text },
  epoch: object({ window, sharePpm: ppm }),
  burst: object({ bucketMs: length, sharePpm: ppm }),
  rule: oneOf("entitlement", "cap"),
  mode: oneOf("shared", "preempting", "dedicated"),
  carry: oneOf("forgive", "repay"),
});
const counting = oneOf("counted", "excluded");
const definitions = object({
  ...{ downtime: counting, drain: counting, demand: oneOf("eligible"), tolerancePpm: ppm },
  nodeFailure: oneOf("provider", "consumer"),
  time: oneOf("wall", "cpu"),
});
const record = object(
  {
    ...{ id: text, consumer: text, need: amounts, submittedAtMs: instant, endedAtMs: orNull(instant) },
    waits: list(object(open)),
    runs: list(object(open, { isLost: flag })),
    outcome: oneOf("completed", "failed", "cancelled", "unfinished"),
  },
  { of: oneOf("files", "transfers") },
);
const head = object({ seq: amount, hash });
const event = object({ kind: text, version: length, atMs: instant, body: anyObject, seq: length, hash });
const source = object({
  ...{ kind: oneOf("swf", "sacct", "logbook"), name: text, sha256: orNull(hash) },
  ...{ policies: oneOf("file", "logbook"), remarks: list(text) },
});
const whole = object({
  ...{ format: oneOf(BUNDLE_FORMAT), version: oneOf(BUNDLE_VERSION), place: text, period: stretch },
  ...{ definitions, source, recorded: list(recordedStretch), records: list(record) },
  policies: list(object({ fromMs: orNull(instant), policies: list(policy) })),
  capacity: list(object({ fromMs: instant, amounts }), 1),
  stopped: list(object({ fromMs: instant, toMs: instant, why: oneOf("downtime", "drain") })),
  log: orNull(object({ through: head, events: list(event) })),
  hashes: object({
    parts: object(Object.fromEntries(BUNDLE_PARTS.map((part) => [part, hash]))),
    ...{ records: list(hash), seal: hash },
  }),
});
