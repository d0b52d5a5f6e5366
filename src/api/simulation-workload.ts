/**
 * The workload of a requested simulation: an example of the broker, an upload, or the queue of a cluster as
 * it is now.
 */
import type { FastifyRequest } from "fastify";
import type { SimulationGiven } from "../contract/index.ts";
import { liveLines } from "../formats/workload-jsonl/index.ts";
import type { SimulationOrder } from "../runtime/index.ts";
import { findSimulation } from "./find-simulation.ts";
import { whoOf } from "./identity.ts";
import { instantGiven } from "./instant-given.ts";
import { isoInstant } from "./iso-instant.ts";
import { pastWorkload } from "./past-jobs.ts";
import { ProblemError } from "./problem.ts";
import type { RouteWorld } from "./routes/api.ts";
import { siteNamed } from "./routes/sites.ts";
import { invalid } from "./validator.ts";

type WorkloadGiven = SimulationGiven["workload"];
type Ordered = Pick<SimulationOrder, "workload" | "content" | "discipline">;

const NO_SITE = { site: null, atMs: null, isPrivate: false } as const;

/** Reads the workload. @throws ProblemError where not exactly one is given, or it may not be seen */
export async function orderedWorkload(
  world: Pick<RouteWorld, "brokerApi" | "guard" | "simulations" | "nowMs">,
  request: FastifyRequest,
  { example, upload, queue, past, again, isRecord }: WorkloadGiven,
): Promise<Ordered> {
  const given = [example, upload, queue, past, again].filter((one) => one !== undefined);
  if (given.length !== 1) throw notOneWorkload();
  if (again !== undefined) {
    const { id, workload, discipline } = findSimulation(world, request, again);
    return {
      ...{ discipline, content: { kind: "again", id } },
      workload: { ...workload, isRecord: workload.site !== null || (isRecord ?? workload.isRecord) },
    };
  }
  if (example !== undefined) {
    const workload = { kind: "example", name: example, ...NO_SITE, isRecord: isRecord ?? false } as const;
    return { workload, content: { kind: "example" }, discipline: "easy" };
  }
  if (upload !== undefined) {
    const workload = { kind: "upload", name: upload.file, ...NO_SITE, isRecord: isRecord ?? false } as const;
    return { workload, content: { kind: "bytes", bytes: bytesOf(upload) }, discipline: "easy" };
  }
  if (past !== undefined) return await orderedPast(world, request, past);
  return await orderedQueue(world, request, queue ?? "");
}

/** What the caller may see of the jobs is in the workload, so it is for others only who may see all. */
async function orderedPast(
  { brokerApi, guard, nowMs }: Pick<RouteWorld, "brokerApi" | "guard" | "nowMs">,
  request: FastifyRequest,
  { site: given, since, until }: NonNullable<WorkloadGiven["past"]>,
): Promise<Ordered> {
  const { name: site, spec } = siteNamed(brokerApi, given);
  guard.demand(request, "seeSite", { site });
  const fromMs = instantGiven(since, { pointer: "/workload/past/since" });
  const untilMs = until === undefined ? nowMs() : instantGiven(until, { pointer: "/workload/past/until" });
  const lines = await pastWorkload(brokerApi, whoOf(request), { site, spec, fromMs, untilMs });
  const content = { kind: "bytes", bytes: `${lines.join("\n")}\n` } as const;
  const name = `jobs at ${site} since ${isoInstant(fromMs)}`;
  const workload = { kind: "past", name, site, atMs: untilMs, isPrivate: true, isRecord: true } as const;
  return { workload, content, discipline: spec.discipline };
}

async function orderedQueue(
  { brokerApi, guard }: Pick<RouteWorld, "brokerApi" | "guard">,
  request: FastifyRequest,
  queue: string,
): Promise<Ordered> {
  const { name: site } = siteNamed(brokerApi, queue);
  guard.demand(request, "seeSite", { site });
  const answer = await brokerApi.queueThere(site);
  if (answer === "notACluster") throw queueHidden(site);
  const { areJobsPrivate: isPrivate } = answer;
  if (isPrivate) guard.demand(request, "changeSite", { site });
  const { atMs, waiting, discipline } = answer.queue;
  if (waiting.length === 0) throw queueEmpty(site);
  const content = { kind: "bytes", bytes: `${liveLines(answer.queue).join("\n")}\n` } as const;
  const workload = { kind: "queue", name: `the queue of ${site}`, site, atMs, isRecord: true } as const;
  return { workload: { ...workload, isPrivate }, content, discipline };
}

function bytesOf({ text, base64 }: NonNullable<WorkloadGiven["upload"]>): Uint8Array | string {
  if ((text === undefined) === (base64 === undefined)) {
    throw invalid([{ pointer: "/workload/upload", detail: "exactly one of text and base64 is needed" }]);
  }
  if (text !== undefined) return text;
  const given = (base64 ?? "").replace(/=+$/, "");
  const bytes = Buffer.from(given, "base64");
  // Node skips what is no base64: then the bytes are those of another text.
  if (bytes.length > 0 && bytes.toString("base64").replace(/=+$/, "") === given) return bytes;
  throw invalid([{ pointer: "/workload/upload/base64", detail: "it is not base64 without line breaks" }]);
}

function notOneWorkload(): ProblemError {
  const detail = "exactly one of example, upload, queue, past and again is needed";
  return invalid([{ pointer: "/workload", detail }]);
}

function queueHidden(site: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "siteShowsNoJobs",
    what: `the queue of ${site} cannot be simulated`,
    why: "the site reports only its current load; only clusters with a batch system report their jobs",
    remedy: "name a site of type slurm, or upload a workload",
    facts: { site },
  });
}

function queueEmpty(site: string): ProblemError {
  return new ProblemError({
    status: 409,
    code: "queueEmpty",
    what: `there is nothing to simulate: no job waits at ${site}`,
    why: "other rules can only change the starts of jobs that wait",
    remedy: "try again when jobs wait there, or upload a recorded period (docs/guides/what-if.md)",
    facts: { site },
  });
}
