/**
 * Questions of a session and what the broker answers, a line each.
 */
import { parse } from "yaml";
import { explanationText } from "../../src/model/index.ts";
import type { BrokerApi, QuoteQuestion } from "../../src/runtime/index.ts";
import { lengthMs } from "./session-words.ts";
import { BEGIN_MS, type SessionWorld } from "./session-world.ts";

type Ask = (about: string, fields: Record<string, string>, world: SessionWorld) => Promise<readonly string[]>;

/** What the broker answers to `why a`, `job a`, `quote {procs: 2}` and the like. */
export async function answerTo(words: string, world: SessionWorld): Promise<readonly string[]> {
  const [, kind = "", about = "", body = "{}"] = /^(\w+)(?: ([\w/.-]+))?(?: (\{.*\}))?$/.exec(words) ?? [];
  const ask = QUESTIONS[kind];
  if (ask === undefined) throw new Error(`not a question: ${words}`);
  return await ask(about, parse(body), world);
}

const QUESTIONS: Readonly<Record<string, Ask>> = {
  async why(job, _, world) {
    const explanation = await api(world).explain(job);
    return explanation === undefined ? ["no such job"] : explanationText(explanation, clockText);
  },
  async job(id, _, world) {
    const it = await api(world).job(id);
    if (it === undefined) return ["no such job"];
    const { state, site, attempt, exitCode, abortReason } = it;
    const ended = `exit code ${exitCode}, abort reason ${JSON.stringify(abortReason)}`;
    return [`${state} at ${site}, attempt ${attempt}, ${ended}`];
  },
  async jobs(_, __, world) {
    const { items } = await api(world).jobs({});
    return items.map(({ id, state, site }) => `${id} ${state} at ${site}`);
  },
  async sites(_, __, world) {
    return api(world)
      .sites()
      .map(({ name, running, waiting, procsBusy, isDraining, trouble }) => {
        const now = `${running} running, ${waiting} waiting, ${procsBusy} processors busy`;
        return `${name}: ${now}${isDraining ? ", draining" : ""}, trouble: ${trouble}`;
      });
  },
  async reservation(id, _, world) {
    const it = await api(world).reservation(id);
    if (it === undefined) return ["no such reservation"];
    const { state, site, procs, startMs, durationMs, baseProcMs, fixedProcMs } = it;
    const price = `base ${suText(baseProcMs)}, fixed ${suText(fixedProcMs)}`;
    const slot = `${procs} processors from ${clockText(startMs)} for ${durationMs / 1000} s`;
    return [`${state} at ${site}: ${slot}, ${price}`];
  },
  async account(consumer, _, world) {
    const { levels, sites, postings } = await api(world).account(consumer);
    return [JSON.stringify({ levels, sites }), ...postings.map((it) => JSON.stringify(it))];
  },
  async quote(site, { procs = "1", length = "1h", consumer = "lab/ann" }, world) {
    const question: QuoteQuestion = {
      ...{ procs: Number(procs), memoryBytes: 0, durationMs: lengthMs(length), consumer },
      ...{ when: { kind: "whenever" }, sites: [site] },
    };
    const [quote] = await api(world).quote(question);
    if (quote === undefined) return ["no such site"];
    const starts = quote.starts.slice(0, 4).map(({ startMs, baseProcMs, fixedProcMs, delaysJobs }) => {
      const price = `base ${suText(baseProcMs)}, fixed ${suText(fixedProcMs)}`;
      return `${clockText(startMs)}: ${price}, delays ${delaysJobs} jobs`;
    });
    return quote.trouble === null ? starts : [quote.trouble];
  },
  async policies(_, __, world) {
    const { query } = api(world);
    const now = { ...query("policies"), followers: query("followers"), peers: query("peers") };
    return [JSON.stringify(now)];
  },
  async tickets(_, __, world) {
    return api(world)
      .query("tickets")
      .map((it) => JSON.stringify(it));
  },
};

const api = (world: SessionWorld): BrokerApi => world.broker().brokerApi;
const suText = (procMs: number): string => `${procMs / 3_600_000} SU`;

/** By the clock; with the day where it is not the first. */
export function clockText(atMs: number): string {
  const days = Math.floor((atMs - BEGIN_MS) / 86_400_000);
  const [, clock = ""] = new Date(atMs).toISOString().split("T");
  return `${days > 0 ? `${days}d ` : ""}${clock.replace(/(\.000)?Z$/, "")}`;
}
