/**
 * Drives the enforcer at a foreign site: gives its orders and renews its leases (rule BR-27).
 *
 * Orders of one decision are given in their order, so that capacity is released before it is used. Holds are
 * leases: the broker renews them while it lives, and when it does not, the site releases them itself.
 */
import { Fault, messageOf } from "../base/index.ts";
import { leasesToRenew, type Survey } from "../engine/index.ts";
import {
  type EnforcementAction,
  type EnforcementVerb,
  enforcementRulesOf,
  type RefusalAbout,
  type StintEvent,
} from "../model/index.ts";
import type { EnforcementAnswer, ForeignSite, Round } from "../runtime/index.ts";
import type { Outbox } from "./outbox.ts";

/** Dependencies on the site's driver. */
export interface EnforcementWorld {
  readonly site: ForeignSite;
  readonly round: Round;
  readonly outbox: Outbox;
  readonly warn: (message: string) => void;
}

/** Enforcement at a foreign site. */
export interface EnforcementDriver {
  dispatch(event: StintEvent): void;
  /** Renews the leases of holds that are half over, or that the survey does not show. */
  seen(survey: Survey): void;
}

/**
 * Name under which all orders of the enforcer are queued: they run one after the other, so that capacity is
 * freed before it is taken.
 */
const ONE_QUEUE = "the enforcer's orders";

/** See the header. */
export function enforcementDriver(world: EnforcementWorld): EnforcementDriver {
  const { outbox } = world;
  let isRenewing = false;
  return {
    dispatch(event) {
      if (event.kind !== "enforced") return;
      outbox.send(ONE_QUEUE, async () => {
        for (const { verb, jobs } of inRuns(event.actions)) await give(world, verb, jobs);
      });
    },
    seen() {
      const { round, site } = world;
      const state = round.projection.sites.get(site.name);
      const siteJobs = state === undefined || isRenewing ? [] : leasesToRenew(state, round.nowMs());
      if (siteJobs.length === 0) return;
      isRenewing = true;
      outbox.send(ONE_QUEUE, () =>
        give(world, "hold", siteJobs, true).finally(() => {
          isRenewing = false;
        }),
      );
    },
  };
}

/** Actions with the same verb that follow each other are one order. */
function inRuns(actions: readonly EnforcementAction[]) {
  const runs: { readonly verb: EnforcementVerb; readonly jobs: string[] }[] = [];
  for (const { verb, job } of actions) {
    const last = runs.at(-1);
    if (last?.verb === verb) last.jobs.push(job);
    else runs.push({ verb, jobs: [job] });
  }
  return runs;
}

/** @param isRenewal what was ordered before: only what goes wrong is recorded */
async function give(
  world: EnforcementWorld,
  verb: EnforcementVerb,
  jobs: readonly string[],
  isRenewal = false,
): Promise<void> {
  const { site, round } = world;
  const spec = round.projection.sites.get(site.name)?.spec;
  if (spec === undefined) return;
  const untilMs = round.nowMs() + enforcementRulesOf(spec).leaseMs;
  const answer = await ordered(world, { verb, siteJobs: jobs, untilMs });
  const refused = answer.refused.map(({ siteJob, ...said }) => ({ job: siteJob, ...said }));
  for (const { job, why } of refused) world.warn(`site ${site.name} did not ${verb} ${job}: ${why}`);
  if (isRenewal && refused.length === 0) return;
  await round.enforcement({ site: site.name, verb, jobs, commands: answer.commands, refused });
}

async function ordered(
  { site }: EnforcementWorld,
  order: Parameters<NonNullable<ForeignSite["enforce"]>>[0],
) {
  if (site.enforce === undefined) return allRefused(order.siteJobs, "nothing can be enforced there", "right");
  try {
    return await site.enforce(order);
  } catch (error) {
    return allRefused(order.siteJobs, messageOf(error), aboutOf(error));
  }
}

function aboutOf(error: unknown): RefusalAbout {
  if (!(error instanceof Fault)) return "site";
  if (error.kind === "unreachable") return "site";
  return error.kind === "notAllowed" ? "right" : "job";
}

function allRefused(siteJobs: readonly string[], why: string, about: RefusalAbout): EnforcementAnswer {
  return { commands: [], refused: siteJobs.map((siteJob) => ({ siteJob, why, about })) };
}
