/**
 * Predicted starts of a job, in a table and in sentences. Every number is shown with its record, and methods
 * that were wrong lately are marked.
 */
import type { ForecastView, JobMatchView, ProspectView } from "../api/client/index.ts";
import { lengthText, MS_PER_HOUR, suText } from "../base/index.ts";
import { localTimes } from "./instant-text.ts";
import type { Listing } from "./output-forms.ts";

export const PROSPECT_LISTING: Listing<ProspectView> = {
  columns: [
    { head: "SITE", cell: ({ site }) => site },
    { head: "PARTITION", isWide: true, cell: ({ partition }) => partition ?? "" },
    { head: "50 %", align: "right", cell: likelyText },
    { head: "80 %", align: "right", cell: ({ forecast }) => withinText(forecast, 0.8) },
    { head: "95 %", align: "right", cell: ({ forecast }) => withinText(forecast, 0.95) },
    { head: "RESERVED", align: "right", isOptional: true, cell: slotText },
    { head: "POLICY", isWide: true, cell: ({ policy }) => policy?.when ?? "" },
    { head: "USED", align: "right", isWide: true, cell: usedText },
    { head: "FREE", align: "right", isWide: true, cell: ({ choice }) => String(choice?.freeProcs ?? "") },
    { head: "PRICE", align: "right", isWide: true, cell: priceText },
    { head: "HONOURED", align: "right", isWide: true, cell: honouredText },
    { head: "METHOD", cell: methodText },
    { head: "KEPT", cell: keptText },
    { head: "ERROR", align: "right", isWide: true, cell: ({ forecast }) => errorText(forecast) },
    {
      head: "BY DEADLINE",
      align: "right",
      isWide: true,
      cell: ({ probabilityByDeadline }) =>
        probabilityByDeadline === null ? "" : percent(probabilityByDeadline),
    },
  ],
  fields: [
    ...["site", "partition", "takesJobs", "fits", "method", "wait50Sec", "wait80Sec", "wait95Sec"],
    ...["promises", "kept", "hasBeenWrong", "probabilityByDeadline", "refusal", "noRecord", "trouble"],
    ...["slotStartAt", "slotPriceSu", "slotFixedSu", "policy"],
    ...["honoured", "limit", "limitOf", "usedShare", "freeProcs", "priceSu", "honouredRate", "followed"],
    ...["recommended", "chosen"],
  ],
  record: recordOf,
  name: ({ site }) => site,
};

/**
 * The earliest start first, counted from when its input data are there; sites without a prediction last.
 *
 * @param match where the data are
 */
export function inOrderOfStart(
  prospects: readonly ProspectView[],
  match?: Pick<JobMatchView, "sites">,
): readonly ProspectView[] {
  const transfers = new Map(match?.sites.map(({ name, data }) => [name, data?.transferSec ?? 0]));
  const waitSec = (it: ProspectView): number => {
    const likely = likelyWaitSec(it);
    if (likely !== undefined) return likely + (transfers.get(it.site) ?? 0);
    return it.fits === true ? Number.MAX_VALUE : Number.POSITIVE_INFINITY;
  };
  return [...prospects].sort((a, b) => waitSec(a) - waitSec(b) || (a.site < b.site ? -1 : 1));
}

/** Sentences below the table: the best site's promise, and the reason of each site that is excluded. */
export function prospectLines(prospects: readonly ProspectView[]): readonly string[] {
  const told = prospects.filter(({ forecast }) => forecast !== null);
  const best = told.find(({ imitates }) => imitates !== true) ?? told.at(0);
  const isLikely = best !== undefined && best.probabilityByDeadline !== null;
  return [
    ...(best?.forecast ? [promiseText(best.site, best.forecast)] : []),
    ...(isLikely ? [`by the deadline it has started there with at least ${percent(likely(best))}`] : []),
    ...prospects.flatMap(silentText),
    ...prospects.flatMap(({ site, policy }) =>
      policy === undefined || policy.when === "now" ? [] : [`${site}: ${localTimes(policy.text)}`],
    ),
  ];
}

function usedText({ choice }: ProspectView): string {
  return choice === undefined ? "" : percent(choice.usedShare);
}

function priceText({ choice }: ProspectView): string {
  return choice === undefined || choice.priceSu === null ? "" : suText(choice.priceSu * MS_PER_HOUR);
}

/** Part of placements in which the site did as predicted. */
function honouredText({ choice }: ProspectView): string {
  if (choice === undefined || choice.honouredRate === null) return "-";
  return `${percent(choice.honouredRate)} of ${choice.followed}`;
}

function likely({ probabilityByDeadline }: ProspectView): number {
  return probabilityByDeadline ?? 0;
}

function promiseText(site: string, forecast: ForecastView): string {
  const promised = forecast.promises.filter(({ probability }) => probability >= 0.8);
  const within = (promised.length > 0 ? promised : forecast.promises)
    .map(({ probability, waitSec }) => `${waitText(waitSec)} (${percent(probability)})`)
    .join(", ");
  const { kept } = forecast.score;
  const surest = kept[kept.length - 1];
  const record =
    surest === undefined
      ? ""
      : `; of the last ${surest.promises} such promises here ${percent(surest.kept)} were kept`;
  const wrong = forecast.hasBeenWrong ? "; the method has been wrong here lately" : "";
  return `at ${site} it starts within ${within}${record}${wrong}`;
}

function silentText(prospect: ProspectView): readonly string[] {
  const { site, takesJobs, imitates, fits, refusal, trouble, noRecord } = prospect;
  const lines: string[] = [];
  if (imitates === true)
    lines.push(`${site} only simulates jobs, and takes only jobs that name it (--site ${site})`);
  if (refusal !== null) lines.push(`${site} would never start it: ${localTimes(refusal.text)}`);
  if (trouble !== null) {
    lines.push(
      fits === null ? `${site} could not be reached: ${trouble}` : `${site} has a problem: ${trouble}`,
    );
  }
  if (noRecord !== null) {
    const { settled, needed, scheduled } = noRecord;
    const scored = `${settled} ${settled === 1 ? "has" : "have"} been scored`;
    const none = `no record yet: ${needed} such forecasts are needed; ${scored}`;
    lines.push(
      scheduled === null
        ? `${site} says nothing (${none})`
        : `at ${site} it starts ${bySchedule(scheduled.waitSec)} if every job runs to its time ` +
            `limit and no other job arrives (${none})`,
    );
  }
  if (fits === true && !takesJobs) lines.push(`${site} takes no jobs now: it is drained, or only looked at`);
  return lines;
}

function bySchedule(waitSec: number): string {
  return waitSec === 0 ? "at once" : `within ${waitText(waitSec)}`;
}

function recordOf(prospect: ProspectView): Readonly<Record<string, unknown>> {
  const { forecast, refusal, noRecord, slot, policy, choice, ...same } = prospect;
  const surest = forecast?.score.kept[forecast.score.kept.length - 1];
  return {
    ...same,
    method: forecast?.method ?? (noRecord?.scheduled ? "schedule" : undefined),
    wait50Sec: likelyWaitSec(prospect),
    wait80Sec: waitAt(forecast, 0.8),
    wait95Sec: waitAt(forecast, 0.95),
    promises: surest?.promises,
    kept: surest?.kept,
    hasBeenWrong: forecast?.hasBeenWrong,
    refusal: refusal?.text,
    policy: policy?.when,
    slotStartAt: slot?.startAt,
    slotPriceSu: slot?.priceSu,
    slotFixedSu: slot?.fixedSu,
    ...{ honoured: choice?.honoured, limit: choice?.limit, limitOf: choice?.level },
    ...{ usedShare: choice?.usedShare, freeProcs: choice?.freeProcs, priceSu: choice?.priceSu },
    ...{ honouredRate: choice?.honouredRate, followed: choice?.followed },
    ...{ recommended: choice?.isRecommended, chosen: choice?.isChosen },
    noRecord: noRecord === null ? undefined : `${noRecord.settled} of ${noRecord.needed}`,
  };
}

function waitAt(forecast: ForecastView | null, probability: number): number | undefined {
  return forecast?.promises.find((promise) => promise.probability === probability)?.waitSec;
}

/** Median wait; without a record the schedule's. */
function likelyWaitSec({ forecast, noRecord }: ProspectView): number | undefined {
  return waitAt(forecast, 0.5) ?? noRecord?.scheduled?.waitSec;
}

function likelyText(prospect: ProspectView): string {
  const waitSec = likelyWaitSec(prospect);
  return waitSec === undefined ? "-" : waitText(waitSec);
}

function withinText(forecast: ForecastView | null, probability: number): string {
  const waitSec = waitAt(forecast, probability);
  return waitSec === undefined ? "-" : waitText(waitSec);
}

/** A wait, to the second. */
export function waitText(waitSec: number): string {
  return lengthText(Math.max(0, Math.round(waitSec)));
}

/** Cost of a reservation at the likeliest start beyond n·d·c, which queued work costs, too. */
function slotText({ slot }: ProspectView): string {
  if (slot === null) return "";
  return slot.fixedProcMs === 0 ? "free" : suText(slot.fixedProcMs);
}

function methodText({ forecast, noRecord }: ProspectView): string {
  if (forecast === null) return noRecord?.scheduled ? "schedule" : "-";
  return forecast.hasBeenWrong ? `${forecast.method} (has been wrong)` : forecast.method;
}

function keptText({ forecast, noRecord }: ProspectView): string {
  if (forecast === null) return noRecord?.scheduled ? "no record yet" : "-";
  const { kept } = forecast.score;
  const surest = kept[kept.length - 1];
  return surest === undefined ? "-" : `${percent(surest.kept)} of ${surest.promises}`;
}

function errorText(forecast: ForecastView | null): string {
  return forecast === null ? "-" : waitText(forecast.score.medianErrorSec);
}

/** A fraction in percent; less than one is never shown as "100 %". */
export function percent(part: number): string {
  return `${Number((100 * part).toFixed(part > 0.99 && part < 1 ? 1 : 0))} %`;
}
