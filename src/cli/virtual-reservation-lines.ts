/** Virtual reservations that sites offer: a row each, and remarks below the table. */
import type {
  VirtualReservationPlanView,
  VirtualReservationQuoteView,
  VirtualReservationSiteView,
} from "../api/client/index.ts";
import { formatDuration, suText } from "../base/index.ts";
import { instantText, localTimes, whenOrNone } from "./instant-text.ts";
import type { Listing } from "./output-forms.ts";
import { percent } from "./prospect-lines.ts";

/** Answer of a site. */
export interface VirtualReservationRow extends VirtualReservationSiteView {
  readonly isChosen: boolean;
}

export const VIRTUAL_LISTING: Listing<VirtualReservationRow> = {
  columns: [
    { head: " ", cell: ({ isChosen }) => (isChosen ? ">" : "") },
    { head: "SITE", cell: ({ site }) => site },
    { head: "PARTITION", isWide: true, cell: ({ partition }) => partition ?? "" },
    { head: "SUBMITTED", cell: ({ plan }, nowMs) => whenOrNone(plan?.submitAt ?? null, nowMs) },
    { head: "LIMIT", align: "right", cell: ({ plan }) => (plan === null ? "-" : limitText(plan)) },
    { head: "SURE", align: "right", cell: ({ plan }) => (plan === null ? "-" : percent(plan.probability)) },
    { head: "IDLE AT MOST", align: "right", cell: ({ plan }) => (plan === null ? "-" : idleText(plan)) },
    { head: "KEPT", cell: ({ plan }) => (plan === null ? "-" : keptText(plan)) },
    { head: "METHOD", isWide: true, cell: ({ plan }) => plan?.method ?? "" },
  ],
  fields: [
    ...["site", "partition", "takesJobs", "submitAt", "wallTimeSec", "probability", "mostIdleSu"],
    ...["method", "waits", "promises", "kept", "hasBeenWrong", "chosen"],
    ...["refusal", "hindrance", "noRecord", "trouble"],
  ],
  record: recordOf,
  name: ({ site }) => site,
};

/** Rows of the sites, in their order. */
export function virtualReservationRows({
  items,
  chosen,
}: VirtualReservationQuoteView): readonly VirtualReservationRow[] {
  return items.map((item) => ({ ...item, isChosen: item.site === chosen?.site }));
}

/** Reasons of the sites without a plan, and the cost of the chosen one. */
export function virtualReservationLines(
  rows: readonly VirtualReservationRow[],
  startAt: string,
): readonly string[] {
  return rows.flatMap((row) => {
    if (row.plan === null) return [`${row.site} has none: ${whyNone(row)}`];
    const notNow = row.takesJobs ? [] : [`${row.site} takes no jobs now: it is drained, or in trouble`];
    return row.isChosen ? [`at ${row.site} ${planText(row.plan, startAt)}`, ...notNow] : notNow;
  });
}

/** A plan: `its job is submitted at … with a limit of 3h10m, and runs from … on …`. */
export function planText(plan: VirtualReservationPlanView, startAt: string): string {
  const wrong = plan.hasBeenWrong ? "; such promises have been broken here lately more often than said" : "";
  return (
    `its job is submitted at ${instantText(plan.submitAt)} with a limit of ${limitText(plan)}; it has ` +
    `started by ${instantText(startAt)} with at least ${percent(plan.probability)}, from ` +
    `${plan.source.waits} past waits (${keptText(plan)} such promises kept), and idles no more than ` +
    `${idleText(plan)}${wrong}`
  );
}

/** Reason of a site without a plan. */
export function whyNone({ refusal, hindrance, noRecord, trouble }: VirtualReservationSiteView): string {
  if (noRecord !== null) {
    const missing = noRecord.needed - noRecord.settled;
    return (
      `too little is known of its starts: ${noRecord.settled} of ${noRecord.needed} jobs that are needed ` +
      `have started, ${missing} more will do`
    );
  }
  return localTimes(refusal?.text ?? hindrance?.text ?? trouble ?? "it does not say");
}

function limitText({ wallTimeSec }: VirtualReservationPlanView): string {
  return formatDuration(Math.round(1000 * wallTimeSec));
}

function idleText({ mostIdleProcMs }: VirtualReservationPlanView): string {
  return suText(mostIdleProcMs);
}

function keptText({ score }: VirtualReservationPlanView): string {
  const surest = score.kept.at(-1);
  return surest === undefined ? "-" : `${percent(surest.kept)} of ${surest.promises}`;
}

function recordOf(row: VirtualReservationRow): Readonly<Record<string, unknown>> {
  const { plan, isChosen, refusal, hindrance, noRecord, ...same } = row;
  const surest = plan?.score.kept.at(-1);
  return {
    ...same,
    submitAt: plan?.submitAt,
    wallTimeSec: plan?.wallTimeSec,
    probability: plan?.probability,
    mostIdleSu: plan?.mostIdleSu,
    method: plan?.method,
    waits: plan?.source.waits,
    promises: surest?.promises,
    kept: surest?.kept,
    hasBeenWrong: plan?.hasBeenWrong,
    chosen: isChosen,
    refusal: refusal?.text,
    hindrance: hindrance?.text,
    noRecord: noRecord === null ? undefined : `${noRecord.settled} of ${noRecord.needed}`,
  };
}
