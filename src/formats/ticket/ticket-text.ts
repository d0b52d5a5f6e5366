/**
 * A ticket as text (rule FO-107): `stint-ticket.v1.CONTENT.SIGNATURE`, one line that survives mail.
 *
 * CONTENT is JSON with its members in the order of their names and no blanks, in base64url; SIGNATURE is that
 * of its bytes. Only the one spelling of a content is read, so that what is signed, what is compared and
 * what is understood are the same.
 */
import { createHash, type KeyObject, sign, verify } from "node:crypto";
import { accepted, type Result, refused } from "../../base/index.ts";
import { isConsumerPath, isWithin, TICKET_RESOURCES, type Ticket, voOf } from "../../model/index.ts";

/** A ticket that can be read; whether its signature is right is another question. */
export interface SignedTicket {
  readonly ticket: Ticket;
  /** SHA-256 of its content, hexadecimal. */
  readonly digest: string;
  readonly content: Uint8Array;
  readonly signature: Uint8Array;
}

/** Prefix of every ticket. */
export const TICKET_PREFIX = "stint-ticket.v1.";

/** Longer than any ticket can be: paths of eight names, and a signature. */
const LONGEST = 4096;
const ISO_LENGTH = "2026-11-20T08:30:00.000Z".length;
const FORM = /^stint-ticket\.v1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

/** The signed line of a ticket; reading it reports content that no ticket may have. */
export function signTicket(ticket: Ticket, privateKey: KeyObject): string {
  const content = Buffer.from(contentText(ticket));
  const signature = sign(null, content, privateKey);
  return `${TICKET_PREFIX}${content.toString("base64url")}.${signature.toString("base64url")}`;
}

/** Reads a line; refused with what is wrong, in words. */
export function readTicket(text: string): Result<SignedTicket, string> {
  const line = text.trim();
  if (line.length > LONGEST) return refused(`it is longer than ${LONGEST} characters`);
  const [, content = "", signed = ""] = FORM.exec(line) ?? [];
  const bytes = Buffer.from(content, "base64url");
  const signature = Buffer.from(signed, "base64url");
  // The last characters have bits that stand for nothing, which are zero in the one spelling.
  const isWhole = bytes.toString("base64url") === content && signature.toString("base64url") === signed;
  if (content === "" || !isWhole) return refused("it is not stint-ticket.v1., a content and a signature");
  const said = parsed(bytes);
  if (said === undefined) return refused("its content is no JSON");
  const misfit = misfitOf(said);
  if (misfit !== undefined) return refused(misfit);
  const ticket = ticketOf(said as TicketContent);
  if (contentText(ticket) !== bytes.toString())
    return refused("its content is not spelled as canonical JSON");
  const digest = createHash("sha256").update(bytes).digest("hex");
  return accepted({ ticket, digest, content: bytes, signature });
}

/** True where the signature is valid under the key. */
export function isSignedBy({ content, signature }: SignedTicket, publicKey: KeyObject): boolean {
  return verify(null, content, publicKey, signature);
}

/** As it is spelled: the members in the order of their names. */
interface TicketContent {
  readonly amountSec: number;
  readonly consumer: string;
  readonly expires: string;
  readonly id: string;
  readonly issued: string;
  readonly resource: Ticket["resource"];
  readonly site: string;
  readonly v: 1;
  readonly vo: string;
  readonly window: { readonly from: string; readonly until: string };
}

const MEMBERS = ["amountSec", "consumer", "expires", "id", "issued", "resource", "site", "v", "vo", "window"];

function contentText(ticket: Ticket): string {
  const { id, vo, site, consumer, resource, amountMs } = ticket;
  const content: TicketContent = {
    amountSec: amountMs / 1000,
    consumer,
    expires: isoText(ticket.expiresAtMs),
    id,
    issued: isoText(ticket.issuedAtMs),
    resource,
    site,
    v: 1,
    vo,
    window: { from: isoText(ticket.fromMs), until: isoText(ticket.untilMs) },
  };
  return JSON.stringify(content);
}

function ticketOf(said: TicketContent): Ticket {
  const { id, vo, site, consumer, resource, amountSec, window, issued, expires } = said;
  return {
    ...{ id, vo, site, consumer, resource, amountMs: amountSec * 1000 },
    ...{ fromMs: Date.parse(window.from), untilMs: Date.parse(window.until) },
    ...{ issuedAtMs: Date.parse(issued), expiresAtMs: Date.parse(expires) },
  };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Sentence on content that no ticket may have; undefined for a valid ticket. */
function misfitOf(said: unknown): string | undefined {
  if (typeof said !== "object" || said === null || Object.keys(said).join() !== MEMBERS.join()) {
    return `its content has other members than ${MEMBERS.join(", ")}`;
  }
  const at = new Map<string, unknown>(Object.entries(said));
  const wrong = CHECKS.find(([name, isRight]) => !isRight(at.get(name)));
  if (wrong !== undefined) return `its ${wrong[0]} ${wrong[2]}`;
  const { consumer, vo, window, expires, issued } = said as TicketContent;
  if (!isWithin(consumer, vo)) return "its consumer is not within its vo";
  if (Date.parse(window.from) >= Date.parse(window.until)) return "its window ends before it begins";
  return Date.parse(issued) < Date.parse(expires) ? undefined : "it expires before it is issued";
}

type Check = readonly [member: string, isRight: (value: unknown) => boolean, otherwise: string];

const CHECKS: readonly Check[] = [
  ["v", (value) => value === 1, "is not 1, the only version that there is"],
  ["id", (value) => isText(value, /^[A-Za-z0-9_-]{1,64}$/), "is not up to 64 letters, digits, - and _"],
  ["vo", (value) => isPath(value) && voOf(value) === value, "is not the first name of a consumer path"],
  ["consumer", isPath, "is no consumer path"],
  ["site", (value) => isText(value, /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/), "is no name of a site"],
  [
    "resource",
    (value) => TICKET_RESOURCES.some((it) => it === value),
    `is not one of ${TICKET_RESOURCES.join(", ")}`,
  ],
  ["amountSec", isAmount, "is not a whole number of seconds above zero"],
  ["window", isWindow, "is not from and until, in UTC to the ms"],
  ["issued", isInstant, "is no instant in UTC to the ms"],
  ["expires", isInstant, "is no instant in UTC to the ms"],
];

function isText(value: unknown, form: RegExp): value is string {
  return typeof value === "string" && form.test(value);
}

function isPath(value: unknown): value is string {
  return typeof value === "string" && isConsumerPath(value);
}

function isAmount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 0 && Number.isSafeInteger(Number(value) * 1000);
}

function isWindow(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Object.keys(value).join() !== "from,until") return false;
  return Object.values(value).every(isInstant);
}

function isInstant(value: unknown): boolean {
  // Four digits for a year, as everywhere.
  return typeof value === "string" && value.length === ISO_LENGTH && isoText(Date.parse(value)) === value;
}

/** Empty where it is past what a calendar has. */
function isoText(atMs: number): string {
  const instant = new Date(atMs);
  return Number.isNaN(instant.getTime()) ? "" : instant.toISOString();
}
