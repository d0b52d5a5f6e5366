/** Placement settings of virtual organisations, and their placements since (rule EN-75). */
import { type SiteSelector, type StintEvent, type VoRecord, voOf } from "../../model/index.ts";
import type { UseHistory } from "../../policy/index.ts";

/** Processors of one group. */
export interface GroupUse {
  /** Processors of the group's jobs that run, or were sent to a site and have not begun. */
  inUse: number;
  running: number;
  /** History of runs. */
  readonly history: UseHistory;
}

/** Use by the groups of an organisation, by `vo/group`, and its counted jobs. */
export interface VoUse {
  readonly groups: Map<string, GroupUse>;
  readonly standings: Map<string, VoStanding>;
  readonly keepMs: number;
  /** Instants do not go back, though reports come late. */
  lastMs: number;
}

/** Counted state of a job. */
export interface VoStanding {
  readonly group: string;
  readonly inUse: number;
  readonly running: number;
}

/** The organisations with settings on record. */
export interface VoBook {
  readonly records: Map<string, VoRecord>;
  /** Use by the groups of organisations that have an enforcer. Not recorded: computed from the jobs. */
  readonly uses: Map<string, VoUse>;
}

/** A book without settings. */
export function noVos(): VoBook {
  return { records: new Map(), uses: new Map() };
}

/** The selector that the organisation of a consumer has chosen; null where it left that to Stint. */
export function selectorOf({ records }: VoBook, consumer: string): SiteSelector | null {
  return records.get(voOf(consumer))?.selector ?? null;
}

/**
 * Instant at which the organisation of a consumer last sent a job to a site; null where it never did, or has
 * no settings on record.
 */
export function sentAtMs({ records }: VoBook, consumer: string, site: string): number | null {
  return records.get(voOf(consumer))?.sentAtMs[site] ?? null;
}

/** Takes over what an organisation says. */
export function changedVo(
  { records }: VoBook,
  { vo, selector, enforcement, by, atMs }: Extract<StintEvent, { kind: "voChanged" }>,
): VoRecord {
  const { lastSite = null, sentAtMs: sent = {} } = records.get(vo) ?? {};
  const record = { vo, selector, enforcement, changedAtMs: atMs, by, lastSite, sentAtMs: sent };
  records.set(vo, record);
  return record;
}

/**
 * Notes that a job of an organisation goes to a site; undefined where the organisation has no settings on
 * record.
 */
export function noteSent(
  { records }: VoBook,
  { consumer, site }: { readonly consumer: string; readonly site: string },
  atMs: number,
): VoRecord | undefined {
  const before = records.get(voOf(consumer));
  if (before === undefined) return undefined;
  const record = { ...before, lastSite: site, sentAtMs: { ...before.sentAtMs, [site]: atMs } };
  records.set(record.vo, record);
  return record;
}
