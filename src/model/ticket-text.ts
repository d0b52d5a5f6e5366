/**
 * Why tickets are not taken, and their amounts, in words.
 */
import { counted, suText, unreachable, utcText } from "../base/index.ts";
import type { RefusalText } from "./problem-text.ts";
import type { TicketExcess, TicketHindrance, TicketResource } from "./ticket.ts";

/** An amount of a ticket: `12.5 SU`, `12.5 GPU hours`, `12.5 GiB hours`, `12.5 MiB/s hours`. */
export function ticketAmountText(resource: TicketResource, amountMs: number): string {
  const { per, words } = AMOUNT_WORDS[resource];
  return suText(amountMs / per).replace("SU", words);
}

/** In how many of its units people count a resource, and how the product with hours is called. */
const AMOUNT_WORDS: Readonly<Record<TicketResource, { readonly per: number; readonly words: string }>> = {
  cpu: { per: 1, words: "SU" },
  gpu: { per: 1, words: "GPU hours" },
  memory: { per: 1024, words: "GiB hours" },
  storage: { per: 1, words: "GiB hours" },
  network: { per: 1024, words: "MiB/s hours" },
};

/** Why a ticket is not taken, and what to do. */
export function ticketHindranceText(why: TicketHindrance): Omit<RefusalText, "what"> {
  switch (why.kind) {
    case "unreadable":
      return { why: why.detail, remedy: "copy the whole line, from stint-ticket.v1. on, and nothing else" };
    case "notSigned":
      return notSignedText(why.vo, why.keys);
    case "keyRevoked":
      return {
        why: `key ${why.key}, which signed it for ${why.vo}, was revoked here`,
        remedy: `ask ${why.vo} for a ticket that another of its keys has signed`,
      };
    case "besides":
      return {
        why: `the job is in a ${why.other}`,
        remedy: "leave out one of the two: what is reserved needs no ticket",
      };
    case "wrongSite":
      return { why: `it is for ${why.site}, not for ${why.asked}`, remedy: `ask for it at ${why.site}` };
    case "wrongConsumer":
      return {
        why: `it is for ${why.consumer}, and ${why.asked} is not within that`,
        remedy: "ask whoever issued it for one of your own",
      };
    case "resourceNotNeeded":
      return {
        why: `it is for ${why.resource}, and none is asked for`,
        remedy: "do without it",
      };
    case "altered":
      return {
        why: "another ticket of the same name was presented before, and only that one counts",
        remedy: "issue a new one, with an id of its own",
      };
    case "beyondEntitlement":
      return excessText(why);
    case "spent":
      return spentText(why);
    default:
      return timeText(why);
  }
}

function notSignedText(vo: string, keys: number): Omit<RefusalText, "what"> {
  const known = keys === 0 ? `no key of ${vo} is trusted here` : "it was altered, or another key signed it";
  const trusted = keys === 1 ? "is trusted" : "are trusted";
  return {
    why: `none of the ${counted(keys, "key")} that ${trusted} for ${vo} signed it: ${known}`,
    remedy: "an admin trusts a key with `stint ticket key trust KEY --vo NAME`; else get the ticket anew",
  };
}

function spentText({
  resource,
  amountMs,
  heldMs,
  debitedMs,
  neededMs,
}: Extract<TicketHindrance, { kind: "spent" }>): Omit<RefusalText, "what"> {
  const text = (ms: number): string => ticketAmountText(resource, ms);
  const gone = `${text(debitedMs)} were used and ${text(heldMs)} are held`;
  const shortMs = neededMs - (amountMs - debitedMs - heldMs);
  return {
    why: `of its ${text(amountMs)} ${gone}; up to ${text(neededMs)} are needed, ${text(shortMs)} too many`,
    remedy: "ask for less, or for less time (-t), wait until what holds it is over, or get another ticket",
  };
}

function excessText(excess: TicketExcess): Omit<RefusalText, "what"> {
  const { vo, resource, fromMs, untilMs, entitledMs, promisedMs, amountMs } = excess;
  const text = (ms: number): string => ticketAmountText(resource, ms);
  const stretch = `from ${utcText(fromMs)} until ${utcText(untilMs)}`;
  const promised = `tickets promise ${text(promisedMs)} beside its ${text(amountMs)}`;
  return {
    why: `${stretch} ${vo} has ${text(entitledMs)}, and ${promised}`,
    remedy: `ask ${vo} for a smaller ticket, or for one with another window`,
  };
}

type TimeHindrance = Extract<
  TicketHindrance,
  { readonly kind: "expired" | "windowAhead" | "windowOver" | "windowShort" }
>;

function timeText(why: TimeHindrance): Omit<RefusalText, "what"> {
  switch (why.kind) {
    case "expired":
      return { why: `it expired at ${utcText(why.expiredAtMs)}`, remedy: "ask for a new one" };
    case "windowAhead":
      return { why: `its window begins at ${utcText(why.fromMs)}`, remedy: "ask for it then" };
    case "windowOver":
      return { why: `its window ended at ${utcText(why.untilMs)}`, remedy: "ask for a new one" };
    case "windowShort":
      return {
        why: `it could last until ${utcText(why.endMs)}, and the window ends at ${utcText(why.untilMs)}`,
        remedy: "ask for less time (-t), or do without the ticket",
      };
    default:
      return unreachable(why);
  }
}
