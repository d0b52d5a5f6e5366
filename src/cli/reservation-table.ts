/** Offers and reservations for people: a table of several, the details of one, and a sentence. */
import type { ReservationView } from "../api/client/index.ts";
import { counted, formatDuration, formatSize, suText } from "../base/index.ts";
import { resourceAmountText, resourceText } from "../model/index.ts";
import { stateColour } from "./colours.ts";
import { datedText, instantText, whenText } from "./instant-text.ts";
import type { Listing } from "./output-forms.ts";
import { rulesText } from "./rules-text.ts";
import { printable } from "./text-table.ts";

/** Fields of the JSON, one per CSV column. */
const FIELDS = [
  ...["id", "state", "site", "siteReservation", "together", "consumer", "owner", "procs"],
  ...[
    "memoryBytes",
    "gpus",
    "startAt",
    "endAt",
    "durationSec",
    "priceSu",
    "priceProcMs",
    "baseSu",
    "baseProcMs",
    "fixedSu",
  ],
  ...["fixedProcMs", "unitPrice", "transactionSu", "transactionProcMs", "penalty", "basePenalty"],
  ...[
    "delaysJobs",
    "delaySu",
    "delayProcMs",
    "expiresAt",
    "used",
    "usedSu",
    "usedProcMs",
    "penaltySu",
    "penaltyProcMs",
  ],
  ...["refundSu", "refundProcMs", "history", "rules", "resource", "ticket"],
] as readonly (keyof ReservationView)[];

/** One row per reservation. */
export const RESERVATION_LISTING: Listing<ReservationView> = {
  columns: [
    { head: "ID", cell: ({ id }) => id },
    { head: "STATE", paint: stateColour, cell: ({ state }) => state },
    { head: "SITE", isFlexible: true, cell: ({ site }) => site },
    {
      head: "PROCS",
      align: "right",
      isOptional: true,
      cell: ({ procs, resource }) => amountText(procs, resource),
    },
    { head: "GPUS", align: "right", isWide: true, cell: ({ gpus }) => String(gpus ?? 0) },
    { head: "START", cell: ({ startAt }, nowMs) => whenText(startAt, nowMs) },
    { head: "END", isOptional: true, cell: ({ endAt }, nowMs) => whenText(endAt, nowMs) },
    { head: "PRICE", align: "right", isOptional: true, cell: ({ priceProcMs }) => suText(priceProcMs) },
    { head: "USED", isWide: true, cell: ({ used }) => (used ? "yes" : "no") },
    { head: "CONSUMER", isWide: true, cell: ({ consumer }) => consumer },
    { head: "AT THE SITE", isWide: true, cell: ({ siteReservation }) => siteReservation ?? "-" },
    { head: "TICKET", isWide: true, cell: ({ ticket }) => ticket?.name ?? "-" },
    { head: "TOGETHER", isWide: true, cell: ({ together }) => together ?? "-" },
  ],
  fields: FIELDS,
  record: (reservation) => ({ ...reservation }),
  name: ({ id }) => id,
};

function amountText(procs: number, resource: ReservationView["resource"]): string {
  return resource === null ? String(procs) : `${resource.name}=${resourceAmountText(resource)}`;
}

/** The slot: `4 processors at far from … to …`, `50G of store scratch at far from … to …`. */
export function slotText(reservation: ReservationView, nowMs: number): string {
  const { procs, gpus, resource, site, startAt, endAt } = reservation;
  const beside = gpus === null ? "" : ` and ${counted(gpus, "GPU")}`;
  const what = resource === null ? `${counted(procs, "processor")}${beside}` : resourceText(resource);
  return `${what} at ${site} from ${datedText(startAt, nowMs)} to ${instantText(endAt)}`;
}

/** The price: `6 SU, of which 2 SU for delays`; where a transaction costs something, `… 12 SU fixed`. */
export function costText({
  priceProcMs,
  fixedProcMs,
  transactionProcMs = 0,
}: Pick<ReservationView, "priceProcMs" | "fixedProcMs"> &
  Partial<Pick<ReservationView, "transactionProcMs">>): string {
  const price = suText(priceProcMs);
  const what = transactionProcMs === 0 ? "for delays" : "fixed";
  return fixedProcMs === 0 ? price : `${price}, of which ${suText(fixedProcMs)} ${what}`;
}

/** An offer, with the command that accepts it. */
export function offerText(offer: ReservationView, nowMs: number): string {
  const { id, expiresAt } = offer;
  const by = rulesText(offer.rules);
  const cost = by === null ? costText(offer) : `${costText(offer)}, priced by ${by}`;
  return printable(
    `offer ${id}: ${slotText(offer, nowMs)}, ${cost}; it stands until ${datedText(expiresAt, nowMs)}: ` +
      `stint reserve ${id}`,
  );
}

function usedText({ used }: ReservationView): string {
  return used ? "yes" : "no";
}

/** Details of one reservation, a line each; empty fields are omitted. */
export function reservationDetails(reservation: ReservationView, nowMs: number): string {
  const { memoryBytes, gpus, resource, durationSec, penaltyProcMs, refundProcMs, siteReservation } =
    reservation;
  const lines: readonly (readonly [string, string | null])[] = [
    ["reservation", reservation.id],
    ["state", reservation.state],
    ["site", reservation.site],
    ["site's name", siteReservation],
    ["together", reservation.together],
    ["ticket", reservation.ticket?.name ?? null],
    ["procs", resource === null ? String(reservation.procs) : null],
    ["of", resource === null ? null : resourceText(resource)],
    ["memory", memoryBytes === null ? null : formatSize(memoryBytes)],
    ["gpus", gpus === null ? null : String(gpus)],
    ["start", datedText(reservation.startAt, nowMs)],
    ["end", datedText(reservation.endAt, nowMs)],
    ["for", formatDuration(Math.round(1000 * durationSec))],
    ["price", costText(reservation)],
    ["priced by", rulesText(reservation.rules)],
    ["delays", reservation.delaysJobs === 0 ? null : counted(reservation.delaysJobs, "queued job")],
    ["offered until", reservation.state === "OFFERED" ? datedText(reservation.expiresAt, nowMs) : null],
    ["used", reservation.usedProcMs > 0 ? suText(reservation.usedProcMs) : usedText(reservation)],
    ["penalty", penaltyProcMs === 0 ? null : suText(penaltyProcMs)],
    ["returned", refundProcMs === 0 ? null : suText(refundProcMs)],
    ["consumer", reservation.consumer],
    ["owner", reservation.owner],
    ...reservation.history.map(({ state, at, by, why }) => {
      const who = by === null ? "" : ` by ${by}`;
      return [instantText(at), `${state}${who}${why === null ? "" : `: ${why}`}`] as const;
    }),
  ];
  return lines
    .flatMap(([name, value]) => (value === null ? [] : `${name.padEnd(19)}  ${printable(value)}\n`))
    .join("");
}
