/**
 * Reads one of `sites`: defaults that depend on other settings, and rules that could never apply. Rules of
 * reservations, stores and links may also be given alone, in an option of a command.
 */
import {
  type AnyShape,
  adAttributesShape,
  applicationsShape,
  linksShape,
  type Read,
  reservationsShape,
  siteShape,
  storesShape,
} from "../../contract/files/index.ts";
import { unreadableAttribute } from "../../match/index.ts";
import {
  ENFORCEMENT_DEFAULTS,
  type EnforcementRules,
  type PriceRule,
  type ReservationRules,
} from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { type DocumentReading, type Remark, readDocument, shown, type Words } from "../yaml/index.ts";
import type { ConfiguredSite } from "./configuration.ts";

/** A site as its shape reads it. */
type SaidSite = Read<typeof siteShape>;
type Reading = Omit<DocumentReading<unknown>, "said">;

const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;

/** The site with the lines of its settings; what is wrong with it goes to the notes. */
export function readSite(said: SaidSite, reading: Reading): ConfiguredSite {
  const { notes, at, linesIn } = reading;
  const { stores = {}, links = {} } = said;
  for (const name of Object.keys(links)) {
    if (Object.hasOwn(stores, name)) notes.problem(at(said), sharedName(name));
  }
  const { ads = {} } = said;
  const unreadable = unreadableAttribute(ads);
  if (unreadable !== undefined) notes.problem(at(ads), unreadableAd(unreadable));
  for (const rule of (said.type === "slurm" ? said.pilots?.identity?.rules : undefined) ?? []) {
    const { account, pool = [] } = rule;
    if (account !== null && pool.length > 0) notes.problem(at(rule, "pool"), accountAndPool(account));
  }
  const lines = new Map(linesIn(said, siteShape.cases[said.type]));
  lines.delete("name");
  return { name: said.name, line: notes.lineOf(at(said)), settings: settingsOf(said, reading), lines };
}

function settingsOf(said: SaidSite, reading: Reading): ConfiguredSite["settings"] {
  const { reservations, enforcement } = said;
  const rules = {
    ...rulesOf(reservations, reading),
    ...enforcementOf(enforcement, reading),
  };
  switch (said.type) {
    case "managed": {
      const { name: _, reservations: _rules, enforcement: _steps, ...settings } = said;
      return { ...settings, ...rules };
    }
    case "simulated": {
      const { name: _, reservations: _rules, enforcement: _steps, ...settings } = said;
      return { memoryBytes: settings.procs * GIB, ...settings, ...rules };
    }
    case "exec": {
      const { name: _, reservations: _rules, enforcement: _steps, ...settings } = said;
      return { ...settings, ...rules };
    }
    case "slurm": {
      const { name: _, reservations: _rules, enforcement: _steps, ...settings } = said;
      return { ...settings, ...rules };
    }
  }
}

/** The rules; undefined where there is no word of them. */
function rulesOf(
  said: Read<typeof reservationsShape> | undefined,
  reading: Reading,
): { readonly reservations?: ReservationRules } {
  if (said === undefined || reading.words(said).length === 0) return {};
  tellPrices(said.prices ?? [], reading);
  return { reservations: said };
}

/** Where no step is granted it only watches. */
function enforcementOf(
  said: EnforcementRules | undefined,
  { words }: Reading,
): { readonly enforcement?: EnforcementRules } {
  if (said === undefined || words(said).length === 0) return {};
  return { enforcement: said.granted.length > 0 ? said : { ...said, granted: ENFORCEMENT_DEFAULTS.granted } };
}

/** Reports price rules that can never apply, or cannot be distinguished. */
function tellPrices(prices: readonly PriceRule[], { notes, at }: Reading): void {
  const before: PriceRule[] = [];
  for (const rule of prices) {
    const always = before.find(fitsAlways);
    const wrong =
      (rule.fromMs === rule.untilMs || rule.untilMs === 0 ? noTime(rule.name) : undefined) ??
      (before.some(({ name }) => name === rule.name) ? nameTwice(rule.name) : undefined) ??
      (always && ruleUnreached(rule.name, always.name));
    if (wrong === undefined) before.push(rule);
    else notes.problem(at(rule), wrong);
  }
}

function fitsAlways({ fromMs, untilMs, days, consumers, slots }: PriceRule): boolean {
  return fromMs === 0 && untilMs === DAY_MS && days === null && consumers === null && slots === null;
}

/** Value and problems of a text; valid without problems. */
interface Alone<Value> {
  /** Undefined for an empty text. */
  readonly value: Value | undefined;
  readonly problems: readonly Remark[];
}

/** Reads the value of `reservations`: `{ ahead: 7d, share: 0.25 }`. */
export function readRules(text: string): Alone<ReservationRules> {
  const file = { noun: "rules of reservations", example: "{ ahead: 7d, share: 0.25 }" };
  const reading = readDocument(text, reservationsShape, file);
  const { reservations } = rulesOf(reading.said, reading);
  return { value: reservations, problems: reading.problems() };
}

const ALONE = {
  stores: storesShape,
  links: linksShape,
  applications: applicationsShape,
  ads: adAttributesShape,
} as const;

/** Reads the value of `stores`, `links`, `applications` or `ads`. */
export function readResources(word: keyof typeof ALONE, text: string) {
  const file = { noun: `what a site has of ${word}`, example: `${word}: …` };
  const reading = readDocument(text, ALONE[word] as AnyShape, file);
  return { value: reading.said, problems: reading.problems() };
}

function accountAndPool(account: string) {
  return {
    code: "wordsExclude",
    what: `account ${account} and pool are given in one mapping rule`,
    why: "a rule maps its jobs to one account, or leases the accounts of its pool",
    remedy: "remove one of them, or write two rules",
  };
}

function unreadableAd({ attribute, problem }: NonNullable<ReturnType<typeof unreadableAttribute>>): Words {
  const { what, why, remedy } = problem;
  return { code: "badAttribute", what: `attribute ${attribute} of the ads: ${what}`, why, remedy };
}

function sharedName(name: string): Words {
  return {
    code: "badResource",
    what: `${echoText(name)} is a store and a link`,
    why: "reservations and policies refer to either by its name alone",
    remedy: "rename one of them",
  };
}

function noTime(name: string): Words {
  return {
    code: "noTime",
    what: `price rule ${shown(name)} never applies`,
    why: "its start and end are at the same time of day",
    remedy: 'omit from and until for whole days; for nights, write from: "22:00", until: "06:00"',
  };
}

function nameTwice(name: string): Words {
  return {
    code: "nameTwice",
    what: `two price rules have the name ${shown(name)}`,
    why: "a quote names the rule by which it was priced",
    remedy: "give one of them another name",
  };
}

function ruleUnreached(name: string, always: string): Words {
  return {
    code: "ruleUnreached",
    what: `price rule ${shown(name)} would never apply`,
    why: `the first rule that matches is applied, and ${shown(always)} before it always matches`,
    remedy: `write it before ${shown(always)}, or take it out`,
  };
}
