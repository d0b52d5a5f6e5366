/**
 * `--at SITE:PROCS`, `--at SITE/scratch=50G`, `--at SITE/uplink=100Mbit/s`: the slots of sites, stores and
 * links that are wanted together; of a store or a link also one alone.
 */
import type { CoReservationPartRequest } from "../api/client/index.ts";
import { Fault, parseRate, parseSize, type QuantityRefusal, type Result } from "../base/index.ts";
import { resourceAmountText, type SlotResource } from "../model/index.ts";

const FEWEST = 2;
const MOST = 16;

/** Collects them as they are said. @throws Fault `optionValueNotSlot`, `siteTwice`, `tooManyParts` */
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

/** `far:64`, `far/scratch=50G`. */
export function partText(part: CoReservationPartRequest): string {
  const { procs = 0, resource } = part;
  return resource === undefined
    ? `${part.site}:${procs}`
    : `${placeOf(part)}=${resourceAmountText(resource)}`;
}

/** `far`, `far/scratch`: of each there is one part. */
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
  why: "of nothing there is nothing to reserve",
  remedy: "write for instance --at far/scratch=50G",
};

function notAmount(text: string, { why, remedy }: Pick<QuantityRefusal, "why" | "remedy">): Fault {
  const what = `--at: "${shownOf(text)}" is not a part of a store or of a link`;
  return new Fault({ kind: "badInput", code: "optionValueNotSlot", what, why, remedy });
}

function shownOf(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The only one, where that is of a store or of a link. */
export function aloneOf(parts: readonly CoReservationPartRequest[]): CoReservationPartRequest | undefined {
  const [only] = parts;
  return parts.length === 1 && only?.resource !== undefined ? only : undefined;
}

/** Processors alone are not had together with anything. @throws Fault `partAlone` */
export function demandSeveral(parts: readonly CoReservationPartRequest[]): void {
  const [only] = parts;
  if (parts.length >= FEWEST || only === undefined) return;
  throw new Fault({
    kind: "badInput",
    code: "partAlone",
    what: `--at ${partText(only)} names one site only`,
    why: "--at is for slots that begin and end together, or for a part of a store or of a link",
    remedy: `say --site ${only.site} -n ${only.procs}, or another --at beside it`,
  });
}

function notPart(text: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "optionValueNotSlot",
    what: `--at: "${shownOf(text)}" is not a slot at a site`,
    why: "it is a site with so many processors there, or with a part of one of its stores or links",
    remedy: "write for instance --at far:64, --at far/scratch=50G, or --at far/uplink=100Mbit/s",
  });
}

function siteTwice(place: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "siteTwice",
    what: `--at names ${place} twice`,
    why: "of each there is one slot, as wide as is needed there",
    remedy: `say --at ${place} once, with the amounts of both`,
  });
}

const tooMany = new Fault({
  kind: "badInput",
  code: "tooManyParts",
  what: `--at is said more than ${MOST} times`,
  why: `slots at ${FEWEST} to ${MOST} sites can be had together`,
  remedy: "ask for wider slots at fewer sites",
});
