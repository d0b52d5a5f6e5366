/**
 * A site as tests of its enforcer tell it: a few processors, policies in percent, jobs in one line each.
 */
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementRules,
  POLICY_DEFAULTS,
  type Policy,
} from "../src/model/index.ts";
import {
  createUseKeeper,
  type EnforcedJob,
  type EnforcedJobState,
  type EnforcedSite,
  type EnforcementDecision,
  noteJob,
  type SiteAmounts,
  settleUse,
  shareTree,
  usesKept,
} from "../src/policy/index.ts";

/** The name of the site. */
export const SITE = "site";

/** All steps but watching. */
export const ALL_STEPS: EnforcementRules["granted"] = ["hold", "requeue", "suspend"];

/** A policy of the site, or of the level above the consumer; shares in percent, epoch an hour. */
export function policy(
  consumer: string,
  epochPercent: number,
  more: Partial<Omit<Policy, "burst" | "epoch">> & {
    readonly burst?: number;
    readonly windowMs?: number;
  } = {},
): Policy {
  const { burst = 100, windowMs = 3_600_000, ...rest } = more;
  const above = consumer.slice(0, Math.max(0, consumer.lastIndexOf("/")));
  return {
    resource: POLICY_DEFAULTS.resource,
    provider: above === "" ? SITE : above,
    consumer,
    epoch: { window: { kind: "sliding", lengthMs: windowMs }, sharePpm: epochPercent * 10_000 },
    burst: { bucketMs: 60_000, sharePpm: burst * 10_000 },
    rule: "entitlement",
    mode: "shared",
    carry: "repay",
    ...rest,
  };
}

/** What a test says of a job; the rest is usual: one processor, an hour, waiting. */
export type JobWords = Partial<Omit<EnforcedJob, "need">> & {
  readonly consumer: string;
  readonly need?: number | Partial<SiteAmounts>;
};

/** Jobs named `a`, `b`, … in order, unless they have names. */
export function jobsOf(words: readonly JobWords[]): readonly EnforcedJob[] {
  return words.map((job, order) => {
    const { need = 1, state = "waiting", ...rest } = job;
    const runs = state === "running";
    const begunAtMs = rest.begunAtMs ?? (runs || state === "suspended" ? 0 : null);
    const estimateMs = rest.estimateMs ?? 3_600_000;
    return {
      id: String.fromCharCode(97 + order),
      order,
      state,
      estimateMs,
      stops: 0,
      stoppedFor: [],
      nudged: null,
      ...rest,
      begunAtMs,
      plannedEndMs: runs ? (rest.plannedEndMs ?? (begunAtMs ?? 0) + estimateMs) : null,
      need: { cpu: 0, gpu: 0, memory: 0, ...(typeof need === "number" ? { cpu: need } : need) },
    };
  });
}

/** A scene, before it is a site. */
export interface Scene {
  readonly policies: readonly Policy[];
  readonly jobs: readonly JobWords[];
  readonly cpu?: number;
  readonly memory?: number;
  readonly gpu?: number;
  readonly available?: Partial<SiteAmounts>;
  readonly rules?: Partial<EnforcementRules>;
  readonly actionsLeft?: number;
  /** Uses before: how many processors of a consumer from when until when. */
  readonly past?: readonly {
    readonly consumer: string;
    readonly cpu: number;
    readonly ms: readonly [number, number];
  }[];
}

/** The site of a scene at an instant, with the uses that its running jobs had since they began. */
export function siteOf(scene: Scene, nowMs: number): EnforcedSite {
  const { policies, cpu = 10, memory = 0, gpu = 0, past = [] } = scene;
  const capacity = { cpu, memory, gpu };
  const shares = shareTree(policies, SITE);
  const jobs = jobsOf(scene.jobs);
  const keeper = createUseKeeper(shares, capacity);
  const changes = [
    ...past.flatMap(({ consumer, cpu: amount, ms: [from, until] }) => {
      const job = { consumer, need: { cpu: amount, memory: 0, gpu: 0 } };
      return [
        { atMs: from, tell: () => noteJob(keeper, job, null, "running") },
        { atMs: until, tell: () => noteJob(keeper, job, "running", null) },
      ];
    }),
    ...jobs.map((job) => ({
      atMs: job.state === "running" ? (job.begunAtMs ?? nowMs) : nowMs,
      tell: () => noteJob(keeper, job, null, job.state),
    })),
  ];
  for (const { atMs, tell } of changes.sort((one, other) => one.atMs - other.atMs)) {
    tell();
    settleUse(keeper, atMs);
  }
  return {
    capacity,
    available: { ...capacity, ...scene.available },
    jobs,
    shares,
    uses: usesKept(keeper),
    rules: { ...ENFORCEMENT_DEFAULTS, granted: ALL_STEPS, ...scene.rules },
    actionsLeft: scene.actionsLeft ?? 1_000,
  };
}

/** What is asked for, in words: `release a`, `suspend b`. */
export function told({ actions }: EnforcementDecision): readonly string[] {
  return actions.map(({ verb, job }) => `${verb} ${job}`);
}

/** The site after what was asked for was done, at the same instant, before anything let go has started. */
export function carriedOut(
  site: EnforcedSite,
  { actions }: EnforcementDecision,
  nowMs: number,
): EnforcedSite {
  const jobs = new Map(site.jobs.map((job) => [job.id, job]));
  for (const { verb, job: id, cause } of actions) {
    const job = jobs.get(id);
    if (job === undefined) throw new Error(`${id} is not at the site`);
    const stop = {
      plannedEndMs: null,
      stops: job.stops + 1,
      stoppedFor: cause.kind === "roomFor" ? [...job.stoppedFor, cause.job] : job.stoppedFor,
    };
    const restMs = Math.max(0, (job.plannedEndMs ?? nowMs) - nowMs);
    const to = (state: EnforcedJobState, more: Partial<EnforcedJob> = {}) =>
      jobs.set(id, { ...job, state, ...more });
    if (verb === "release" || verb === "resume") to("queued");
    if (verb === "hold") to("waiting");
    if (verb === "suspend") to("suspended", { ...stop, estimateMs: restMs });
    if (verb === "requeue") to("waiting", { ...stop, begunAtMs: null });
    if (verb === "raise" || verb === "lower")
      to(job.state, { nudged: verb === "raise" ? "raised" : "lowered" });
  }
  const counted = actions.filter(({ verb }) => !["release", "resume", "raise"].includes(verb)).length;
  return { ...site, jobs: [...jobs.values()], actionsLeft: site.actionsLeft - counted };
}
