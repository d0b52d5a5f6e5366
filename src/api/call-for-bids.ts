/**
 * A call for bids: sites are asked concurrently, and an answer after the deadline is logged, counted and
 * ignored (rule AP-88, spec 65 A21). A call blocks no other request.
 */
import type { BidCall } from "../contract/index.ts";
import { rankBids } from "../market/index.ts";
import type { BrokerApi } from "../runtime/index.ts";
import { bidOf, type SiteAnswer } from "./bid-of-prospect.ts";
import { randomJobId } from "./job-ids.ts";
import { matchedQuestion, priceOf, questionOf } from "./prospect-question.ts";

/** Default deadline for the answers of sites. */
const ANSWER_WITHIN_SEC = 2;
const MS_PER_S = 1000;
const MILLION = 1_000_000;

/** The caller, and dependencies on the broker. */
export interface CallWorld {
  readonly brokerApi: BrokerApi;
  readonly who: { readonly consumer: string; readonly owner: string };
  readonly nowMs: () => number;
  readonly warn: (message: string) => void;
}

type Bid = Extract<SiteAnswer, { kind: "bid" }>;

/** Bids, refusals and sites without an answer, of one call. */
export interface CallResult {
  /** Best first. */
  readonly bids: readonly Bid[];
  readonly refusals: readonly Extract<SiteAnswer, { kind: "refusal" }>[];
  /** Sites without an answer in time. */
  readonly late: readonly string[];
  readonly tookSec: number;
}

/** Calls the sites that the request names, or all. @throws ProblemError */
export async function callForBids(
  { alpha = 0, answerWithinSec = ANSWER_WITHIN_SEC, ...job }: BidCall,
  world: CallWorld,
): Promise<CallResult> {
  const beginMs = world.nowMs();
  const question = questionOf(job, world.who.owner);
  const { matched } = matchedQuestion(job, { ...world, question });
  const asked = { ...matched, consumer: world.who.consumer };
  const all = world.brokerApi.sites().map(({ name }) => name);
  const sites = all.filter((name) => question.sites?.includes(name) ?? true);
  const untilMs = beginMs + answerWithinSec * MS_PER_S;
  const answers = await Promise.all(sites.map((site) => answerInTime(site, { asked, untilMs, world })));
  const came = answers.filter((it) => it !== undefined);
  const bids = came.filter((it) => it.kind === "bid");
  const ranked = rankBids(
    bids.map((answer) => ({ ...answer.bid, answer })),
    Math.round(alpha * MILLION),
  );
  return {
    bids: ranked.map(({ answer }) => answer),
    refusals: came.filter((it) => it.kind === "refusal"),
    late: sites.filter((_, at) => answers[at] === undefined),
    tookSec: (world.nowMs() - beginMs) / MS_PER_S,
  };
}

interface Call {
  readonly asked: Parameters<BrokerApi["assess"]>[0] & { readonly consumer: string };
  readonly untilMs: number;
  readonly world: CallWorld;
}

/** The answer of a site; undefined if none has arrived by the deadline. */
async function answerInTime(site: string, call: Call): Promise<SiteAnswer | undefined> {
  const { untilMs, world } = call;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      isOver = true;
      resolve(undefined);
    }, untilMs - world.nowMs());
  });
  const answer = answerOf(site, call).then((came) => {
    if (!isOver) return came;
    world.warn(
      `the bid of ${site} is ignored: it came ${(world.nowMs() - untilMs) / MS_PER_S} s after the deadline`,
    );
    return undefined;
  });
  const first = await Promise.race([answer, deadline]);
  clearTimeout(timer);
  return first;
}

/** The bid of a site; a refusal if the site cannot be asked. */
async function answerOf(site: string, { asked, world }: Call): Promise<SiteAnswer> {
  const { brokerApi, who } = world;
  const nowMs = world.nowMs();
  const [prospect] = await brokerApi.assess({ ...asked, sites: [site] }).catch(() => []);
  const spec = brokerApi.sites().find(({ name }) => name === site)?.spec;
  if (prospect === undefined || spec === undefined) return { kind: "refusal", site, why: "closed" };
  const reserved = await priceOf(prospect, { brokerApi, question: asked, consumer: who.consumer, nowMs });
  const { procs, memoryBytes, gpus, limitMs } = asked.job;
  const size = { procs, memoryBytes, gpus, limitMs: limitMs ?? spec.defaultWallTimeMs };
  const subject = { ...who, ...size, id: randomJobId(), madeAtMs: nowMs };
  const transferMs = asked.transferMs?.get(site);
  return bidOf(prospect, subject, { reserved, ...(transferMs === undefined ? {} : { transferMs }) });
}
