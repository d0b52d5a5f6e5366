/**
 * Reads a golden script: a site, its policies, what happens when, and what is expected to come of it.
 *
 * The format is for people who run clusters; `scripts-golden/README.md` says what a line may be.
 */
import { parseDuration, parseSize } from "../../src/base/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementRules,
  type EnforcementStep,
  type Policy,
  type SharedResource,
} from "../../src/model/index.ts";
import type { EnforcingInput, OwnedJob } from "../../src/sim/enforcing/enforced-input.ts";

/** A script. */
export interface GoldenScript {
  readonly input: EnforcingInput;
  readonly expected: string;
}

const MINUTE_MS = 60_000;

/** Reads one; throws with the line where it is not understood. */
export function readGolden(text: string): GoldenScript {
  const [script, expected = ""] = text.split(/^expected:\n/m);
  const lines = script
    .split("\n")
    .map((line) => line.replace(/#.*$/, "").trim())
    .filter((line) => line !== "");
  const draft: Draft = { policies: [], changes: [], jobs: [], losses: [], rules: {}, counts: new Map() };
  for (const line of lines)
    if (!readLine(draft, line)) throw new Error(`a golden script does not say “${line}”`);
  const { cpu = 0, memory = 0, jobs, losses, silentFromMs, untilMs } = draft;
  return {
    input: {
      site: "site",
      capacity: { cpu, gpu: 0, memory },
      policies: [{ fromMs: 0, policies: draft.policies }, ...draft.changes],
      rules: { ...ENFORCEMENT_DEFAULTS, granted: ["hold", "suspend"], ...draft.rules },
      jobs: jobs.sort((one, other) => one.submitMs - other.submitMs),
      losses,
      ...(silentFromMs === undefined ? {} : { silentFromMs }),
      ...(untilMs === undefined ? {} : { untilMs }),
    },
    expected,
  };
}

interface Draft {
  cpu?: number;
  memory?: number;
  policies: readonly Policy[];
  readonly changes: { readonly fromMs: number; readonly policies: readonly Policy[] }[];
  readonly jobs: OwnedJob[];
  readonly losses: { readonly fromMs: number; readonly untilMs: number; readonly cpu: number }[];
  rules: Partial<EnforcementRules>;
  readonly counts: Map<string, number>;
  silentFromMs?: number;
  untilMs?: number;
}

type Reader = readonly [pattern: RegExp, read: (draft: Draft, words: readonly string[]) => void];

const READERS: readonly Reader[] = [
  [
    /^site: (\d+) procs(?:, (\w+) memory)?$/,
    (draft, [cpu, memory]) => {
      draft.cpu = Number(cpu);
      draft.memory = sizeOf(memory);
    },
  ],
  [
    /^policy: (.+)$/,
    (draft, [text]) => {
      draft.policies = withPolicy(draft.policies, text);
    },
  ],
  [
    /^granted: (.+)$/,
    (draft, [steps]) => {
      draft.rules = { ...draft.rules, granted: steps.split(" ") as EnforcementStep[] };
    },
  ],
  [
    /^minimum run: (\w+)$/,
    (draft, [text]) => {
      draft.rules = { ...draft.rules, minRunMs: msOf(text) };
    },
  ],
  [
    /^lease: (\w+)$/,
    (draft, [text]) => {
      draft.rules = { ...draft.rules, leaseMs: msOf(text) };
    },
  ],
  [
    /^suspended: (\d+)%$/,
    (draft, [percent]) => {
      draft.rules = { ...draft.rules, suspendedPpm: Number(percent) * 10_000 };
    },
  ],
  [
    /^form: literal$/,
    (draft) => {
      draft.rules = { ...draft.rules, form: "literal" };
    },
  ],
  [
    /^until: (\w+)$/,
    (draft, [text]) => {
      draft.untilMs = msOf(text);
    },
  ],
  [
    /^at (\w+): (\S+) sends (\d+) jobs? of (\d+) procs?(?: and (\w+))? for (\w+)(?:, asked for (\w+))?$/,
    (draft, words) => addJobs(draft, words),
  ],
  [
    /^at (\w+): (\d+) procs fail until (\w+)$/,
    (draft, [from, cpu, until]) =>
      draft.losses.push({ fromMs: msOf(from), untilMs: msOf(until), cpu: Number(cpu) }),
  ],
  [
    /^at (\w+): policy (.+)$/,
    (draft, [from, text]) => {
      const fromMs = msOf(from);
      const policies = withPolicy(draft.changes.at(-1)?.policies ?? draft.policies, text);
      if (draft.changes.at(-1)?.fromMs === fromMs) draft.changes.pop();
      draft.changes.push({ fromMs, policies });
    },
  ],
  [
    /^at (\w+): the enforcer falls silent$/,
    (draft, [from]) => {
      draft.silentFromMs = msOf(from);
    },
  ],
];

function readLine(draft: Draft, line: string): boolean {
  for (const [pattern, read] of READERS) {
    const match = pattern.exec(line);
    if (match === null) continue;
    read(draft, match.slice(1));
    return true;
  }
  return false;
}

/** `a 20% of 1h, burst 60%, cap, preempting, repay, of memory`; a new one of a consumer replaces the old. */
function withPolicy(policies: readonly Policy[], text: string): readonly Policy[] {
  const [first, ...more] = text.split(", ");
  const match = /^(\S+) ([\d.]+)% of (\w+)$/.exec(first);
  if (match === null) throw new Error(`a golden script does not know the policy “${text}”`);
  const [consumer, percent, window] = match.slice(1);
  const above = consumer.slice(0, Math.max(0, consumer.lastIndexOf("/")));
  const word = <Word extends string>(...known: readonly [Word, ...Word[]]) =>
    known.find((it) => more.includes(it)) ?? known[0];
  const burst = more.find((it) => it.startsWith("burst "))?.slice("burst ".length) ?? "100%";
  const resource = word<SharedResource | "of memory">("cpu", "of memory") === "cpu" ? "cpu" : "memory";
  const policy: Policy = {
    resource,
    provider: above === "" ? "site" : above,
    consumer,
    epoch: { window: { kind: "sliding", lengthMs: msOf(window) }, sharePpm: Number(percent) * 10_000 },
    burst: { bucketMs: MINUTE_MS, sharePpm: Number(burst.replace("%", "")) * 10_000 },
    rule: word("entitlement", "cap"),
    mode: word("shared", "preempting", "dedicated"),
    carry: word("forgive", "repay"),
  };
  return [...policies.filter((it) => it.consumer !== consumer || it.resource !== resource), policy];
}

/** Jobs are named after their consumer's last name, and counted. */
function addJobs({ jobs, counts }: Draft, words: readonly (string | undefined)[]): void {
  const [at = "", consumer = "", count, cpu, memory, runtime = "", asked] = words;
  const name = consumer.slice(consumer.lastIndexOf("/") + 1);
  for (let i = 0; i < Number(count); i++) {
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    jobs.push({
      id: `${name}${number}`,
      consumer,
      submitMs: msOf(at),
      need: { cpu: Number(cpu), gpu: 0, memory: sizeOf(memory) },
      runtimeMs: msOf(runtime),
      estimateMs: msOf(asked ?? runtime),
    });
  }
}

function msOf(text: string): number {
  const parsed = parseDuration(text);
  if (parsed.ok) return parsed.value;
  throw new Error(`“${text}” is no time`);
}

function sizeOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const parsed = parseSize(text);
  if (parsed.ok) return parsed.value;
  throw new Error(`“${text}” is no amount of memory`);
}
