/** Starts of recorded jobs under some policies; a site that no policy concerns is open to everybody. */
import type { Discipline, EnforcementRules, Policy } from "../../model/index.ts";
import { type SiteAmounts, shareTree } from "../../policy/index.ts";
import { createMachine, createReplay } from "../../queue/index.ts";
import { UNBOUNDED_RULES } from "./enforced-workload.ts";
import { playEnforced } from "./play-enforced.ts";
import type { Starts } from "./played-trial.ts";

/** A job to play; times from 0. */
export interface JobToStart {
  readonly consumer: string;
  readonly submitMs: number;
  /** Above 0. */
  readonly runtimeMs: number;
  /** Assumed run time in planning; at least the true one. */
  readonly estimateMs: number;
  readonly need: SiteAmounts;
}

/** A site and its queue. */
export interface SiteToPlay {
  readonly site: string;
  readonly capacity: SiteAmounts;
  readonly form: EnforcementRules["form"];
  /** Discipline of the queue behind the enforcer. */
  readonly discipline: Discipline;
}

/** When each of the jobs, in order of submission, would start; null where it never does. */
export function startsUnder(
  policies: readonly Policy[],
  jobs: readonly JobToStart[],
  at: SiteToPlay,
): Starts {
  const isOpen = shareTree(policies, at.site).nodes.size === 0;
  return isOpen ? openStarts(jobs, at) : enforcedStarts(policies, jobs, at);
}

function openStarts(jobs: readonly JobToStart[], { capacity, discipline }: SiteToPlay): Starts {
  const amounts = (["cpu", "gpu", "memory"] as const).filter((name) => capacity[name] > 0);
  const starts: (number | null)[] = jobs.map(() => null);
  const replay = createReplay(createMachine([amounts.map((name) => capacity[name])], { discipline }), {
    finished: ({ job, startMs }) => {
      starts[job.id] = startMs;
    },
  });
  for (const [id, { submitMs, runtimeMs, estimateMs, need }] of jobs.entries()) {
    const isPossible = Object.entries(need).every(
      ([name, much]) => much <= capacity[name as keyof SiteAmounts],
    );
    if (isPossible)
      replay.offer({ id, submitMs, need: amounts.map((name) => need[name]), runtimeMs, estimateMs });
  }
  replay.finish();
  return starts;
}

function enforcedStarts(
  policies: readonly Policy[],
  jobs: readonly JobToStart[],
  { site, capacity, form, discipline }: SiteToPlay,
): Starts {
  const { jobs: played } = playEnforced({
    ...{ site, capacity, discipline, policies: [{ fromMs: 0, policies }] },
    rules: { ...UNBOUNDED_RULES, form },
    jobs: jobs.map((job, at) => ({ ...job, id: String(at) })),
  });
  return played.map(({ startMs }) => startMs);
}
