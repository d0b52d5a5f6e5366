/**
 * Adding, changing and removing sites.
 *
 * A site is opened before it is added: what cannot be opened is not added. A change is recorded first, since
 * a site must not be open twice; a changed site that cannot be opened then is in trouble.
 *
 * A site that is removed is drained first, so that nothing is placed there meanwhile, and its traces go
 * before it does: where they cannot, it is still there, as it was, and can be removed again (rule BR-20).
 */
import { accepted, type Result } from "../base/index.ts";
import { type Answer, answer } from "../engine/index.ts";
import type { Command, Refusal, SiteRemovalReport } from "../model/index.ts";
import type { RemoveSiteRequest, Round } from "../runtime/index.ts";
import type { BrokerAnswers, CommandOf, CommandWorld } from "./broker-commands.ts";
import type { SiteCare } from "./site-care.ts";
import type { Sites } from "./sites.ts";

/** Dependencies of removal. */
export interface Removing {
  readonly round: Round;
  readonly sites: Sites;
  readonly care: SiteCare;
}

/** Removes a site whose jobs are over. @throws Fault where its traces were to go and cannot */
export async function removeSite(
  { round, sites, care }: Removing,
  { site, by, isClean }: RemoveSiteRequest,
): Promise<Result<SiteRemovalReport, Refusal>> {
  const command: Command = { kind: "removeSite", site, by };
  const foresee = () => answer(round.projection, command, round.nowMs());
  const before = foresee();
  const found = round.projection.sites.get(site);
  if (!before.ok || found === undefined) return before.ok ? accepted(NOTHING) : before;
  const { spec, isDraining } = found;
  if (!isDraining) await round.ask({ kind: "drainSite", site, by });
  const goBack = async (): Promise<void> => {
    if (!isDraining) await round.ask({ kind: "reopenSite", site, by });
    // What it cannot be opened for is its trouble, and it is tried again.
    await sites.attachKnown(site, spec).catch(() => undefined);
  };
  try {
    await sites.detach(site);
    const drained = foresee();
    const atSite = drained.ok ? await care.leave(site, spec, isClean) : NOTHING;
    const answered = drained.ok ? await round.ask(command) : drained;
    if (!answered.ok) {
      await goBack();
      return answered;
    }
    return accepted(bothOf(atSite, await care.putAway(site, spec, isClean)));
  } catch (error) {
    if (round.projection.sites.has(site)) await goBack();
    throw error;
  }
}

const NOTHING: SiteRemovalReport = { removed: [], left: [] };

function bothOf(one: SiteRemovalReport, other: SiteRemovalReport): SiteRemovalReport {
  return { removed: [...one.removed, ...other.removed], left: [...one.left, ...other.left] };
}

export const siteCommands = { addSite, changeSite } as const satisfies BrokerAnswers;

function addSite({ round, sites, inTurn }: CommandWorld, command: CommandOf<"addSite">): Promise<Answer> {
  return inTurn(command.site, async () => {
    const foreseen = answer(round.projection, command, round.nowMs());
    if (!foreseen.ok) return foreseen;
    await sites.attach(command.site, command.spec);
    return round.ask(command);
  });
}

function changeSite(
  { round, sites, inTurn }: CommandWorld,
  command: CommandOf<"changeSite">,
): Promise<Answer> {
  return inTurn(command.site, async () => {
    const before = round.projection.sites.get(command.site)?.spec;
    const answered = await round.ask(command);
    const spec = round.projection.sites.get(command.site)?.spec;
    if (!answered.ok || spec === undefined || spec === before) return answered;
    await sites.attachKnown(command.site, spec);
    return answered;
  });
}
