import type { GanttLimit, PlacedBar, Rows } from "./bar.ts";
import type { Use, UseOverTime } from "./occupancy.ts";
import type { Palette } from "./palette.ts";
import type { Window } from "./window.ts";

/** A limit and the use that counts against it. */
export interface LimitUse extends Omit<GanttLimit, "counts"> {
  readonly use: Use;
}

/** What is drawn. */
export interface Scene {
  readonly rows: Rows;
  readonly window: Window;
  readonly width: number;
  readonly height: number;
  /** Height of what is above the rows. */
  readonly head: number;
  readonly palette: Palette;
  readonly now: number | undefined;
  /** Instant that is looked back at. */
  readonly then: number | undefined;
  readonly limits: readonly LimitUse[];
  readonly processors: number;
  /** What the number of processors is. */
  readonly processorsAre: string;
  readonly use: UseOverTime;
  readonly focus: PlacedBar | undefined;
  readonly different: ReadonlySet<string>;
  readonly timeText: (at: number) => string;
  readonly isVirtual: boolean;
}
