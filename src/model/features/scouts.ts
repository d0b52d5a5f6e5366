/** Scouts of sweeps: what their runs propose for the other jobs, and whether these take it. */
import { counted } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { ScoutProposal, ScoutSummary } from "../scouts.ts";

interface ScoutsTypes {
  readonly command: {
    readonly kind: "decideScouts";
    readonly array: string;
    /** True: the jobs that have no site yet take the proposal. */
    readonly isUsed: boolean;
    readonly by: string;
  };
  readonly event:
    | {
        readonly kind: "scoutsEnded";
        readonly array: string;
        readonly outcome: NonNullable<ScoutSummary["outcome"]>;
        readonly proposal?: ScoutProposal;
      }
    | {
        readonly kind: "scoutsDecided";
        readonly array: string;
        readonly isUsed: boolean;
        readonly by: string;
      };
  readonly refusal: {
    readonly kind: "scoutsNotDecidable";
    readonly array: string;
    readonly why: "none" | "running" | "used" | "noProposal";
  };
  readonly cause: {
    readonly kind: "scoutsFirst";
    readonly array: string;
    readonly left: number;
    readonly isUndecided: boolean;
  };
}

const WHY = {
  none: "it has no scouts",
  running: "its scouts have not ended",
  used: "the proposal of its scouts is in use already",
  noProposal: "its scouts propose nothing: none succeeded, or its jobs ask for no more than they need",
} as const;

export const scouts: FeatureModel<ScoutsTypes> = {
  events: { scoutsEnded: 1, scoutsDecided: 1 },
  refusals: {
    scoutsNotDecidable: {
      status: 409,
      text: ({ array, why }) => ({
        what: `there is no proposal of scouts to decide on for array ${array}`,
        why: WHY[why],
        remedy: `see \`stint scouts ${array}\``,
      }),
    },
  },
  causes: {
    scoutsFirst: ({ array, left, isUndecided }) =>
      isUndecided
        ? `the scouts of ${array} have ended, and its other jobs wait for a decision: ` +
          `\`stint scouts ${array} --use\` or \`--keep\``
        : `${counted(left, "scout")} of ${array} ${left === 1 ? "has" : "have"} to end first`,
  },
};
