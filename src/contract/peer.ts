/**
 * What brokers tell each other of what they have sent to clusters.
 */
import { Type } from "typebox";
import { MOST_DISPATCHES_TOLD, MOST_MS } from "../model/index.ts";
import { CONSUMER, instantGiven, lengthSec, orNull, ref, type Shape, strict } from "./fields.ts";

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const name = { minLength: 1, maxLength: 200, pattern: "^[^\\s\\p{Cc}]+$" };

/** `/peers/:name` */
export const peerParameters = Type.Object({
  name: Type.String({ pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$", description: "As it is called here" }),
});

const dispatch = Type.Object(
  {
    id: Type.String({ ...name, description: "JOB/ATTEMPT, as its broker calls it" }),
    site: Type.String(name),
    siteJob: Type.Union([Type.String(name), Type.Null()], { description: "The cluster's id for it" }),
    consumer: Type.String({ pattern: CONSUMER, description: "As whom policies judge it" }),
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
    asOf: { ...instantGiven, description: "By the clock of the broker that tells it" },
    dispatched: Type.Array(dispatch, { maxItems: MOST_DISPATCHES_TOLD }),
    leftOut: Type.Integer({ minimum: 0, description: "How many more there are, the oldest" }),
  },
  { ...strict, description: "What a broker has sent to clusters and is not over" },
);

const heardAt = Type.String({ format: "date-time", description: "What it has sent since is not known" });
const leftOut = Type.Integer({ description: "How many jobs, at whichever site, it did not tell of" });

/** Another broker at a site. */
export const peersAtSiteSchema = Type.Array(
  Type.Object({ peer: Type.String(), heardAt, leftOut, jobs: Type.Integer(), procs: Type.Integer() }, strict),
  { description: "What other brokers have sent there, that it does not show yet, and counts as use" },
);

/** Another broker. */
export const peerSchema = Type.Object(
  {
    ...{ peer: Type.String(), heardAt, leftOut, by: Type.String() },
    told: Type.Integer({ description: "How many jobs it told of" }),
    counted: Type.Array(
      Type.Object({ site: Type.String(), jobs: Type.Integer(), procs: Type.Integer() }, strict),
      { description: "Those that count here, by site" },
    ),
  },
  { ...strict, description: "Another broker that uses the same clusters" },
);

/** The list of them. */
export const peerListSchema = Type.Object(
  { items: Type.Array(ref<PeerView>("Peer")) },
  { ...strict, description: "Other brokers that use the same clusters" },
);

/** What a broker has sent to clusters, as brokers tell each other. */
export type DispatchesView = Shape<typeof dispatchesSchema>;
/** What of another broker counts at a site. */
export type PeerAtSiteView = Shape<typeof peersAtSiteSchema>[number];
/** Another broker, and all that it told. */
export type PeerView = Shape<typeof peerSchema>;
