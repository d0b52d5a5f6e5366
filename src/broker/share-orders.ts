/**
 * Changes a cluster's own shares to the policies, and reverts that (rule EN-82).
 *
 * The reversal of each change is in the log before any command runs. Results of commands are not trusted: the
 * cluster is read after each one, and its state recorded. So a broker that dies in between finds out what was
 * done; when ordered again, it continues or reverts.
 */
import { randomBytes } from "node:crypto";
import { accepted, Fault, messageOf, type Result } from "../base/index.ts";
import type {
  NativeShares,
  OrderedShareChange,
  Refusal,
  ShareChange,
  ShareChangeStanding,
  ShareStep,
} from "../model/index.ts";
import type { ChangeSharesRequest, Round, SiteShares } from "../runtime/index.ts";
import { compileFor } from "./policy-questions.ts";
import type { Sites } from "./sites.ts";

interface Work {
  readonly round: Round;
  readonly cluster: SiteShares;
  readonly site: string;
}

type Answer = Result<readonly ShareStep[], Refusal>;

/** See `BrokerApi.changeShares`. */
export async function changeShares(
  round: Round,
  sites: Pick<Sites, "get">,
  request: ChangeSharesRequest,
): Promise<Answer | "notACluster"> {
  const { site } = request;
  const known = round.projection.sites;
  if (!known.has(site))
    return { ok: false, refusal: { kind: "unknownSite", site, known: [...known.keys()] } };
  const cluster = sites.get(site)?.shares;
  if (cluster === undefined) return "notACluster";
  const work = { round, cluster, site };
  return request.verb === "apply" ? apply(work, request) : takeBack(work, request);
}

async function apply({ round, cluster, site }: Work, { by }: ChangeSharesRequest): Promise<Answer> {
  const state = round.projection.sites.get(site);
  if (state?.spec.enforcement?.granted.includes("compile") !== true) throw notGranted(site);
  const before = await cluster.look();
  await settle({ round, cluster, site }, before);
  const { changes } = compileFor(round, site, { before, language: cluster.language });
  if (changes.length === 0) return accepted([]);
  const order = randomBytes(4).toString("hex");
  const asked = await round.ask({ kind: "orderShares", site, order, changes, by });
  if (!asked.ok) return asked;
  const ids = new Set(changes.map((_, at) => `${order}/${at + 1}`));
  const ordered = orderedAt(round, site).filter(({ id }) => ids.has(id));
  const steps: ShareStep[] = [];
  for (const { id, change } of ordered) {
    const last = steps.at(-1);
    const hasFailed = last !== undefined && last.result !== "made";
    const made = hasFailed ? NOT_TRIED : await make(cluster, change);
    steps.push({ id, change, ...made });
    await record({ round, site }, id, made);
  }
  return accepted(steps);
}

type Made = Pick<ShareStep, "result" | "why">;

const NOT_TRIED: Made = { result: "notTried", why: "an earlier change failed" };

async function make(cluster: SiteShares, change: ShareChange): Promise<Made> {
  const said = await run(cluster, change, change.command, false);
  try {
    const stands = cluster.language.howStands(change, await cluster.look());
    if (stands.kind === "made") return { result: "made", why: null };
    const why = said ?? (stands.kind === "otherwise" ? stands.why : "the batch system did not do it");
    return { result: stands.kind === "notMade" ? "failed" : "unknown", why };
  } catch (error) {
    return { result: "unknown", why: said ?? messageOf(error) };
  }
}

/**
 * Settles earlier orders with unknown outcome by the cluster's present state: a broker died, or did not reach
 * it.
 */
async function settle({ round, site, cluster: { language } }: Work, shares: NativeShares): Promise<void> {
  const outcomes = orderedAt(round, site)
    .filter(({ standing }) => standing === "ordered")
    .map(({ id, change }) => {
      const isMade = language.howStands(change, shares).kind !== "notMade";
      return { id, standing: isMade ? ("made" as const) : ("gone" as const), why: null };
    });
  if (outcomes.length > 0) await round.shares(site, outcomes);
}

async function takeBack(work: Work, { by, isForced }: ChangeSharesRequest): Promise<Answer> {
  const { round, site } = work;
  const ordered = [...orderedAt(round, site)].reverse();
  if (ordered.length === 0) return accepted([]);
  // What cannot be looked at is not begun with.
  await work.cluster.look();
  const changes = ordered.map(({ id }) => id);
  const asked = await round.ask({ kind: "takeBackShares", site, changes, isForced, by });
  if (!asked.ok) return asked;
  const steps: ShareStep[] = [];
  for (const one of ordered) {
    const isSilent = steps.at(-1)?.result === "unknown";
    const back = isSilent ? NOT_TRIED : await undo(work.cluster, one, isForced);
    steps.push({ id: one.id, change: one.change, ...back });
    if (back.result !== "notTried") await record(work, one.id, back);
  }
  return accepted(steps);
}

async function undo(cluster: SiteShares, { change }: OrderedShareChange, isForced: boolean): Promise<Made> {
  const { language } = cluster;
  try {
    const before = await cluster.look();
    const stands = language.howStands(change, before);
    if (stands.kind === "notMade") {
      await forget(cluster, change, before);
      return { result: "already", why: null };
    }
    const others = stands.kind === "otherwise" ? stands.why : language.usedByOthers(change, before);
    if (others !== undefined && !isForced) return { result: "left", why: others };
    const said = await run(cluster, change, change.undo, true);
    const after = await cluster.look();
    if (language.howStands(change, after).kind !== "notMade") {
      return { result: "left", why: said ?? others ?? "the batch system did not undo it" };
    }
    await forget(cluster, change, after);
    return { result: "takenBack", why: null };
  } catch (error) {
    return { result: "unknown", why: messageOf(error) };
  }
}

async function forget(cluster: SiteShares, change: ShareChange, now: NativeShares): Promise<void> {
  if (cluster.language.isForgettable(change, now)) await run(cluster, change, change.forget ?? [], true);
}

/** Error text of a command; null without one. Its effect is read from the cluster afterwards. */
async function run(
  cluster: SiteShares,
  { entity, name }: ShareChange,
  words: readonly string[],
  isTakingBack: boolean,
): Promise<string | null> {
  try {
    const what = `${isTakingBack ? "take back the change of" : "change"} ${entity} ${name}`;
    await cluster.change({ what, words, isTakingBack });
    return null;
  } catch (error) {
    return error instanceof Fault ? `${error.why}; ${error.remedy}` : messageOf(error);
  }
}

const STANDINGS: Readonly<Record<ShareStep["result"], ShareChangeStanding | "gone">> = {
  made: "made",
  failed: "gone",
  notTried: "gone",
  unknown: "ordered",
  takenBack: "gone",
  already: "gone",
  left: "left",
};

async function record({ round, site }: Pick<Work, "round" | "site">, id: string, { result, why }: Made) {
  await round.shares(site, [{ id, standing: STANDINGS[result], why }]);
}

function orderedAt(round: Round, site: string): readonly OrderedShareChange[] {
  return round.projection.sites.get(site)?.orderedShares ?? [];
}

function notGranted(site: string): Fault {
  return new Fault({
    kind: "notAllowed",
    code: "compileNotGranted",
    what: `cannot change the shares of ${site}`,
    why: "compile, the right to change the cluster's shares, is not granted there",
    remedy:
      "grant compile in the site's settings (enforcement: { grant: [compile] }), or have an administrator " +
      "of the cluster run what stint policy compile -o commands prints",
  });
}
