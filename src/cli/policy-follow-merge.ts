/**
 * What of a followed broker's policies, and of those that hold here, is applied together (rule CL-110).
 *
 * Nothing of it is kept beside the brokers: the note of the version here says of each broker that is
 * followed which version of it was taken over last, and for which sites.
 */
import type { Policy } from "../model/index.ts";

/** What was taken over of one broker. */
export interface TakenOver {
  readonly version: number;
  readonly url: string;
  /** The sites here that it spoke for. */
  readonly sites: readonly string[];
}

/** A version of a followed broker, and what holds here. */
export interface Merging {
  readonly taken: Omit<TakenOver, "sites">;
  readonly theirs: readonly Policy[];
  readonly ours: readonly Policy[];
  /** The note of what holds here. */
  readonly note: string;
  /** The sites here. */
  readonly sites: readonly string[];
}

const PART = /^version (\d{1,15}) of (\S+)(?: for (\S+))?$/;

/** What the note of a version says was taken over; nothing where somebody applied it by hand. */
export function takenIn(note: string): readonly TakenOver[] {
  const parts = note.split("; ").map((part) => PART.exec(part));
  if (parts.includes(null)) return [];
  return parts.flatMap((part) => {
    if (part === null) return [];
    const [, version, url, sites = ""] = part;
    return { version: Number(version), url, sites: sites === "" ? [] : sites.split(",") };
  });
}

/**
 * The policies of the sites here that the other broker speaks for, or spoke for before, as they are there;
 * and beside them those that hold here for the other sites, whoever applied them.
 */
export function merged({ taken, theirs, ours, note, sites }: Merging): {
  readonly policies: readonly Policy[];
  readonly theirs: number;
  readonly note: string;
} {
  const concerning = policiesOfSites(theirs, sites);
  const spokenFor = sites.filter((site) => concerning.some((policy) => isOfSite(policy, site)));
  const before = takenIn(note);
  const last = before.find(({ url }) => url === taken.url);
  const theirSites = new Set([...spokenFor, ...(last?.sites ?? [])]);
  const others = sites.filter((site) => !theirSites.has(site));
  const known = new Set(concerning.map(keyOf));
  const staying = policiesOfSites(ours, others).filter((policy) => !known.has(keyOf(policy)));
  const said = [...before.filter(({ url }) => url !== taken.url), { ...taken, sites: spokenFor }];
  const policies = [...concerning, ...staying];
  return { policies, theirs: concerning.length, note: said.map(partOf).join("; ") };
}

/** Those whose provider is one of the sites, or a consumer that has something of them. */
export function policiesOfSites(policies: readonly Policy[], sites: readonly string[]): readonly Policy[] {
  const concerning = new Set(policies.filter((policy) => sites.some((site) => isOfSite(policy, site))));
  for (let before = -1; before < concerning.size; ) {
    before = concerning.size;
    const consumers = new Set([...concerning].map(({ consumer }) => consumer));
    for (const policy of policies) if (consumers.has(policy.provider)) concerning.add(policy);
  }
  return policies.filter((policy) => concerning.has(policy));
}

function isOfSite({ provider }: Policy, site: string): boolean {
  return provider === site || provider.startsWith(`${site}/`);
}

function keyOf({ provider, consumer, resource }: Policy): string {
  return `${resource} ${provider} ${consumer}`;
}

function partOf({ version, url, sites }: TakenOver): string {
  return `version ${version} of ${url}${sites.length === 0 ? "" : ` for ${sites.join(",")}`}`;
}
