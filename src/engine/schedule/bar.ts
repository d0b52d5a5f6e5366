/** Bars of a site's schedule: what occupies processors of the site, when, and whose it is. */
import type { RowSpan } from "../../base/index.ts";
import type { JobRecord, ReservationRecord } from "../../model/index.ts";
import type { Subject } from "../rights.ts";
import type { SurveyedJob } from "../survey.ts";

/** Kinds of bars. */
export const BAR_KINDS = [
  /** A job that has ended. */
  "past",
  "running",
  /** A job that waits, at its planned start. */
  "queued",
  /** A job that is held or suspended, and has no planned start. */
  "held",
  "reservation",
  "offer",
  /** Capacity that the site itself sets aside: its own reservations, and maintenance. */
  "setAside",
  /** Jobs and reservations that the reader may not see, where the site hides even their sizes. */
  "others",
] as const;
type BarKind = (typeof BAR_KINDS)[number];

/** Facts about a bar that the reader may see. */
export interface BarFacts {
  /** A job of this broker. */
  readonly job?: JobRecord;
  /** A job that the site shows and that is not ours. */
  readonly seen?: SurveyedJob;
  readonly reservation?: ReservationRecord;
  /** The site's name of what it sets aside. */
  readonly setAside?: string;
}

/** A bar. Instants are Unix ms. */
export interface Bar {
  /** Unique in a schedule, and the same in the next: a job, a reservation, or `~` and the site's name. */
  readonly key: string;
  readonly kind: BarKind;
  readonly procs: number;
  /** Infinity for a job that has no planned start. */
  readonly startMs: number;
  /** Actual end of what has ended, else the latest: a job's end at its limit. */
  readonly endMs: number;
  /** Key of the reservation in whose processors it is. */
  readonly inside: string | null;
  /** Owner of it; undefined where that is no secret, or of nobody in particular. */
  readonly whose: Subject | undefined;
  /** Absent where the reader may not see it. */
  readonly facts?: BarFacts;
  /** Names of the nodes that it is on; empty where unknown. */
  readonly nodes: readonly string[];
}

/** A bar in its rows. */
export interface PlacedBar extends Bar {
  readonly rows: readonly RowSpan[];
}
