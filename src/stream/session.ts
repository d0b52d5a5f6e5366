/** A session: the transfer of one stream over a link. */
import type { Bounded } from "./envelope.ts";

/** A session as it takes part in an allocation. */
export interface Session extends Bounded {
  /** True while its storage is full. */
  readonly isHalted?: boolean;
  /** Rate of the last allocation; absent for a new session. */
  readonly lastBytesPerSec?: number;
}
