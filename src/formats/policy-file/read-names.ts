/**
 * Reads what a file declares: its providers with what they have, and its consumers.
 */
import { type NamedValue, readEntries, sizeOf, textList, wholeNumberOf, wrongType } from "../yaml/index.ts";
import type { DeclaredProvider, ProviderCapacity } from "./known.ts";
import { consumerOf, placeOf } from "./read-policy.ts";

const COUNTS = ["procs", "nodes", "gpus"] as const;
const SIZES = ["memory", "storage", "network"] as const;
const example = "providers: [{ name: site1, procs: 128 }]";

/** `providers:`, each a name or a mapping with its name. */
export function providersOf({ name, value, notes }: NamedValue): readonly DeclaredProvider[] {
  if (value.kind !== "list") {
    notes.problem(value.at, wrongType(name, value, example));
    return [];
  }
  return value.items.flatMap((item, index) => {
    const named = { name: `${name}[${index}]`, value: item, notes };
    const provider = item.kind === "mapping" ? providerOf(named) : nameAlone(named);
    return provider === undefined ? [] : [provider];
  });
}

function nameAlone(named: NamedValue): DeclaredProvider | undefined {
  const name = placeOf(named)?.text;
  return name === undefined ? undefined : { name, capacity: {} };
}

function providerOf(named: NamedValue): DeclaredProvider | undefined {
  let name: string | undefined;
  let isNamed = false;
  const capacity: Record<string, number> = {};
  const readName = (it: NamedValue) => {
    isNamed = true;
    name = placeOf(it)?.text;
  };
  readEntries(named, { example, words: new Map([["name", readName], ...amountWords(capacity)]) });
  if (!isNamed) {
    named.notes.problem(named.value.at, {
      code: "wordMissing",
      what: `${named.name}.name is missing`,
      why: "policies name their provider",
      remedy: `write for instance ${example}`,
    });
  }
  return name === undefined ? undefined : { name, capacity };
}

/** What a provider has of each, with who reads it into `capacity`. */
export function amountWords(
  capacity: Record<keyof ProviderCapacity | string, number>,
): (readonly [string, (it: NamedValue) => void])[] {
  const keep = (word: string, amount: number | undefined) => {
    if (amount !== undefined) capacity[word] = amount;
  };
  const none = { why: "then there is nothing to share", remedy: "leave it out, or say how much there is" };
  return [
    ...COUNTS.map((word) => {
      const bounds = { least: 1, most: 100_000_000, example: `${word}: 128` };
      return [word, (it: NamedValue) => keep(word, wholeNumberOf(it, bounds))] as const;
    }),
    ...SIZES.map((word) => {
      const wanted = { example: `${word}: 512G`, ifZero: none };
      return [word, (it: NamedValue) => keep(word, sizeOf(it, wanted))] as const;
    }),
  ];
}

/** `consumers:`, a list of paths. */
export function consumersOf(named: NamedValue): readonly string[] {
  const { notes } = named;
  const written = textList(named, "consumers: [vo0, vo1/group]") ?? [];
  return written.flatMap(({ at, text }) => {
    const path = consumerOf({ name: named.name, value: { kind: "scalar", at, text, value: text }, notes });
    return path === undefined ? [] : [path.text];
  });
}
