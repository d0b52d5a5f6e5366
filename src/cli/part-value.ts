/**
 * `--at SITE:PROCS`: the slots at several sites that are wanted together.
 */
import type { TogetherPartWish } from "../api/client/index.ts";
import { Fault } from "../base/index.ts";

const FEWEST = 2;
const MOST = 16;

/** Collects them as they are said. @throws Fault `optionValueNotSlot`, `siteTwice`, `tooManyParts` */
export function partValue(text: string, before: readonly TogetherPartWish[] = []): TogetherPartWish[] {
  const [, site = "", digits = ""] = /^([^:\s]{1,64}):(\d{1,15})$/.exec(text) ?? [];
  const procs = Number(digits);
  if (site === "" || procs === 0) throw notPart(text);
  if (before.some((part) => part.site === site)) throw siteTwice(site);
  if (before.length === MOST) throw tooMany;
  return [...before, { site, procs }];
}

/** One alone is not had together with anything. @throws Fault `partAlone` */
export function demandSeveral(parts: readonly TogetherPartWish[]): void {
  const [only] = parts;
  if (parts.length >= FEWEST || only === undefined) return;
  throw new Fault({
    kind: "badInput",
    code: "partAlone",
    what: `--at ${only.site}:${only.procs} names one site only`,
    why: "--at is for slots at several sites that begin and end together",
    remedy: `say --site ${only.site} -n ${only.procs}, or another --at beside it`,
  });
}

function notPart(text: string): Fault {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new Fault({
    kind: "badInput",
    code: "optionValueNotSlot",
    what: `--at: "${shown}" is not a slot at a site`,
    why: "it is a site, a colon, and how many processors there: a whole number above zero",
    remedy: "write for instance --at far:64",
  });
}

function siteTwice(site: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "siteTwice",
    what: `--at names ${site} twice`,
    why: "at each site there is one slot, as wide as is needed there",
    remedy: `say --at ${site} once, with the processors of both`,
  });
}

const tooMany = new Fault({
  kind: "badInput",
  code: "tooManyParts",
  what: `--at is said more than ${MOST} times`,
  why: `slots at ${FEWEST} to ${MOST} sites can be had together`,
  remedy: "ask for wider slots at fewer sites",
});
