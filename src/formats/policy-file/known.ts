/**
 * Who is known: the providers and consumers that a file declares, or that whoever reads it knows.
 */
import type { SharedResource } from "../../model/index.ts";

/** What a provider has of each, as far as it was said; bytes for memory, storage and network. */
export type ProviderCapacity = { readonly [Unit in "procs" | "nodes" | "gpus" | BytesResource]?: number };

/** The resources that are counted in bytes. */
type BytesResource = Exclude<SharedResource, "cpu" | "gpu">;

/** A provider that was declared. */
export interface DeclaredProvider {
  /** `site`, or `site/pool`. */
  readonly name: string;
  readonly capacity: ProviderCapacity;
}

/** Known names; null where nobody said which there are, so that any may be meant. */
export interface KnownNames {
  readonly providers: readonly string[] | null;
  readonly consumers: readonly string[] | null;
  /** What providers have, of those of which it was said. */
  readonly capacities: ReadonlyMap<string, ProviderCapacity>;
}

/** Nothing is known beforehand. */
export const NOTHING_KNOWN: KnownNames = { providers: null, consumers: null, capacities: new Map() };

/** What a list of providers tells. */
export function knownFrom(providers: readonly DeclaredProvider[]): KnownNames {
  return {
    providers: providers.map(({ name }) => name),
    consumers: null,
    capacities: new Map(providers.map(({ name, capacity }) => [name, capacity])),
  };
}

/** What is known from both. */
export function knownCoReservation(one: KnownNames, other: KnownNames): KnownNames {
  return {
    providers: joined(one.providers, other.providers),
    consumers: joined(one.consumers, other.consumers),
    capacities: new Map([...one.capacities, ...other.capacities]),
  };
}

function joined<Item>(one: readonly Item[] | null, other: readonly Item[] | null): readonly Item[] | null {
  return one === null || other === null ? (one ?? other) : [...one, ...other];
}
