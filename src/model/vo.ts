/**
 * Settings of a virtual organisation for the placement of its own jobs.
 *
 * A setting of the broker and not a part of a policy file: policies are agreed between providers and
 * consumers and applied all together by an admin; the choice among sites that admit a job, and the order of
 * groups within the organisation, concern nobody else, and change independently.
 */

/** Selection of one of several sites. Source: [UP] slide 30. */
export type SiteSelector =
  | "random"
  | "roundRobin"
  | "leastUsed"
  | "leastRecentlyUsed"
  | "bestStart"
  | "cheapest";

/** All of them, as they are listed to people. */
export const SITE_SELECTORS: readonly SiteSelector[] = [
  "random",
  "roundRobin",
  "leastUsed",
  "leastRecentlyUsed",
  "bestStart",
  "cheapest",
];

/** Settings of an organisation's enforcer (V-PEP). */
interface VoEnforcement {
  /** Jobs beyond a group's share that keep the sites' queues filled (BE), of what the organisation has. */
  readonly extraPpm: number;
}

/** Settings of an organisation. */
export interface VoSettings {
  /** The first name of its consumer path. */
  readonly vo: string;
  /** Null: where a job would start earliest. */
  readonly selector: SiteSelector | null;
  /** Null: its jobs go to sites as they come. */
  readonly enforcement: VoEnforcement | null;
}

/** The settings with the record of the jobs placed since. */
export interface VoRecord extends VoSettings {
  readonly changedAtMs: number;
  readonly by: string;
  /** The site taken last by a selection; null before the first. */
  readonly lastSite: string | null;
  /** When a job was last sent to each site, in Unix ms. */
  readonly sentAtMs: Readonly<Record<string, number>>;
}

/** Default of BE: a twentieth of the organisation's share. */
export const VO_EXTRA_PPM = 50_000;

/** The organisation that a consumer path is of. */
export function voOf(consumer: string): string {
  const end = consumer.indexOf("/");
  return end < 0 ? consumer : consumer.slice(0, end);
}

/** The group of a consumer path, `vo/group`; the organisation itself where it names none. */
export function groupOf(consumer: string): string {
  const [vo, group] = consumer.split("/", 2);
  return group === undefined ? vo : `${vo}/${group}`;
}
