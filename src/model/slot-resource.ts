/**
 * A store or a link of a site, as parts of it are reserved.
 */
import { formatRate, formatSize } from "../base/index.ts";

/** The stores and links that a site has. */
export interface ResourceOffers {
  /** File stores by name; absent: none. No link has the name of a store. */
  readonly stores?: Readonly<Record<string, StoreOffer>>;
  /** Links to the outside by name; absent: none. */
  readonly links?: Readonly<Record<string, LinkOffer>>;
  /** Pool of streams; absent: the site takes none. */
  readonly streams?: StreamPoolSpec;
}

/** Total resources of a site for streams. */
export interface StreamPoolSpec {
  readonly inboundBytesPerSec: number;
  readonly storageBytes: number;
  /** Absolute path on a file system that the broker and the nodes of the site share. */
  readonly directory: string;
  /** Absolute path of Stint's program on the nodes; absent: that of the broker. */
  readonly program?: string;
  /** Classes of processors, of which a stream is tried on each; absent: all processors are alike. */
  readonly classes?: readonly StreamProcsClass[];
}

/** Processors with the same characteristics. */
export interface StreamProcsClass {
  readonly name: string;
  readonly procs: number;
  /** Architecture, as `x86_64`; absent: not known. */
  readonly type?: string;
  /** Speed relative to other classes; 1 where absent. */
  readonly benchmark?: number;
  /** Queue or partition of the site that has these processors. */
  readonly queue?: string;
  /** Numbers of these processors on the site's machine, as `0-3,8`. */
  readonly cpus?: string;
}

/** A file store of a site. */
interface StoreOffer {
  readonly sizeBytes: number;
  /** Absolute path at the site, where its nodes see the store; absent: jobs leave no files there. */
  readonly directory?: string;
  /** So much of it costs what a processor does; {@link UNIT_BYTES} where absent. */
  readonly unitBytes?: number;
}

/** A link of a site. */
interface LinkOffer {
  readonly rateBytesPerSec: number;
  /** So much of it costs what a processor does; {@link UNIT_BYTES_PER_SEC} where absent. */
  readonly unitBytesPerSec?: number;
}

/** Default unit of a store's price: a TiB for an hour is an SU. */
const UNIT_BYTES = 1024 ** 4;
/** Default unit of a link's price: 1 Gbit/s for an hour is an SU. */
const UNIT_BYTES_PER_SEC = 125_000_000;

/** Syntax of names of stores and links. */
export const RESOURCE_NAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Resources for reservations beside processors and memory. */
export const RESOURCE_KINDS = ["store", "link"] as const;
/** See {@link RESOURCE_KINDS}. */
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** A part of a store or of a link. */
export interface SlotResource {
  readonly kind: ResourceKind;
  /** Of a site: `scratch`, `uplink`. */
  readonly name: string;
  /** Of a store bytes, of a link bytes per second. */
  readonly amount: number;
}

/** A resource with its price, as the amount that costs as much as a processor. */
export interface PricedResource extends SlotResource {
  readonly perProc: number;
}

/** All of a store or of a link of a site; undefined where it has none of this name. */
export function wholeResource(
  { stores = {}, links = {} }: ResourceOffers,
  name: string,
): PricedResource | undefined {
  if (Object.hasOwn(stores, name)) {
    const { sizeBytes: amount, unitBytes: perProc = UNIT_BYTES } = stores[name];
    return { kind: "store", name, amount, perProc };
  }
  if (!Object.hasOwn(links, name)) return undefined;
  const { rateBytesPerSec: amount, unitBytesPerSec: perProc = UNIT_BYTES_PER_SEC } = links[name];
  return { kind: "link", name, amount, perProc };
}

/** All stores and links of a site, stores first. */
export function wholeResources(spec: ResourceOffers): readonly PricedResource[] {
  const names = [...Object.keys(spec.stores ?? {}), ...Object.keys(spec.links ?? {})];
  return names.flatMap((name) => wholeResource(spec, name) ?? []);
}

/** Bytes in all stores of a site; 0 without any. */
export function storageBytesOf({ stores = {} }: Pick<ResourceOffers, "stores">): number {
  return Object.values(stores).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

/** Bytes per second of all links of a site; 0 without any. */
export function networkBytesPerSecOf({ links = {} }: Pick<ResourceOffers, "links">): number {
  return Object.values(links).reduce((sum, { rateBytesPerSec }) => sum + rateBytesPerSec, 0);
}

/** `50G`, `100Mbit/s`. */
export function resourceAmountText({ kind, amount }: Pick<SlotResource, "kind" | "amount">): string {
  return kind === "store" ? formatSize(amount) : formatRate(amount);
}

/** `50G of store scratch`, `100Mbit/s of link uplink`. */
export function resourceText(resource: SlotResource): string {
  return `${resourceAmountText(resource)} of ${resource.kind} ${resource.name}`;
}
