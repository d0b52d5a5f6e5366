/** Pilots at a foreign site, as its adapter sees them. */
import type { AttemptEnd, PilotSize } from "../model/index.ts";

/** Attempt of the broker at the site, by its token and the site's id. */
interface AttemptThere {
  readonly token: string;
  readonly siteJob: string;
}

/** Pilots and payloads whose states are requested. */
export interface PilotQuestion {
  readonly pilots: readonly AttemptThere[];
  /** `isOrphan`: the pilot has certainly ended, and a payload that has not begun must never begin. */
  readonly payloads: readonly (AttemptThere & { readonly pilot: AttemptThere; readonly isOrphan: boolean })[];
}

/** Observed state of a pilot. */
interface SeenPilot {
  readonly token: string;
  /** Resources and node that the cluster gave the pilot; null until the pilot has advertised them. */
  readonly allocation: (PilotSize & { readonly node: string }) | null;
  /** True if the pilot itself has decided to take no more payloads. */
  readonly isDraining: boolean;
}

/** State of a payload. */
export type PayloadState =
  | { readonly kind: "waiting" }
  | { readonly kind: "running" | "suspended"; readonly startedAtMs: number }
  /** Payload that began and whose wrapper has ended without a report; perhaps none will come. */
  | { readonly kind: "gone" }
  /** Payload that has not begun, and never will. */
  | { readonly kind: "never" }
  | {
      readonly kind: "ended";
      readonly startedAtMs: number | null;
      readonly endedAtMs: number;
      readonly end: AttemptEnd;
    };

/** Observed states; pilots and payloads that could not be observed are absent. */
export interface PilotSight {
  readonly pilots: readonly SeenPilot[];
  readonly payloads: readonly {
    readonly token: string;
    /** SHA-256 of the program, once the payload has begun; null where the program could not be read. */
    readonly sha256: string | null;
    readonly state: PayloadState;
  }[];
}
