/** Queue time of a job: how long it waits in the queue of one site before it is matched again. */
import { formatDuration } from "../../base/index.ts";
import type { FeatureModel } from "../feature.ts";

const MS_PER_S = 1000;

interface QueueTimeTypes {
  /** A decision: the job has not begun in time, and leaves the queue of its site. */
  readonly event: { readonly kind: "queueTimeOver"; readonly job: string; readonly site: string };
  readonly refusal: never;
  readonly cause: {
    readonly kind: "queueTime";
    readonly site: string;
    readonly queueTimeMs: number;
    /** Time until it leaves; 0 while it leaves. */
    readonly leftMs: number;
  };
}

export const queueTime: FeatureModel<QueueTimeTypes> = {
  events: { queueTimeOver: 1 },
  refusals: {},
  causes: {
    queueTime: ({ site, queueTimeMs, leftMs }) => {
      const limit = `its queue time of ${formatDuration(queueTimeMs)}`;
      if (leftMs === 0) return `${limit} at ${site} is over: it leaves the queue there and is matched again`;
      const left = formatDuration(Math.ceil(leftMs / MS_PER_S) * MS_PER_S);
      return `${limit} ends in ${left}: then it leaves the queue of ${site} and is matched again`;
    },
  },
};
