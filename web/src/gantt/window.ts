/** The part of a chart that is seen: instants from left to right, rows from top to bottom. */
export interface Window {
  readonly from: number;
  readonly until: number;
  /** Row at the upper edge, with a fraction. */
  readonly top: number;
  readonly rowPx: number;
}

const SHORTEST_MS = 1000;
/** Greatest height in px of all rows of a chart. */
export const BODY_PX = 336;
/** Height of a row in a chart of few rows. */
export const WIDEST_ROW_PX = 22;

/** Moves the window by parts of its width and by rows. */
export function panned(it: Window, widths: number, rows: number): Window {
  const by = widths * (it.until - it.from);
  return { ...it, from: it.from + by, until: it.until + by, top: Math.max(0, it.top + rows) };
}

/** Zooms in time about a place between 0, the left edge, and 1. */
export function zoomed(it: Window, factor: number, at: number): Window {
  const span = it.until - it.from;
  const next = Math.max(SHORTEST_MS, span * factor);
  const from = it.from + at * (span - next);
  return { ...it, from, until: from + next };
}

/** Zooms the rows about a place in px below the upper edge. */
export function heightened(it: Window, factor: number, atPx: number): Window {
  const rowPx = Math.min(40, Math.max(0.05, it.rowPx * factor));
  const row = it.top + atPx / it.rowPx;
  return { ...it, rowPx, top: Math.max(0, row - atPx / rowPx) };
}

/** The whole of a chart. */
export function whole(from: number, until: number, rows: number, heightPx: number): Window {
  const margin = Math.max(SHORTEST_MS, (until - from) * 0.02);
  const rowPx = Math.min(WIDEST_ROW_PX, heightPx / Math.max(1, rows));
  return { from: from - margin, until: until + margin, top: 0, rowPx };
}

const STEPS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800,
  604_800, 2_592_000,
].map((sec) => sec * 1000);

/** The shortest round length that is at most so many times within a span. */
export function roundStep(spanMs: number, most: number): number {
  return STEPS.find((it) => spanMs / it <= most) ?? STEPS.at(-1) ?? 1;
}

/** Instants for marks, at most `most`, at round distances; round in virtual time or by the reader's clock. */
export function marks(from: number, until: number, most: number, isVirtual: boolean): readonly number[] {
  const step = roundStep(until - from, most);
  const zone = isVirtual ? 0 : new Date(from).getTimezoneOffset() * 60_000;
  const first = Math.ceil((from - zone) / step) * step + zone;
  const found: number[] = [];
  for (let at = first; at <= until && found.length < 100; at += step) found.push(at);
  return found;
}
