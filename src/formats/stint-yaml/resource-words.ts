/**
 * The stores and links of a site: `stores: { scratch: { size: 200G } }`, and
 * `links: { uplink: { rate: 1Gbit/s } }`.
 */
import { formatRate, formatSize } from "../../base/index.ts";
import { type LinkOffer, RESOURCE_NAME, type SiteOffer, type StoreOffer } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import {
  type NamedValue,
  type ReadWord,
  type Remark,
  rateOf,
  readEntries,
  shown,
  sizeOf,
  wrongType,
  yamlDocuments,
} from "../yaml/index.ts";
import type { Said } from "./configuration.ts";
import type { SettingValue } from "./setting-value.ts";

/** What can be said of the stores and links of any site, in bytes and bytes per second. */
export interface ResourceWords {
  readonly stores: Readonly<Record<string, StoreOffer>>;
  readonly links: Readonly<Record<string, LinkOffer>>;
}

const STORES = "stores: { scratch: { size: 200G } }";
const LINKS = "links: { uplink: { rate: 1Gbit/s } }";

const nothing = {
  why: "of nothing there is nothing to give away",
  remedy: "leave it out where there is none",
};
const noUnit = { why: "nothing could be priced in it", remedy: "leave it out for what is usual" };

/** Who reads each of them. */
export const RESOURCE_WORDS = { stores: storesOf, links: linksOf } as const;

function storesOf(named: NamedValue): ResourceWords["stores"] | undefined {
  return resourcesOf(named, STORES, (it) => {
    const { size, unit } = amountsOf(it, "size", STORES, {
      size: (value) => sizeOf(value, { example: "size: 200G", ifZero: nothing }),
      unit: (value) => sizeOf(value, { example: "unit: 1T", ifZero: noUnit }),
    });
    if (size === undefined) return undefined;
    return { sizeBytes: size, ...(unit === undefined ? {} : { unitBytes: unit }) };
  });
}

function linksOf(named: NamedValue): ResourceWords["links"] | undefined {
  return resourcesOf(named, LINKS, (it) => {
    const { rate, unit } = amountsOf(it, "rate", LINKS, {
      rate: (value) => rateOf(value, { example: "rate: 1Gbit/s", ifZero: nothing }),
      unit: (value) => rateOf(value, { example: "unit: 1Gbit/s", ifZero: noUnit }),
    });
    if (rate === undefined) return undefined;
    return { rateBytesPerSec: rate, ...(unit === undefined ? {} : { unitBytesPerSec: unit }) };
  });
}

/** What each name says; undefined, with problems, where something is wrong. */
function resourcesOf<Offer>(
  named: NamedValue,
  example: string,
  read: (named: NamedValue) => Offer | undefined,
): Readonly<Record<string, Offer>> | undefined {
  const { name, value, notes } = named;
  if (value.kind !== "mapping") {
    notes.problem(value.at, wrongType(name, value, example));
    return undefined;
  }
  const before = notes.problemCount();
  const offers = value.entries.flatMap(({ key, keyAt, value: inner }): [string, Offer][] => {
    if (!RESOURCE_NAME.test(key)) notes.problem(keyAt, badName(name, key, example));
    const offer = read({ name: `${name}.${key}`, value: inner, notes });
    return offer === undefined ? [] : [[key, offer]];
  });
  return notes.problemCount() > before ? undefined : Object.fromEntries(offers);
}

/** The amounts of a mapping, of which the first must be there. */
function amountsOf<Word extends string>(
  named: NamedValue,
  needed: NoInfer<Word>,
  example: string,
  readers: Readonly<Record<Word, (named: NamedValue) => number | undefined>>,
): { readonly [Name in Word]?: number } {
  const amounts: { [Name in Word]?: number } = {};
  const words = new Map(
    (Object.keys(readers) as Word[]).map((word): [string, ReadWord] => [
      word,
      (it) => {
        amounts[word] = readers[word](it);
      },
    ]),
  );
  const { value, notes } = named;
  if (!readEntries(named, { words, example }) || value.kind !== "mapping") return {};
  if (!value.entries.some(({ key }) => key === needed)) {
    notes.problem(value.at, {
      code: "wordMissing",
      what: `${named.name} has no ${needed}`,
      why: "what it holds or carries nobody else can say",
      remedy: `write for instance ${example}`,
    });
  }
  return amounts;
}

function badName(within: string, name: string, example: string) {
  return {
    code: "badResource",
    what: `${shown(within)}: nothing can be called ${echoText(name)}`,
    why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
    remedy: `write for instance ${example}`,
  };
}

/** What a site has of them; a link cannot have the name of a store. */
export function resourcesFrom(
  draft: {
    readonly [Word in keyof ResourceWords]?: Said<ResourceWords[Word]>;
  },
): Pick<SiteOffer, "stores" | "links"> {
  const { stores, links } = draft;
  return {
    ...(stores === undefined ? {} : { stores: stores.value }),
    ...(links === undefined ? {} : { links: links.value }),
  };
}

/** A problem where a link has the name of a store: reservations name either by its name alone. */
export function tellSharedNames(
  { value, notes }: NamedValue,
  { stores = {}, links = {} }: Pick<SiteOffer, "stores" | "links">,
): void {
  for (const name of Object.keys(links)) {
    if (!Object.hasOwn(stores, name)) continue;
    notes.problem(value.at, {
      code: "badResource",
      what: `${echoText(name)} is a store and a link`,
      why: "reservations and policies name either by its name alone",
      remedy: "call one of them otherwise",
    });
  }
}

/** What the file says of them: the inverse of reading. */
export function writtenResources({
  stores,
  links,
}: SiteOffer): readonly (readonly [keyof ResourceWords, SettingValue])[] {
  const storeWords = Object.entries(stores ?? {}).map(([name, { sizeBytes, unitBytes }]) => [
    name,
    { size: formatSize(sizeBytes), ...(unitBytes === undefined ? {} : { unit: formatSize(unitBytes) }) },
  ]);
  const linkWords = Object.entries(links ?? {}).map(([name, { rateBytesPerSec, unitBytesPerSec }]) => [
    name,
    {
      rate: formatRate(rateBytesPerSec),
      ...(unitBytesPerSec === undefined ? {} : { unit: formatRate(unitBytesPerSec) }),
    },
  ]);
  return [
    ...(stores === undefined ? [] : [["stores", Object.fromEntries(storeWords)] as const]),
    ...(links === undefined ? [] : [["links", Object.fromEntries(linkWords)] as const]),
  ];
}

/** Reads what `stores` or `links` would say where it stands alone; never throws for what it says. */
export function readResources<Word extends keyof ResourceWords>(
  word: Word,
  text: string,
): { readonly value: ResourceWords[Word] | undefined; readonly problems: readonly Remark[] } {
  const { notes, documents } = yamlDocuments(text);
  const read = RESOURCE_WORDS[word] as (named: NamedValue) => ResourceWords[Word] | undefined;
  let said: ResourceWords[Word] | undefined;
  for (const { value } of documents()) said = read({ name: "", value, notes });
  const { problems, warnings } = notes.collected();
  return { value: said, problems: [...problems, ...warnings] };
}
