/** Scouts of sweeps: the limits proposed from their runs, and whether the other jobs use them. */
import { counted } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";
import type { ScoutProposal, ScoutSummary } from "../scouts.ts";

interface ScoutsTypes {
  readonly command: {
    readonly kind: "decideScouts";
    readonly array: string;
    /** True: the proposal is applied to the jobs that have no site yet. */
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
  used: "the proposal of its scouts is already in use",
  noProposal: "its scouts propose nothing: none succeeded, or no limit of its jobs would be lowered",
} as const;

export const scouts: FeatureModel<ScoutsTypes> = {
  events: { scoutsEnded: 1, scoutsDecided: 1 },
  refusals: {
    scoutsNotDecidable: {
      status: 409,
      text: ({ array, why }) => ({
        what: `the proposal of scouts of array ${array} cannot be applied or declined`,
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
