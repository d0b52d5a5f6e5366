/**
 * Parser of `--at SITE:PROCS`, `--at SITE/scratch=50G`, `--at SITE/uplink=100Mbit/s`: the parts of a
 * co-reservation on processors, stores and links; a part of a store or of a link may also be reserved alone.
 */
import type { CoReservationPartRequest } from "../api/client/index.ts";
import { Fault, parseRate, parseSize, type QuantityRefusal, type Result } from "../base/index.ts";
import { resourceAmountText, type SlotResource } from "../model/index.ts";

const FEWEST = 2;
const MOST = 16;

/** Collects repeated options. @throws Fault `optionValueNotSlot`, `siteTwice`, `tooManyParts` */
export function partValue(
  text: string,
  before: readonly CoReservationPartRequest[] = [],
): CoReservationPartRequest[] {
  const part = processorsOf(text) ?? resourceOf(text);
  if (part === undefined) throw notPart(text);
  if (before.some((it) => placeOf(it) === placeOf(part))) throw siteTwice(placeOf(part));
  if (before.length === MOST) throw tooMany;
  return [...before, part];
}

/** A part in the user's form: `far:64`, `far/scratch=50G`. */
export function partText(part: CoReservationPartRequest): string {
  const { procs = 0, resource } = part;
  return resource === undefined
    ? `${part.site}:${procs}`
    : `${placeOf(part)}=${resourceAmountText(resource)}`;
}

/** Place of a part, of which there is one each: `far`, `far/scratch`. */
function placeOf({ site, resource }: CoReservationPartRequest): string {
  return resource === undefined ? site : `${site}/${resource.name}`;
}

function processorsOf(text: string): CoReservationPartRequest | undefined {
  const [, site = "", digits = ""] = /^([^:/\s]{1,64}):(\d{1,15})$/.exec(text) ?? [];
  const procs = Number(digits);
  return site === "" || procs === 0 ? undefined : { site, procs };
}

function resourceOf(text: string): CoReservationPartRequest | undefined {
  const [, site = "", name = "", amount = ""] =
    /^([^:/\s]{1,64})[:/]([^=\s]{1,63})=(.{1,100})$/.exec(text) ?? [];
  if (site === "") return undefined;
  // What is a rate is of a link: so nobody has to say which of the two it is.
  const isRate = /\/s\s*$/.test(amount);
  const read: Result<number, QuantityRefusal> = isRate ? parseRate(amount) : parseSize(amount);
  if (!read.ok) throw notAmount(text, read.refusal);
  if (read.value === 0) throw notAmount(text, nothing);
  const resource: SlotResource = { kind: isRate ? "link" : "store", name, amount: read.value };
  return { site, resource };
}

const nothing = {
  why: "an amount of zero cannot be reserved",
  remedy: "write for instance --at far/scratch=50G",
};

function notAmount(text: string, { why, remedy }: Pick<QuantityRefusal, "why" | "remedy">): Fault {
  const what = `--at: "${shownOf(text)}" is not a part of a store or of a link`;
  return new Fault({ kind: "badInput", code: "optionValueNotSlot", what, why, remedy });
}

function shownOf(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The only part, where it is of a store or of a link. */
export function aloneOf(parts: readonly CoReservationPartRequest[]): CoReservationPartRequest | undefined {
  const [only] = parts;
  return parts.length === 1 && only?.resource !== undefined ? only : undefined;
}

/** Refuses a single part of processors, which is no co-reservation. @throws Fault `partAlone` */
export function demandSeveral(parts: readonly CoReservationPartRequest[]): void {
  const [only] = parts;
  if (parts.length >= FEWEST || only === undefined) return;
  throw new Fault({
    kind: "badInput",
    code: "partAlone",
    what: `--at ${partText(only)} names one site only`,
    why: "--at is for slots at several sites that start and end together, or for a part of a store or link",
    remedy: `write --site ${only.site} -n ${only.procs}, or add another --at`,
  });
}

function notPart(text: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionValueNotSlot",
    what: `--at: "${shownOf(text)}" is not a slot at a site`,
    why: "it must name a site with a number of processors, or with a part of one of its stores or links",
    remedy: "write for instance --at far:64, --at far/scratch=50G, or --at far/uplink=100Mbit/s",
  });
}

function siteTwice(place: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "siteTwice",
    what: `--at names ${place} twice`,
    why: "a reservation has one slot at each site",
    remedy: `give --at ${place} once, with the sum of both amounts`,
  });
}

const tooMany = new Fault({
  kind: "badInput",
  code: "tooManyParts",
  what: `--at was given more than ${MOST} times`,
  why: `slots can be reserved together at ${FEWEST} to ${MOST} sites`,
  remedy: "request larger slots at fewer sites",
});
