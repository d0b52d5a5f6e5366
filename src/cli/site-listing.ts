/** Sites for people. */
import type { ResponseTimesView, ResponseTimeView, SiteView } from "../api/client/index.ts";
import { lengthText } from "../base/index.ts";
import { stateColour } from "./colours.ts";
import { instantText, whenOrNone } from "./instant-text.ts";
import type { Listing } from "./output-forms.ts";
import { percent, waitText } from "./prospect-lines.ts";

/** One row per site. Numbers of a foreign site include the jobs of others. */
export const SITE_LISTING: Listing<SiteView> = {
  columns: [
    { head: "SITE", cell: ({ name }) => name },
    { head: "STATE", paint: stateColour, cell: stateText },
    { head: "TYPE", isOptional: true, cell: ({ spec }) => spec.type },
    { head: "PROCS", align: "right", cell: ({ spec }) => String(spec.procs) },
    { head: "BUSY", align: "right", cell: ({ procsBusy }) => String(procsBusy) },
    { head: "MEMORY", align: "right", isOptional: true, cell: ({ spec }) => gibibytes(spec.memoryBytes) },
    {
      head: "GPUS",
      align: "right",
      isOptional: true,
      isSparse: true,
      cell: ({ spec }) => gpusText(spec.gpus),
    },
    { head: "RUNNING", align: "right", cell: ({ running }) => String(running) },
    { head: "WAITING", align: "right", cell: ({ waiting }) => String(waiting) },
    { head: "DISCIPLINE", isOptional: true, cell: ({ spec }) => spec.discipline },
    { head: "SEEN", isWide: true, cell: ({ seenAt }, nowMs) => whenOrNone(seenAt, nowMs) },
    { head: "AD", isWide: true, cell: adText },
    { head: "RESPONSE", isWide: true, cell: ({ responseTimes }) => responseText(responseTimes) },
    { head: "TROUBLE", isWide: true, cell: ({ trouble, cannotAct }) => trouble ?? cannotAct ?? "-" },
  ],
  fields: [
    "name",
    "state",
    "type",
    "procs",
    "procsBusy",
    "memoryBytes",
    "running",
    "waiting",
    "discipline",
    "defaultWallTimeSec",
    "draining",
    "seenAt",
    "adAgeSec",
    "adLifetimeSec",
    "trouble",
    "responseTimes",
  ],
  record: ({ spec, ...site }) => ({ ...site, ...spec }),
  name: ({ name }) => name,
};

/** Age of the ad, and that it is older than its lifetime. */
function adText({ adAgeSec = null, adLifetimeSec = Number.POSITIVE_INFINITY }: SiteView): string {
  if (adAgeSec === null) return "-";
  return `${lengthText(adAgeSec)}${adAgeSec > adLifetimeSec ? ", out of date" : ""}`;
}

function gpusText(gpus = 0): string {
  return gpus === 0 ? "-" : `${gpus}`;
}

function stateText({ state, cannotAct }: SiteView): string {
  return cannotAct === undefined || state === "trouble" ? state : `${state}, cannot enforce`;
}

/** Rounded to a tenth, enough for comparisons; the JSON is exact. */
export function gibibytes(bytes: number): string {
  return `${Number((bytes / 1024 ** 3).toFixed(1))}G`;
}

const NO_RECORD = "no record yet";

/** Predicted wait of a job with one processor, with the method and the instant of the prediction. */
function responseText(said: ResponseTimesView | null): string {
  if (said === null || (said.estimated === null && said.worst === null)) return "-";
  const { at, estimated, worst } = said;
  const parts = [
    ...(estimated === null
      ? []
      : [`about ${waitText(estimated.waitSec)} (${estimated.method}, ${errorText(estimated)})`]),
    ...(worst === null
      ? []
      : [`95 % within ${waitText(worst.waitSec)} (${worst.method}, ${keptText(worst)})`]),
    `said ${instantText(at)}`,
  ];
  return parts.join(", ");
}

function errorText({ score }: ResponseTimeView): string {
  return score === null ? NO_RECORD : `median error ${waitText(score.medianErrorSec)}`;
}

function keptText({ score }: ResponseTimeView): string {
  const surest = score?.kept.at(-1);
  return surest === undefined ? NO_RECORD : `kept ${percent(surest.kept)} of ${surest.promises}`;
}
