/**
 * Who gets how much of what a place's links carry, as PO-4 and PO-53 say it: the capacity is handed
 * out in crumbs, each to whoever is served worst of those that may have more, level by level from the top.
 */

/** A level that a network policy names, or the place itself (`path` empty, all of everything). */
export interface RatedLevel {
  readonly path: string;
  /** In parts of what the level above has. */
  readonly epoch: number;
  readonly burst: number;
  readonly isCap: boolean;
  readonly isDedicated: boolean;
  readonly below: readonly RatedLevel[];
}

/** How many crumbs are a byte a second. */
const CRUMBS = 64;
const NEARLY = 1e-6;
/** Beyond any rate in parts of an entitlement. */
const LAST = 1e12;

/** Somebody who is handed crumbs: a level, the transfers of a level itself, or what is kept for a level. */
interface Taker {
  readonly path: string;
  readonly kind: "level" | "transfers" | "kept";
  /** In crumbs. */
  readonly entitled: number;
  readonly most: number;
  readonly below: readonly Taker[];
  had: number;
}

/** The rates of the levels that transfer, bytes a second in 64ths, whole or not. */
export function plainSharedRates(
  place: RatedLevel,
  capacity: number,
  transferring: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const all = capacity * CRUMBS;
  const whole = takerOf(place, { entitled: all, most: all, epoch: all }, transferring);
  while (hand(whole));
  const rates = new Map<string, number>();
  tell(whole, rates);
  return rates;
}

/** One crumb more goes to the worst served that may have it; false where nobody may. */
function hand(taker: Taker): boolean {
  if (taker.had + 1 > taker.most + NEARLY) return false;
  const inOrder = [...taker.below].sort((one, other) => served(one) - served(other));
  const isHanded = taker.kind !== "level" || inOrder.some(hand);
  if (isHanded) taker.had += 1;
  return isHanded;
}

/** What is kept for a level is what its transfers leave; who are entitled to nothing wait for the others. */
function served({ kind, had, entitled }: Taker): number {
  if (kind === "kept") return Number.POSITIVE_INFINITY;
  return entitled > 0 ? had / entitled : LAST + had;
}

function takerOf(
  level: RatedLevel,
  has: { readonly entitled: number; readonly most: number; readonly epoch: number },
  transferring: ReadonlySet<string>,
): Taker {
  const { path } = level;
  const wanting = level.below.filter((each) => wants(each, transferring));
  const fair = fairShares(
    wanting.map(({ epoch }) => epoch),
    1,
  );
  const below = wanting.map((each, index) =>
    takerOf(each, handedOn(each, has, fair[index] * has.entitled), transferring),
  );
  const rest = Math.max(0, 1 - level.below.reduce((sum, { epoch }) => sum + epoch, 0));
  const own = { path, kind: "transfers", entitled: rest * has.entitled, most: has.most, below: [], had: 0 };
  const takers = transferring.has(path) ? [...below, own as Taker] : below;
  const wanted = takers.reduce((sum, { most }) => sum + most, 0);
  const keeps = level.isDedicated ? has.entitled : 0;
  const kept = { path, kind: "kept", entitled: 0, most: keeps, below: [], had: 0 } as Taker;
  const most = Math.min(has.most, Math.max(wanted, keeps));
  return { path, kind: "level", entitled: has.entitled, most, below: [...takers, kept], had: 0 };
}

/** PO-1, PO-53: the most is the burst of what the level above has, under a cap the epoch share. */
function handedOn(
  { epoch, burst, isCap }: RatedLevel,
  above: { readonly most: number; readonly epoch: number; readonly burst?: number },
  entitled: number,
) {
  const most = (above.burst ?? above.most) * burst;
  const share = above.epoch * epoch;
  return { entitled, most: isCap ? Math.min(most, share) : most, epoch: share, burst: most };
}

/** Who transfers wants something, and so does every level whose share is dedicated. */
function wants(level: RatedLevel, transferring: ReadonlySet<string>): boolean {
  return (
    level.isDedicated || transferring.has(level.path) || level.below.some((each) => wants(each, transferring))
  );
}

/** PO-4: max-min fairness, the shares being the most that each may have. */
function fairShares(shares: readonly number[], whole: number): readonly number[] {
  const given = shares.map(() => 0);
  const open = new Set(shares.keys());
  let left = whole;
  while (open.size > 0 && left > 1e-12) {
    const step = Math.min(left / open.size, ...[...open].map((at) => shares[at] - given[at]));
    for (const at of open) {
      given[at] += step;
      left -= step;
      if (given[at] >= shares[at] - 1e-12) open.delete(at);
    }
  }
  return given;
}

function tell(taker: Taker, rates: Map<string, number>): void {
  if (taker.kind === "transfers") rates.set(taker.path, taker.had / CRUMBS);
  for (const each of taker.below) tell(each, rates);
}
