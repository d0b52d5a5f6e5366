/** `--by`: the order of bids, by cost, by time, or by both; and the bid that a submission takes. */
import type { JobSubmission, StintClient } from "../api/client/index.ts";
import { Fault, shortened, suText } from "../base/index.ts";
import { datedText } from "./instant-text.ts";
import type { Terminal } from "./terminal.ts";
import { printable } from "./text-table.ts";

const ALPHA = /^alpha=(0(\.\d{1,6})?|1(\.0{1,6})?)$/;

/** Weight of the cost: 1 by cost, 0 by time. */
export function rankingValue(text: string): number {
  if (text === "cost") return 1;
  if (text === "time") return 0;
  const [, alpha] = ALPHA.exec(text) ?? [];
  if (alpha !== undefined) return Number(alpha);
  throw new Fault({
    kind: "badInput",
    code: "optionValueWrong",
    what: `--by: "${shortened(text)}" is not a valid order of bids`,
    why: "the order is cost, time, or alpha= with the weight of the cost, from 0 to 1",
    remedy: "write for instance --by cost, or --by alpha=0.5",
  });
}

interface Submitting {
  readonly client: Pick<StintClient, "call">;
  readonly terminal: Pick<Terminal, "writeError" | "nowMs">;
}

/** The only job of a submission, at the site of the best bid on it. @throws Fault for several, or no bid */
export async function withBestBid(
  jobs: readonly JobSubmission[],
  alpha: number,
  { client, terminal }: Submitting,
): Promise<readonly JobSubmission[]> {
  const [job] = jobs;
  if (job === undefined || jobs.length > 1 || job.array !== undefined || job.sweep !== undefined) {
    throw new Fault({
      kind: "badInput",
      code: "notOneJob",
      what: "--by is given with several jobs",
      why: "sites bid on one job at a time",
      remedy: "submit the jobs one by one, or omit --by",
    });
  }
  const { items, refusals, late } = await client.call("callForBids", { body: { ...job, alpha } });
  const [best] = items;
  if (best === undefined) {
    const reasons = [...refusals.map(({ site, text }) => `${site}: ${text}`), ...late.map(lateText)];
    throw new Fault({
      kind: "refused",
      code: "noBid",
      what: "no site bids for the job, and nothing was submitted",
      why: reasons.length === 0 ? "there is no site" : printable(reasons.join("; ")),
      remedy: "submit the job without --by; it then waits until a site can run it",
    });
  }
  const start = datedText(best.starts[0]?.startAt ?? best.endAt, terminal.nowMs());
  const cost = suText(best.costProcMs);
  terminal.writeError(`stint: ${printable(best.site)} bids ${cost}, likely start ${start}\n`);
  return [{ ...job, site: best.site, bid: best.id }];
}

/** A site whose answer has not come in time. */
export function lateText(site: string): string {
  return `${site} did not answer in time`;
}
