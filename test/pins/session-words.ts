/**
 * Commands of a session as somebody writes them: lengths of time as `90s`, instants as `+1h` from now, and
 * what goes without saying left out.
 */
import {
  type Command,
  ENFORCEMENT_DEFAULTS,
  JOB_DEFAULTS,
  POLICY_DEFAULTS,
  RESERVATION_DEFAULTS,
} from "../../src/model/index.ts";
import { IMITATED_RUNTIME } from "../../src/sites/simulated/index.ts";
import { foreignSpec } from "../engine-scene.ts";
import { presented } from "../ticket-scene.ts";
import type { SessionWorld } from "./session-world.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A command as it stands in a session. */
interface WrittenCommand {
  readonly kind: string;
  readonly id: string | undefined;
  readonly fields: Fields;
  readonly world: Pick<SessionWorld, "nowMs">;
}

/** What the word after a command's kind names. */
const IDS: Readonly<Record<string, string>> = {
  ...{ addSite: "site", changeSite: "site", drainSite: "site", reopenSite: "site", removeSite: "site" },
  ...{ submit: "job", cancel: "job", hold: "job", release: "job", suspend: "job", resume: "job" },
  ...{ offerSlot: "reservation", acceptOffer: "reservation", cancelReservation: "reservation" },
  ...{ relinquish: "reservation", extendReservation: "reservation", offerTogether: "together" },
  ...{
    grant: "grant",
    followPolicies: "follower",
    unfollowPolicies: "follower",
    undoEnforcement: "enforcedJob",
  },
  ...{ pauseEnforcement: "site", continueEnforcement: "site", changeVo: "vo", trustTicketKey: "key" },
  ...{ revokeTicketKey: "key", revokeToken: "token", createToken: "token" },
};

const OWNER = { consumer: "lab/ann", owner: "ann" };

/** The command that is meant. */
export function commandFrom({ kind, id, fields, world }: WrittenCommand): Command {
  const said = inMs(fields, world.nowMs()) as Fields;
  const named = id === undefined ? {} : { [IDS[kind] ?? "id"]: id };
  const shaped = SHAPES[kind]?.({ ...named, ...said }, world.nowMs()) ?? { by: "admin", ...named, ...said };
  return { kind, ...shaped } as Command;
}

const SHAPES: Readonly<Record<string, (said: Fields, nowMs: number) => Fields>> = {
  addSite: siteShape,
  changeSite: siteShape,
  submit({ job, consumer = OWNER.consumer, owner = OWNER.owner, ticket, ...said }, nowMs) {
    const { runMs, ...description } = said;
    return {
      ...{ job, consumer, owner },
      ...(ticket === undefined ? {} : { ticket: presentedIn(ticket as Fields, nowMs) }),
      description: {
        ...{ ...JOB_DEFAULTS, executable: "true", ...description },
        environment: runMs === undefined ? {} : { [IMITATED_RUNTIME]: `${runMs}ms` },
      },
    };
  },
  offerSlot: (said, nowMs) => slotShape(said, nowMs),
  offerTogether({ together, parts }, nowMs) {
    return { together, parts: (parts as readonly Fields[]).map((part) => slotShape(part, nowMs)) };
  },
  extendReservation: (said) => ({ by: "ann", mostFixedProcMs: 10 ** 12, ...said }),
  acceptOffer: (said) => ({ by: "ann", ...said }),
  cancelReservation: (said) => ({ by: "ann", ...said }),
  relinquish: (said) => ({ by: "ann", ...said }),
  applyPolicies({ policies, ...said }) {
    const before = { effectiveFromMs: null, onVersion: null, by: "admin", note: "" };
    return { ...before, ...said, policies: (policies as readonly Fields[]).map(policyShape) };
  },
  followPolicies: (said) => ({ version: null, by: "admin", ...said }),
  trustTicketKey: (said) => ({ publicKey: `public ${said.key}`, label: "", by: "admin", ...said }),
};

function siteShape({ site, type = "managed", grant, reserve, ...said }: Fields): Fields {
  const common = { procs: 4, memoryBytes: 2 ** 30, discipline: "easy", defaultWallTimeMs: 3_600_000 };
  const base = type === "managed" ? { type, ...common } : { ...foreignSpec(4), jobs: "imitate" };
  return {
    site,
    spec: {
      ...{ ...base, ...said },
      ...(grant === undefined ? {} : { enforcement: { ...ENFORCEMENT_DEFAULTS, granted: grant } }),
      ...(reserve === undefined ? {} : { reservations: { ...RESERVATION_DEFAULTS, ...(reserve as Fields) } }),
    },
  };
}

function slotShape({ ticket, ...said }: Fields, nowMs: number): Fields {
  const under = ticket === undefined ? {} : { ticket: presentedIn(ticket as Fields, nowMs) };
  return { ...{ memoryBytes: 0, durationMs: 3_600_000 }, ...OWNER, ...said, ...under };
}

function policyShape({ consumer, percent, epoch = "1h", burst, ...said }: Fields): Fields {
  const path = String(consumer);
  const provider = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "here";
  const shareOf = (part: unknown) => Math.round(Number(part) * 10_000);
  return {
    ...{ ...POLICY_DEFAULTS, provider, consumer },
    epoch: { window: { kind: "sliding", lengthMs: lengthMs(String(epoch)) }, sharePpm: shareOf(percent) },
    burst: burst === undefined ? POLICY_DEFAULTS.burst : { bucketMs: 60_000, sharePpm: shareOf(burst) },
    ...said,
  };
}

function presentedIn(said: Fields, nowMs: number) {
  const times = {
    fromMs: nowMs,
    untilMs: nowMs + 3_600_000,
    issuedAtMs: nowMs,
    expiresAtMs: nowMs + 3_600_000,
  };
  return presented({ site: "here", vo: "lab", consumer: "lab", ...times, ...said });
}

/** Every field that ends in `Ms` in ms: `90s` as a length, `+1h` as an instant from now. */
function inMs(value: unknown, nowMs: number, name = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => inMs(item, nowMs));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inMs(item, nowMs, key)]));
  }
  if (typeof value !== "string" || !name.endsWith("Ms")) return value;
  return value.startsWith("+") ? nowMs + lengthMs(value.slice(1)) : lengthMs(value);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The ms of `90s`, `2h`. */
export function lengthMs(words: string): number {
  const [, count, unit = ""] = /^([\d.]+)(ms|s|m|h|d)$/.exec(words) ?? [];
  const factor = UNITS[unit];
  if (factor === undefined) throw new Error(`not a length of time: ${words}`);
  return Number(count) * factor;
}
