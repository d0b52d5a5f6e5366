/** Reports between brokers on the jobs that they have sent to clusters. */
import { Type } from "typebox";
import { MOST_DISPATCHES_TOLD, MOST_MS } from "../model/index.ts";
import { CONSUMER, instantGiven, lengthSec, orNull, ref, type Shape, strict } from "./fields.ts";

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const name = { minLength: 1, maxLength: 200, pattern: "^[^\\s\\p{Cc}]+$" };

/** `/peers/:name` */
export const peerParameters = Type.Object({
  name: Type.String({
    pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$",
    description: "Name of the broker here",
  }),
});

const dispatch = Type.Object(
  {
    id: Type.String({ ...name, description: "JOB/ATTEMPT, by its broker's ids" }),
    site: Type.String(name),
    siteJob: Type.Union([Type.String(name), Type.Null()], { description: "The cluster's id for it" }),
    consumer: Type.String({ pattern: CONSUMER, description: "Consumer whose policies apply to the job" }),
    procs: count,
    gpus: count,
    memoryBytes: count,
    startedAt: orNull(instantGiven, { description: "Null while it waits there" }),
    wallTimeSec: lengthSec("Its time limit", { most: MOST_MS / 1000 }),
  },
  strict,
);

/** `GET /dispatches`, `PUT /peers/:name` */
export const dispatchesSchema = Type.Object(
  {
    asOf: { ...instantGiven, description: "Instant by the clock of the reporting broker" },
    dispatched: Type.Array(dispatch, { maxItems: MOST_DISPATCHES_TOLD }),
    leftOut: Type.Integer({ minimum: 0, description: "Number of jobs left out, the oldest ones" }),
  },
  { ...strict, description: "Active jobs that a broker has submitted to clusters" },
);

const heardAt = Type.String({
  format: "date-time",
  description: "When its last report arrived; jobs that it has submitted since are not known",
});
const leftOut = Type.Integer({ description: "Number of jobs, at any site, missing from the report" });

/** Another broker at a site. */
export const peersAtSiteSchema = Type.Array(
  Type.Object({ peer: Type.String(), heardAt, leftOut, jobs: Type.Integer(), procs: Type.Integer() }, strict),
  { description: "Jobs of other brokers that the cluster does not show yet, counted as use" },
);

/** Another broker. */
export const peerSchema = Type.Object(
  {
    ...{ peer: Type.String(), heardAt, leftOut, by: Type.String() },
    told: Type.Integer({ description: "Number of jobs in its report" }),
    counted: Type.Array(
      Type.Object({ site: Type.String(), jobs: Type.Integer(), procs: Type.Integer() }, strict),
      { description: "Jobs that count here, by site" },
    ),
  },
  { ...strict, description: "Another broker that uses the same clusters" },
);

/** List of other brokers. */
export const peerListSchema = Type.Object(
  { items: Type.Array(ref<PeerView>("Peer")) },
  { ...strict, description: "Other brokers that use the same clusters" },
);

/** Report of a broker on the jobs that it has sent to clusters. */
export type DispatchesView = Shape<typeof dispatchesSchema>;
/** Counted use by another broker at a site. */
export type PeerAtSiteView = Shape<typeof peersAtSiteSchema>[number];
/** Another broker with its report. */
export type PeerView = Shape<typeof peerSchema>;
