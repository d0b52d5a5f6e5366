/** Known providers and consumers: declared in a file, or given by the caller. */
import type { SharedResource } from "../../model/index.ts";

/** Stated capacity of a provider, by unit; bytes for memory, storage and network. */
export type ProviderCapacity = { readonly [Unit in "procs" | "nodes" | "gpus" | BytesResource]?: number };

/** The resources that are counted in bytes. */
type BytesResource = Exclude<SharedResource, "cpu" | "gpu">;

/** A provider that was declared. */
export interface DeclaredProvider {
  /** `site`, or `site/pool`. */
  readonly name: string;
  readonly capacity: ProviderCapacity;
}

/** Known names; null where none are declared, so that any name is accepted. */
export interface KnownNames {
  readonly providers: readonly string[] | null;
  readonly consumers: readonly string[] | null;
  /** Stated capacities by provider. */
  readonly capacities: ReadonlyMap<string, ProviderCapacity>;
}

/** Nothing is known beforehand. */
export const NOTHING_KNOWN: KnownNames = { providers: null, consumers: null, capacities: new Map() };

/** Names and capacities of declared providers. */
export function knownFrom(providers: readonly DeclaredProvider[]): KnownNames {
  return {
    providers: providers.map(({ name }) => name),
    consumers: null,
    capacities: new Map(providers.map(({ name, capacity }) => [name, capacity])),
  };
}

/** Union of two sets of names. */
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
