/**
 * The queues of managed sites: each is looked at on a copy, and what starts is named.
 */
import { assert } from "../base/index.ts";
import { isForeign, type StintEvent } from "../model/index.ts";
import { nextInstant, settle, startsWhenSettled } from "../queue/index.ts";
import { beginAgain } from "./behind.ts";
import type { EventOf, Feature } from "./feature.ts";
import { keepJob } from "./keep-job.ts";
import { devicesFor } from "./state/gpu-devices.ts";
import { ofGoneSite } from "./state/outdated.ts";
import { type Projection, type RecordChange, siteOf } from "./state/projection.ts";

export const queues = {
  name: "queues",
  applies: { queueSettled },
  outdates: {
    queueSettled: (projection, event) => {
      const over = event.starts.find((job) => !projection.jobs.has(job));
      return over === undefined ? ofGoneSite(projection, event) : { kind: "jobOver", job: over };
    },
  },
  decide: settleAll,
  wakeAtMs,
} as const satisfies Feature;

function settleAll(projection: Projection, nowMs: number): StintEvent[] {
  const events: StintEvent[] = [];
  for (const { name, spec, queue } of projection.sites.values()) {
    if (isForeign(spec)) continue;
    if (!projection.unsettled.has(name) && nextInstant(queue) > nowMs) continue;
    const starts = startsWhenSettled(queue, nowMs);
    events.push({ kind: "queueSettled", site: name, starts, atMs: nowMs });
  }
  return events;
}

function wakeAtMs({ sites }: Projection): number {
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { spec, queue } of sites.values()) {
    if (!isForeign(spec)) firstMs = Math.min(firstMs, nextInstant(queue));
  }
  return firstMs;
}

function queueSettled(
  projection: Projection,
  { site: name, starts, atMs }: EventOf<"queueSettled">,
): readonly RecordChange[] {
  const site = siteOf(projection, name);
  const started = settle(site.queue, atMs);
  const isAsNamed = started.length === starts.length && started.every((job, i) => job === starts[i]);
  assert(isAsNamed || projection.isRecorded, `the queue of ${name} starts what the decision named`);
  projection.unsettled.delete(name);
  const changes = starts.map((id) => {
    const job = projection.jobs.get(id);
    assert(job !== undefined, "what starts is not over");
    const state = job.startedAtMs === null ? job.state : "RUNNING";
    // One that goes on keeps its devices.
    const devices = job.startedAtMs === null ? devicesFor(projection, site, job) : undefined;
    const has = devices === undefined ? {} : { gpuDevices: devices };
    return keepJob(projection, { ...job, ...has, state, startDecidedAtMs: atMs });
  });
  if (!isAsNamed) beginAgain(projection, site, atMs);
  return changes;
}
