/** `/jobs/:id/checkpoints`: states that a job saved. */
import { Readable } from "node:stream";
import {
  type CheckpointView,
  checkpointFileParameters,
  checkpointParameters,
  jobParameters,
  readQuery,
} from "../../contract/index.ts";
import type { JobRecord, SavedState } from "../../model/index.ts";
import type { BrokerApi, SavedStateFiles } from "../../runtime/index.ts";
import { findJob } from "../find-job.ts";
import { isoInstant } from "../iso-instant.ts";
import { refusalProblem } from "../problem.ts";
import { unknownStateFile } from "../unknown-file.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, streams, urlOf } from "./api.ts";

/** Registers the routes of the states of jobs. */
export function addCheckpoints(api: Api, { brokerApi, guard }: RouteWorld): void {
  const config = forThoseWhoMay("seeJob");
  api.get(
    urlOf("listCheckpoints"),
    {
      config,
      schema: {
        summary: "List the checkpoints of a job",
        ...{ tags: ["files"], params: jobParameters, response: answers("CheckpointList", 200) },
      },
    },
    async (request) => {
      const { id } = await findJob({ brokerApi, guard, request }, request.params.id);
      return { items: ((await brokerApi.savedStates(id)) ?? []).map(viewOf) };
    },
  );
  api.get(
    urlOf("getCheckpoint"),
    {
      config,
      schema: {
        summary: "List the files of a checkpoint",
        ...{ tags: ["files"], params: checkpointParameters, response: answers("CheckpointFiles", 200) },
      },
    },
    async (request) => {
      const job = await findJob({ brokerApi, guard, request }, request.params.id);
      const { state, files } = await stateOf(brokerApi, job, request.params.name);
      const { files: _, sizeBytes: __, ...view } = viewOf(state);
      return { ...view, items: files.map(({ path, sizeBytes }) => ({ name: path, sizeBytes })) };
    },
  );
  api.get(
    urlOf("readCheckpoint"),
    {
      config: { ...config, isStream: true },
      schema: {
        summary: "Read a file of a checkpoint",
        tags: ["files"],
        params: checkpointFileParameters,
        querystring: readQuery,
        response: streams("application/octet-stream", "The bytes as they are"),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const job = await findJob({ brokerApi, guard, request }, params.id);
      const { files, bytesOf } = await stateOf(brokerApi, job, params.name);
      if (!files.some(({ path }) => path === params.path)) {
        throw unknownStateFile(job.id, params.name, params.path);
      }
      reply.header("x-content-type-options", "nosniff").type("application/octet-stream");
      return reply.send(Readable.from(bytesOf(params.path, query.from ?? 0), { objectMode: false }));
    },
  );
}

async function stateOf(
  brokerApi: BrokerApi,
  { id }: Pick<JobRecord, "id">,
  name: string,
): Promise<SavedStateFiles> {
  const state = await brokerApi.savedState(id, name);
  if (state !== undefined) return state;
  const names = ((await brokerApi.savedStates(id)) ?? []).map((one) => one.name);
  throw refusalProblem({ kind: "noCheckpoint", job: id, name, names });
}

function viewOf({ name, attempt, savedAtMs, files, sizeBytes }: SavedState): CheckpointView {
  return { name, attempt, savedAt: isoInstant(savedAtMs), files, sizeBytes };
}
