/** What a Gantt chart shows. Instants are Unix ms, or ms of virtual time. */

/** Kinds of bars, each with a colour and a pattern of its own. */
export type BarKind =
  | "past"
  | "failed"
  | "running"
  | "queued"
  | "reservation"
  | "offer"
  | "setAside"
  | "free"
  | "others";

/** A bar. */
export interface GanttBar {
  readonly key: string;
  readonly label: string;
  readonly kind: BarKind;
  readonly from: number;
  readonly until: number;
  readonly procs: number;
  readonly isMine: boolean;
  /** First row and number of rows, by processor. */
  readonly rows: readonly (readonly [first: number, count: number])[];
  /** Names by which rows are grouped. */
  readonly consumer: string;
  readonly partition: string;
  /** Names of the nodes that it runs on; absent where unknown. */
  readonly nodes?: readonly string[] | undefined;
  /** Parts of a bar whose rows change over time, each with its time and rows. */
  readonly pieces?: readonly BarPiece[] | undefined;
  /** Instants by which it starts with some probability; of what waits. */
  readonly likely?: { readonly from: number; readonly until: number } | undefined;
  /** Lines of the note that tells of it; written when it is read. */
  readonly note: () => readonly string[];
  /** Where a click or Enter leads; absent: nowhere. */
  readonly href?: string | undefined;
}

/** A part of a bar, in rows of its own. */
export interface BarPiece {
  readonly from: number;
  readonly until: number;
  readonly rows: readonly (readonly [first: number, count: number])[];
}

/** A copy with fields of its own; what makes its words when they are read has none that a spread copies. */
export function copiedBar(bar: GanttBar): GanttBar {
  const { key, label, kind, from, until, procs, isMine, rows, consumer, partition } = bar;
  const { nodes, pieces, likely, href } = bar;
  const fields = {
    ...{ key, label, kind, from, until, procs, isMine, rows, consumer, partition },
    ...{ nodes, pieces, likely, href },
  };
  // A field that is added to bars and not here is an error of types.
  return { ...fields, note: () => bar.note() } satisfies Record<keyof GanttBar, unknown>;
}

/** A limit of a consumer over time, and which bars count against it. */
export interface GanttLimit {
  readonly label: string;
  /** Each from its instant on; null where none is known. */
  readonly steps: readonly { readonly at: number; readonly procs: number | null }[];
  readonly counts: (bar: GanttBar) => boolean;
}

/** How rows are made. */
export type RowsBy = "processor" | "node" | "job" | "consumer" | "partition";

/** A bar with its place, or one of its pieces. */
export interface PlacedBar {
  readonly bar: GanttBar;
  readonly rows: readonly (readonly [first: number, count: number])[];
  /** The piece; absent for a whole bar. */
  readonly piece?: BarPiece | undefined;
}

/** Bars in rows, and the names of the groups of rows. */
export interface Rows {
  readonly bars: readonly PlacedBar[];
  readonly count: number;
  readonly groups: readonly { readonly first: number; readonly name: string }[];
}

/** A rectangle that was drawn: a length of time and processors. */
export interface Rectangle {
  readonly from: number;
  readonly until: number;
  readonly procs: number;
}
