/** `stint reserve --virtual` and `--combined`: submits a job early enough to run from an instant on. */
import { randomUUID } from "node:crypto";
import type { JobView, ReservationView, VirtualReservationRequest } from "../api/client/index.ts";
import { Fault, suText } from "../base/index.ts";
import type { Consent } from "./accept-offer.ts";
import { type CommandContext, jsonText } from "./command-context.ts";
import { instantText } from "./instant-text.ts";
import { commandOf } from "./job-options.ts";
import { ticketAndSite } from "./slot-tickets.ts";
import { printable } from "./text-table.ts";
import { planText, virtualReservationRows, whyNone } from "./virtual-reservation-lines.ts";
import { type VirtualReservationOptions, virtualReservationRequest } from "./virtual-reservation-options.ts";

/** Virtual reservation to make. */
export interface VirtualReservationOrder {
  readonly options: VirtualReservationOptions & Consent;
  /** Program and arguments. */
  readonly words: readonly string[];
  /** Priced reservation beside the job. */
  readonly priced?: ReservationView;
}

/** Chooses a site, asks, and submits. @returns undefined where the user declined */
export async function reserveVirtually(
  { options, words }: VirtualReservationOrder,
  context: CommandContext,
): Promise<JobView | undefined> {
  const program = programOf(words, context);
  const { ticket, ...where } = await ticketAndSite(options, context.terminal.directory);
  const request = { ...virtualReservationRequest(options, context.terminal.nowMs), ...where };
  const under = ticket === undefined ? {} : { ticket };
  const client = await context.client();
  const quote = await client.quoteVirtualReservation(request);
  const chosen = virtualReservationRows(quote).find(({ isChosen }) => isChosen);
  if (chosen?.plan == null) throw nothingToChoose(quote.items);
  const text = `at ${chosen.site} ${planText(chosen.plan, request.startAt)}`;
  const hours = (request.procs * chosen.plan.wallTimeSec) / SEC_PER_HOUR;
  demandWithin(hours, options.most);
  if (!(await isAgreed(text, options, context))) return undefined;
  const { procs, ...same } = request;
  const asked: VirtualReservationRequest = {
    ...same,
    ...program,
    ...under,
    procs,
    sites: [chosen.site],
  };
  return await client.reserveVirtually(asked, { idempotencyKey: randomUUID() });
}

/** Submits the job beside a priced reservation, which stays where that fails. */
export async function reserveBeside(
  { options, words, priced }: VirtualReservationOrder & { readonly priced: ReservationView },
  context: CommandContext,
): Promise<JobView> {
  const { procs, ...same } = virtualReservationRequest(
    { ...options, start: priced.startAt },
    context.terminal.nowMs,
  );
  const client = await context.client();
  const asked: VirtualReservationRequest = {
    ...{ ...same, ...programOf(words, context), procs, besides: priced.id },
    ...(await ticketAndSite(options, context.terminal.directory)),
  };
  try {
    return await client.reserveVirtually(asked, { idempotencyKey: randomUUID() });
  } catch (error) {
    context.terminal.writeError(`stint: reservation ${priced.id} is yours; stint unreserve gives it back\n`);
    throw error;
  }
}

/** Prints the virtual reservation. */
export function writeVirtualReservation(
  job: JobView,
  output: "table" | "json" | "name",
  { terminal }: CommandContext,
  priced?: ReservationView,
): void {
  if (output === "json")
    terminal.writeResult(jsonText(priced === undefined ? job : { job, reservation: priced }));
  else if (output === "name") terminal.writeResult(`${job.id}\n`);
  else terminal.writeResult(`${printable(virtualText(job))}\n`);
}

/** Checks the program before anything is reserved. @throws Fault `commandMissing`, `commandEmpty` */
export function programOf(
  words: readonly string[],
  { terminal }: CommandContext,
): ReturnType<typeof commandOf> {
  if (words.length === 0) throw commandMissing;
  return commandOf(words, terminal.directory);
}

const SEC_PER_HOUR = 3600;

function virtualText({ id, site, reservation, virtual }: JobView): string {
  if (virtual === null) {
    return `job ${id} waits in reservation ${reservation}, beside which a virtual one would save nothing`;
  }
  const { submitAt, startAt, besides } = virtual;
  const where = site === null ? "" : ` to ${site}`;
  const instead = besides === null ? "" : `, or in reservation ${besides} if that is cheaper`;
  const when = `is submitted${where} at ${instantText(submitAt)}, to run from ${instantText(startAt)} on`;
  return `job ${id} ${when}${instead}`;
}

async function isAgreed(text: string, { yes }: Consent, { terminal }: CommandContext): Promise<boolean> {
  if (yes) return true;
  if (terminal.askPerson === undefined) {
    throw new Fault({
      kind: "refused",
      code: "notConfirmed",
      what: "nothing was reserved",
      why: `${text}; and without a terminal you cannot be asked to confirm`,
      remedy: "accept that with --yes, and limit the total with --most",
    });
  }
  if (await terminal.askPerson(printable(`${text}. Make it?`))) return true;
  terminal.writeError("stint: nothing was reserved\n");
  return false;
}

function demandWithin(hours: number, most: number | undefined): void {
  if (most === undefined || hours <= most) return;
  throw new Fault({
    kind: "refused",
    code: "priceAboveMost",
    what: `it may use more than your limit of ${most} SU`,
    why: `it may use ${suText(Math.ceil(hours * SEC_PER_HOUR * 1000))} for idling and running`,
    remedy: "raise the limit with --most, or accept a lower probability with --enough",
  });
}

function nothingToChoose(items: readonly Parameters<typeof whyNone>[0][]): Fault {
  const reasons = items.map((item) =>
    item.plan === null ? `${item.site}: ${whyNone(item)}` : `${item.site}: it takes no jobs now`,
  );
  return new Fault({
    kind: "refused",
    code: "nothingToReserve",
    what: "no virtual reservation is possible",
    why: reasons.length === 0 ? "there is no site" : reasons.join("; "),
    remedy: "choose another time or site, or request less; stint quote --virtual explains each site",
  });
}

const commandMissing = new Fault({
  kind: "badInput",
  code: "commandMissing",
  what: "no command was given",
  why: "a virtual reservation is a job that waits until its start time, then runs a command",
  remedy: "add it at the end, as in stint reserve --virtual -n 8 -t 1h --start 6h -- ./simulate",
});
