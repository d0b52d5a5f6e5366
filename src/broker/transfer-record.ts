/**
 * Records transfers over the links of sites whose network policies count them (rule BR-59), so that
 * compliance can be verified from the log.
 *
 * Recorded each minute during transfers; without any, once an hour and when the next one begins. So a broker
 * that dies leaves unrecorded at most a minute of transfers, and an hour without known transfers.
 */
import { messageOf } from "../base/index.ts";
import { type SiteState, sharesAt } from "../engine/index.ts";
import { networkBytesPerSecOf } from "../model/index.ts";
import type { Clock, Round } from "../runtime/index.ts";
import type { Transfers } from "./transfers.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Dependencies of the record. */
export interface TransferRecordWorld {
  readonly round: Pick<Round, "projection" | "nowMs" | "ask">;
  readonly clock: Clock;
  readonly transfers: Pick<Transfers, "collect">;
  readonly warn: (message: string) => void;
}

/** The record at work. */
export interface TransferRecord {
  /** Ends the record with what passed until now; resolves when that is durable, or could not be. */
  stop(): Promise<void>;
}

/** Recorded sites, with the instant of the last pass over all. */
interface Book {
  readonly sites: Map<string, Recorded>;
  lookedMs: number;
}

/** End of the recorded time of a site, and of the examined time. */
interface Recorded {
  saidMs: number;
  lookedMs: number;
}

/** Begins to record. */
export function recordTransfers(world: TransferRecordWorld): TransferRecord {
  const { round, clock, warn } = world;
  const book: Book = { sites: new Map(), lookedMs: round.nowMs() };
  const look = async (isLast: boolean): Promise<void> => {
    try {
      await lookAtAll(world, book, isLast);
    } catch (error) {
      warn(`what passed over links was not recorded: ${messageOf(error)}`);
    }
  };
  let callOff = (): void => undefined;
  const next = (): void => {
    callOff = clock.wakeAt(clock.nowMs() + MINUTE_MS, () => {
      void look(false);
      next();
    });
  };
  next();
  return {
    async stop() {
      callOff();
      await look(true);
    },
  };
}

async function lookAtAll(
  { round, transfers }: TransferRecordWorld,
  book: Book,
  isLast: boolean,
): Promise<void> {
  const nowMs = round.nowMs();
  const { lookedMs } = book;
  book.lookedMs = nowMs;
  const asked = [...round.projection.sites.values()].flatMap((at) => {
    const { name: site } = at;
    // What passed while no policy counted it is for nobody to know.
    const passed = transfers.collect(site);
    if (!isMeasured(round, at)) {
      book.sites.delete(site);
      return [];
    }
    const since = countedSinceMs(round, lookedMs);
    const its = book.sites.get(site) ?? { saidMs: since, lookedMs: since };
    book.sites.set(site, its);
    const { saidMs, lookedMs: idleMs } = its;
    its.lookedMs = nowMs;
    const isDue = passed.length > 0 || isLast || nowMs - saidMs >= HOUR_MS;
    if (!isDue || saidMs >= nowMs) return [];
    its.saidMs = nowMs;
    const idleUntilMs = passed.length > 0 ? idleMs : nowMs;
    return [
      ...(saidMs < idleUntilMs ? [{ site, fromMs: saidMs, toMs: idleUntilMs, passed: [] }] : []),
      ...(idleUntilMs < nowMs ? [{ site, fromMs: idleUntilMs, toMs: nowMs, passed }] : []),
    ];
  });
  await Promise.all(asked.map((one) => round.ask({ kind: "noteTransfers", ...one })));
}

/** A site that was not recorded before is from when its policies came to hold, or from the last look. */
function countedSinceMs(round: TransferRecordWorld["round"], lookedMs: number): number {
  const nowMs = round.nowMs();
  const begins = round.projection.policies.versions
    .map(({ effectiveFromMs, appliedAtMs }) => Math.max(effectiveFromMs, appliedAtMs))
    .filter((atMs) => atMs <= nowMs);
  return Math.max(lookedMs, ...begins);
}

/** True for a site with links under network policies. */
function isMeasured(round: TransferRecordWorld["round"], { name, spec }: SiteState): boolean {
  const shares = sharesAt(round.projection, name, round.nowMs());
  return shares?.nodes.has("network") === true && networkBytesPerSecOf(spec) > 0;
}
