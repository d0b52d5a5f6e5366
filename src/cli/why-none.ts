/** Reasons why no start of a slot is possible, where other jobs are not the cause. */
import type { QuoteRequest, QuoteView } from "../api/client/index.ts";
import type { CommandContext } from "./command-context.ts";
import { instantText } from "./instant-text.ts";

/** Request and answers. */
export interface NothingFound {
  readonly request: QuoteRequest;
  readonly quote: QuoteView;
}

/** Tolerance: a start that has just gone by is taken as now (rule EN-34). */
const JUST_NOW_MS = 60_000;

/** Reason in one clause; undefined where running jobs, reservations or an outage are the cause. */
export async function whyNone(
  { request, quote }: NothingFound,
  context: CommandContext,
): Promise<string | undefined> {
  const { startAt, procs = 0, memoryBytes = 0, gpus = 0 } = request;
  const nowMs = context.terminal.nowMs();
  if (startAt !== undefined && Date.parse(startAt) <= nowMs - JUST_NOW_MS) {
    const now = instantText(new Date(nowMs).toISOString());
    return `it would begin at ${instantText(startAt)}, which is past: it is ${now}`;
  }
  const asked = new Set(quote.items.filter(({ trouble }) => trouble === null).map(({ site }) => site));
  if (asked.size === 0) return undefined;
  const known = await (await context.client()).sites().catch(() => []);
  const sites = known.flatMap(({ name, spec }) => (asked.has(name) ? [{ name, ...spec }] : []));
  if (sites.length === 0) return undefined;
  const widest = sites.reduce((most, site) => (site.procs > most.procs ? site : most));
  if (procs > widest.procs)
    return `the widest of these sites is ${widest.name}, with ${widest.procs} processors`;
  if (sites.every((site) => gpus > (site.gpus ?? 0))) return fewGpusText(sites);
  const isSmall = sites.every(
    (site) => procs > site.procs || memoryBytes > site.memoryBytes || gpus > (site.gpus ?? 0),
  );
  if (!isSmall) return undefined;
  const beside = gpus === 0 ? "so much memory" : "so many GPUs and so much memory";
  return `none of these sites has ${beside} beside so many processors`;
}

function fewGpusText(sites: readonly { readonly name: string; readonly gpus?: number }[]): string {
  const { name, gpus = 0 } = sites.reduce((most, site) =>
    (site.gpus ?? 0) > (most.gpus ?? 0) ? site : most,
  );
  if (gpus === 0) return "none of these sites has a GPU";
  return `the most GPUs that one of these sites has are the ${gpus} at ${name}`;
}
