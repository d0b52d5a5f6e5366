/** Settles what is due one by one, a few at once; what fails is tried again later. */
import { messageOf } from "../base/index.ts";
import type { Clock } from "../runtime/index.ts";

/** Delay before what failed is repeated. */
const TRY_AGAIN_MS = 30_000;
const AT_ONCE = 4;

/** Ids of what is due, and the function that settles one, after which it is no longer due. */
interface Settling {
  readonly due: () => Iterable<string>;
  readonly settle: (id: string) => Promise<void>;
  /** Start of a warning, for an id that could not be settled. */
  readonly failed: (id: string) => string;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

/** Settles what is due when it is told to look. */
export interface Reminder {
  /** Something may be due: it is looked soon. */
  look(): void;
  stop(): void;
}

/** Settles what is due in no order; a failure of one keeps no other from being settled. */
export function settleEach({ due, settle, failed, clock, warn }: Settling): Reminder {
  const under = new Set<string>();
  let cancelAlarm: (() => void) | undefined;
  let hasStopped = false;
  function later(): void {
    if (hasStopped) return;
    cancelAlarm?.();
    cancelAlarm = clock.wakeAt(clock.nowMs() + TRY_AGAIN_MS, look);
  }
  function begin(id: string): void {
    under.add(id);
    void settle(id).then(
      () => {
        under.delete(id);
        look();
      },
      (error: unknown) => {
        under.delete(id);
        if (hasStopped) return;
        warn(`${failed(id)}: ${messageOf(error)}`);
        later();
      },
    );
  }
  function look(): void {
    for (const id of due()) {
      if (hasStopped || under.size >= AT_ONCE) return;
      if (!under.has(id)) begin(id);
    }
  }
  return {
    look,
    stop() {
      hasStopped = true;
      cancelAlarm?.();
    },
  };
}
