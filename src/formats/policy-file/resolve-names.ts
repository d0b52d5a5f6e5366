/**
 * Resolves the provider and consumer of each draft to whole paths.
 *
 * A delegating consumer may be named by its last name alone, as in the source: Site1 gives to VO0, VO0 to
 * Group0, which is then VO0/Group0. So paths are known only when all policies are read, and delegations may
 * be cyclic.
 */
import { nearestWord } from "../../base/index.ts";
import { isHandedOn, isWithin } from "../../model/index.ts";
import { shown, type Words } from "../yaml/index.ts";
import type { PolicyDraft } from "./draft.ts";
import type { KnownNames } from "./known.ts";

/** A draft with whole paths; `isSite`: the provider is a site or a pool, not a consumer. */
export interface ResolvedDraft {
  readonly draft: PolicyDraft;
  readonly provider: string;
  readonly consumer: string;
  readonly isSite: boolean;
}

/** The drafts with resolved names, in order; the others are reported. */
export function resolveNames(drafts: readonly PolicyDraft[], known: KnownNames): readonly ResolvedDraft[] {
  const names = new Names(drafts, known);
  return drafts.flatMap((draft) => {
    const resolved = names.resolve(draft);
    return resolved === undefined ? [] : [resolved];
  });
}

class Names {
  readonly #known: KnownNames;
  /** Drafts by the written name of their consumer. */
  readonly #givers = new Map<string, PolicyDraft[]>();
  readonly #inTold = new Set<string>();
  /** Names that can only be sites, where none are declared. */
  readonly #evidentSites: ReadonlySet<string>;

  constructor(drafts: readonly PolicyDraft[], known: KnownNames) {
    this.#known = known;
    for (const draft of drafts) {
      const { text } = draft.consumer;
      this.#givers.set(text, [...(this.#givers.get(text) ?? []), draft]);
    }
    this.#evidentSites = new Set(
      known.providers === null ? drafts.flatMap((it) => this.#evidentSite(it)) : [],
    );
  }

  resolve(draft: PolicyDraft): ResolvedDraft | undefined {
    const [provider, consumer] = [draft.provider.text, draft.consumer.text];
    const tell = (at: number, words: Words): undefined => {
      draft.notes.problem(at, words);
      return undefined;
    };
    // A site may give to the VO of its own name; what is below that name is then the VO's.
    if (this.#isSite(consumer) && consumer !== provider)
      return tell(draft.consumer.at, siteConsumes(consumer));
    if (!this.#isConsumer(draft)) {
      const unknown = this.#unknownSite(provider);
      if (unknown !== undefined) return tell(draft.provider.at, unknown);
      return this.#whenKnown({ draft, provider, consumer, isSite: true });
    }
    const circle = this.#circleThrough(draft);
    if (circle !== undefined) {
      const isTold = circle.every((name) => this.#inTold.has(name));
      for (const name of circle) this.#inTold.add(name);
      if (!isTold) draft.notes.problem(draft.provider.at, inCircle(circle));
      return undefined;
    }
    const above = this.#pathsOf(provider, new Set());
    if (above.length === 0) return tell(draft.provider.at, givenNothing(provider));
    if (above.length > 1) return tell(draft.provider.at, ambiguous(provider, above));
    const last = isWithin(consumer, provider) ? consumer.slice(provider.length + 1) : consumer;
    return this.#whenKnown({ draft, provider: above[0], consumer: `${above[0]}/${last}`, isSite: false });
  }

  #isSite(name: string): boolean {
    return this.#known.providers?.includes(name) ?? this.#evidentSites.has(name);
  }

  /**
   * A provider that gives to the consumer of its own name, and receives from no other, is a site, because no
   * consumer gives to itself. So is one that receives nothing and gives to a consumer that is not below it.
   */
  #evidentSite({
    provider: { text: provider },
    consumer: { text: consumer },
  }: PolicyDraft): readonly string[] {
    if (provider === consumer) {
      const givers = this.#givers.get(provider) ?? [];
      return givers.every((giver) => giver.provider.text === provider) ? [provider] : [];
    }
    const isGiven = prefixesOf(provider).some((name) => this.#isNamed(name));
    return !isGiven && !isWithin(consumer, provider) ? [provider] : [];
  }

  /** True where the provider is a consumer that delegates its share. */
  #isConsumer({ provider: { text: provider }, consumer: { text: consumer } }: PolicyDraft): boolean {
    if (this.#isSite(provider)) return isHandedOn({ provider, consumer }) && this.#isNamed(provider);
    return isWithin(consumer, provider) || prefixesOf(provider).some((name) => this.#isNamed(name));
  }

  #isNamed(name: string): boolean {
    return this.#givers.has(name) || (this.#known.consumers?.includes(name) ?? false);
  }

  /** The whole paths that a name may mean: one, unless it has several givers, or none. */
  #pathsOf(name: string, seen: ReadonlySet<string>): readonly string[] {
    if (seen.has(name)) return [];
    const nowSeen = new Set([...seen, name]);
    const paths = new Set<string>();
    for (const draft of this.#givers.get(name) ?? []) {
      const provider = draft.provider.text;
      if (!this.#isConsumer(draft)) paths.add(name);
      else {
        const last = isWithin(name, provider) ? name.slice(provider.length + 1) : name;
        for (const above of this.#pathsOf(provider, nowSeen)) paths.add(`${above}/${last}`);
      }
    }
    if (paths.size > 0) return [...paths];
    if (this.#known.consumers?.includes(name)) return [name];
    const [, ...shorter] = prefixesOf(name);
    if (shorter.length === 0) return [];
    return this.#pathsOf(shorter[0], nowSeen).map((above) => `${above}${name.slice(shorter[0].length)}`);
  }

  /** The names of a circle that the draft closes: from its consumer up to its consumer. */
  #circleThrough({ provider, consumer }: PolicyDraft): readonly string[] | undefined {
    const target = consumer.text;
    const ways: string[][] = [[provider.text]];
    const seen = new Set<string>();
    for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
      const [name] = way;
      if (name === target) return [...way];
      if (seen.has(name)) continue;
      seen.add(name);
      const above = (this.#givers.get(name) ?? []).filter((draft) => this.#isConsumer(draft));
      const next = [...above.map((draft) => draft.provider.text), ...prefixesOf(name).slice(1)];
      for (const one of next) ways.push([one, ...way]);
    }
    return undefined;
  }

  #unknownSite(name: string): Words | undefined {
    const { providers } = this.#known;
    if (providers === null || providers.some((site) => isWithin(name, site))) return undefined;
    return unknownName("provider", name, [...providers, ...this.#givers.keys()]);
  }

  #whenKnown(resolved: ResolvedDraft): ResolvedDraft | undefined {
    const { draft, consumer } = resolved;
    const { consumers } = this.#known;
    if (consumers === null || [consumer, draft.consumer.text].some((path) => isListed(path, consumers))) {
      return resolved;
    }
    draft.notes.problem(draft.consumer.at, unknownName("consumer", draft.consumer.text, consumers));
    return undefined;
  }
}

/** Listed itself, or below a level of which nothing below is listed: a VO's own groups need not be. */
function isListed(path: string, consumers: readonly string[]): boolean {
  if (consumers.includes(path)) return true;
  const above = prefixesOf(path).find((level) => consumers.includes(level));
  return above !== undefined && !consumers.some((one) => one !== above && isWithin(one, above));
}

/** A path and what is above it, the longest first. */
function prefixesOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, names.length - index).join("/"));
}

function unknownName(end: "provider" | "consumer", name: string, known: readonly string[]): Words {
  const nearest = nearestWord(name, known);
  const some = known.slice(0, 8).join(", ");
  return {
    code: end === "provider" ? "unknownProvider" : "unknownConsumer",
    what: `there is no ${end} ${shown(name)}`,
    why:
      known.length === 0 ? "none is declared" : `the known ones are ${some}${known.length > 8 ? ", …" : ""}`,
    remedy:
      nearest === undefined ? `declare it under ${end}s:, or name a known one` : `did you mean ${nearest}?`,
  };
}

function givenNothing(provider: string): Words {
  return {
    code: "unknownProvider",
    what: `${shown(provider)} has nothing to give`,
    why: "no policy gives anything to it or to a level above it",
    remedy: "add the policy that gives it something, or list it under consumers:",
  };
}

function siteConsumes(name: string): Words {
  return {
    code: "unknownConsumer",
    what: `${shown(name)} is a provider, and cannot consume`,
    why: "it is listed under providers:",
    remedy: "give the consumer a name of its own",
  };
}

function inCircle(names: readonly string[]): Words {
  return {
    code: "policyCycle",
    what: "these consumers form a cycle of providers",
    why: [...names, names[0]].map(shown).join(" gives to "),
    remedy: "start from a site: let each consumer pass on only a share that it gets from above",
  };
}

function ambiguous(name: string, paths: readonly string[]): Words {
  return {
    code: "ambiguousProvider",
    what: `${shown(name)} is ambiguous`,
    why: `there are ${paths.map(shown).join(" and ")}`,
    remedy: "write the whole path",
  };
}
