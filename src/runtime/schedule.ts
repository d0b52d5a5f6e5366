/** Schedules of sites, as they are shown to somebody. Instants are Unix ms. */
import type { Bar, PlacedBar } from "../engine/index.ts";
import type { Discipline } from "../model/index.ts";
import type { PromisedStart } from "../predict/index.ts";

/** A period of a site's schedule. */
export interface ScheduleQuestion {
  readonly site: string;
  readonly sinceMs: number;
  /** Null: to the end of what is planned. */
  readonly untilMs: number | null;
  /** The instant of the past as of which it is wanted; null: as of now. */
  readonly asOfMs: number | null;
  /** Name of who reads it: the same for those who see the same. */
  readonly reader: string;
  /** True for a job or reservation that the reader may see. */
  readonly sees: (bar: Bar) => boolean;
}

/** A site's schedule. */
export interface SiteSchedule {
  readonly site: string;
  /** True for a past instant, of which not all is on record: starts at a foreign site, jobs of others. */
  readonly isPartial: boolean;
  /** The instant of it: what began before is fact, what begins later is planned. */
  readonly atMs: number;
  readonly sinceMs: number;
  readonly untilMs: number | null;
  readonly discipline: Discipline;
  /** Of a foreign site: its last survey; null before the first. */
  readonly seenAtMs: number | null;
  /** Why the site cannot be reached or used, in one sentence; null for none. */
  readonly trouble: string | null;
  /** Processors, a row each. */
  readonly procs: number;
  /** Rows in use: more than processors where more is in use than there should be. */
  readonly rows: number;
  /** Nodes in the order of their rows; empty where the site shows none. */
  readonly nodes: readonly { readonly name: string; readonly procs: number }[];
  /** True where the site hides jobs from other users: those of others are only a sum. */
  readonly areJobsPrivate: boolean;
  /** By start; those without a planned start last. */
  readonly bars: readonly PlacedBar[];
  /** Starts promised to jobs that wait, as predicted when they came, by the keys of their bars. */
  readonly promises: ReadonlyMap<string, readonly PromisedStart[]>;
  /** Processors that the plan leaves free; none where no new job may go. */
  readonly free: readonly { readonly startMs: number; readonly endMs: number; readonly procs: number }[];
  readonly leftOut: {
    /** True where older jobs that ended in the period are left out. */
    readonly past: boolean;
    /** Number of bars left out, those that begin last. */
    readonly later: number;
  };
}
