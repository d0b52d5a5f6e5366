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
      return {
        why: why.detail,
        remedy: "copy the whole line, beginning with stint-ticket.v1., and nothing else",
      };
    case "notSigned":
      return notSignedText(why.vo, why.keys);
    case "keyRevoked":
      return {
        why: `key ${why.key}, which signed it for ${why.vo}, was revoked here`,
        remedy: `request a ticket from ${why.vo} that is signed with another of its keys`,
      };
    case "besides":
      return {
        why: `the job is in a ${why.other}`,
        remedy: "omit one of the two: a job in a reservation needs no ticket",
      };
    case "wrongSite":
      return { why: `it is for ${why.site}, not for ${why.asked}`, remedy: `use it at ${why.site}` };
    case "wrongConsumer":
      return {
        why: `it is for ${why.consumer}, and ${why.asked} is not part of that`,
        remedy: "request a ticket of your own from its issuer",
      };
    case "resourceNotNeeded":
      return {
        why: `it is for ${why.resource}, and the request has none`,
        remedy: "omit the ticket",
      };
    case "altered":
      return {
        why: "another ticket with that name has been used, and a name can be used only once",
        remedy: "issue a new one with another id",
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
  const known =
    keys === 0 ? `the broker trusts no key of ${vo}` : "it was altered, or signed with another key";
  const trusted = keys === 1 ? "is trusted" : "are trusted";
  return {
    why: `none of the ${counted(keys, "key")} that ${trusted} for ${vo} signed it: ${known}`,
    remedy:
      "request the ticket again, or have an admin trust its key: `stint ticket key trust KEY --vo NAME`",
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
    why:
      `of its ${text(amountMs)} ${gone}; up to ${text(neededMs)} are needed, which is ${text(shortMs)} ` +
      "more than remain",
    remedy:
      "request less, or less time (-t), wait until other jobs release their part, or get another ticket",
  };
}

function excessText(excess: TicketExcess): Omit<RefusalText, "what"> {
  const { vo, resource, fromMs, untilMs, entitledMs, promisedMs, amountMs } = excess;
  const text = (ms: number): string => ticketAmountText(resource, ms);
  const stretch = `from ${utcText(fromMs)} until ${utcText(untilMs)}`;
  const promised = `its other tickets grant ${text(promisedMs)}, and this one ${text(amountMs)}`;
  return {
    why: `${stretch} ${vo} has ${text(entitledMs)}, and ${promised}`,
    remedy: `request a smaller ticket from ${vo}, or one with another window`,
  };
}

type TimeHindrance = Extract<
  TicketHindrance,
  { readonly kind: "expired" | "windowAhead" | "windowOver" | "windowShort" }
>;

function timeText(why: TimeHindrance): Omit<RefusalText, "what"> {
  switch (why.kind) {
    case "expired":
      return { why: `it expired at ${utcText(why.expiredAtMs)}`, remedy: "request a new one" };
    case "windowAhead":
      return { why: `its window begins at ${utcText(why.fromMs)}`, remedy: "use it then" };
    case "windowOver":
      return { why: `its window ended at ${utcText(why.untilMs)}`, remedy: "request a new one" };
    case "windowShort":
      return {
        why: `it could run until ${utcText(why.endMs)}, but the window ends at ${utcText(why.untilMs)}`,
        remedy: "request less time (-t), or omit the ticket",
      };
    default:
      return unreachable(why);
  }
}
