/**
 * Where and when a hypothetical job could start: all sites are asked at the same time.
 *
 * Nothing is recorded. A site that cannot be asked has its trouble in the answer and does not delay the
 * others (rule BR-18).
 */
import { messageOf } from "../base/index.ts";
import { isOpen, policyVerdictAt, type SiteState } from "../engine/index.ts";
import { isImitating } from "../model/index.ts";
import type { Prospect, ProspectQuestion, Round } from "../runtime/index.ts";
import { type AskingWorld, askedAtSite } from "./asked-at-site.ts";
import { withChoices } from "./choices.ts";
import { peersThere } from "./peer-questions.ts";
import type { Predictions } from "./predictions/predictions.ts";
import type { Sites } from "./sites.ts";

/** Dependencies of prospects. */
export interface ProspectWorld {
  readonly round: Round;
  readonly sites: Sites;
  readonly predictions: Pick<Predictions, "when">;
}

/** All answers together may take about so long … */
const ANSWER_MS = 100;
/** … and one at least so long. */
const LEAST_MS = 15;

/** The prospects at the sites that are asked for, in their order. */
export async function prospectsOf(
  world: ProspectWorld,
  question: ProspectQuestion,
): Promise<readonly Prospect[]> {
  const { projection } = world.round;
  const asked = [...projection.sites.values()].filter(({ name }) => question.sites?.includes(name) ?? true);
  const answerMs = Math.max(LEAST_MS, ANSWER_MS / Math.max(1, asked.length));
  const found = await Promise.all(asked.map((site) => prospectAt(site, question, { ...world, answerMs })));
  return withChoices(projection, found, question, world.round.nowMs());
}

async function prospectAt(
  site: SiteState,
  question: ProspectQuestion,
  world: AskingWorld & Pick<ProspectWorld, "predictions">,
): Promise<Prospect> {
  const imitates = isImitating(site.spec) ? { imitates: true } : {};
  const said = { ...imitates, ...peersThere(world.round, site), ...policyOf(site, question, world) };
  const bare = { site: site.name, takesJobs: isOpen(site), ...said };
  const clauses = question.unmatched?.get(site.name);
  if (clauses !== undefined) {
    return { ...bare, partition: null, unfit: { kind: "noMatch", clauses }, trouble: null, when: null };
  }
  try {
    const { asked, ...found } = await askedAtSite(site, question, world);
    return { ...bare, ...found, when: asked === null ? null : await world.predictions.when(asked) };
  } catch (error) {
    return { ...bare, partition: null, unfit: null, trouble: messageOf(error), when: null };
  }
}

function policyOf(site: SiteState, { consumer, job }: ProspectQuestion, { round }: AskingWorld) {
  if (consumer === undefined) return {};
  const need = { cpu: job.procs, gpu: job.gpus, memory: job.memoryBytes };
  return { policy: policyVerdictAt(round.projection, site, { consumer, need }, round.nowMs()) };
}
