/** Pilots at a foreign site, as its adapter sees them. */
import type { AttemptEnd, PilotSize } from "../model/index.ts";

/** An attempt of ours by its token and the site's id. */
interface AttemptThere {
  readonly token: string;
  readonly siteJob: string;
}

/** What is to be looked at. */
export interface PilotQuestion {
  readonly pilots: readonly AttemptThere[];
  /** `isOrphan`: its pilot is certainly over; what has not begun yet is never to begin. */
  readonly payloads: readonly (AttemptThere & { readonly pilot: AttemptThere; readonly isOrphan: boolean })[];
}

/** A pilot, as it was seen. */
interface SeenPilot {
  readonly token: string;
  /** Null while it has not advertised what it was given. */
  readonly allocation: (PilotSize & { readonly node: string }) | null;
  /** True where it takes nothing more, of its own accord. */
  readonly isDraining: boolean;
}

/** State of a payload. */
export type PayloadState =
  | { readonly kind: "waiting" }
  | { readonly kind: "running"; readonly startedAtMs: number }
  /** It began, its wrapper is gone, and there is no report: none may come any more. */
  | { readonly kind: "gone" }
  /** It has not begun, and never will. */
  | { readonly kind: "never" }
  | {
      readonly kind: "ended";
      readonly startedAtMs: number | null;
      readonly endedAtMs: number;
      readonly end: AttemptEnd;
    };

/** What was seen; what could not be seen is absent. */
export interface PilotSight {
  readonly pilots: readonly SeenPilot[];
  readonly payloads: readonly {
    readonly token: string;
    /** Of its program, once it has begun; null where it could not be read. */
    readonly sha256: string | null;
    readonly state: PayloadState;
  }[];
}
