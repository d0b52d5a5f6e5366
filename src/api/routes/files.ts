/**
 * `/jobs/:id/files`: what a job has written, while it runs and after.
 */
import { Readable } from "node:stream";
import { isFinal } from "../../model/index.ts";
import { fileBytes, readPart } from "../file-bytes.ts";
import { findJob, unknownFile } from "../find-job.ts";
import { fileParameters, jobParameters, readQuery } from "../schemas/parameters.ts";
import { type Api, answers, forThoseWhoMay, PREFIX, type RouteWorld, streams } from "./api.ts";

/** Adds the routes. */
export function addFiles(api: Api, { door, guard, pollMs }: RouteWorld): void {
  api.get(
    `${PREFIX}/jobs/:id/files`,
    {
      config: forThoseWhoMay("seeJob"),
      schema: {
        operationId: "listFiles",
        summary: "The files in the job's directory",
        tags: ["files"],
        params: jobParameters,
        response: answers("FileList", 200),
      },
    },
    async (request) => {
      const { id } = await findJob({ door, guard, request }, request.params.id);
      return { items: await door.listFiles(id) };
    },
  );
  api.get(
    `${PREFIX}/jobs/:id/files/:name`,
    {
      config: { ...forThoseWhoMay("seeJob"), isStream: true },
      schema: {
        operationId: "readFile",
        summary: "The bytes of a file",
        tags: ["files"],
        params: fileParameters,
        querystring: readQuery,
        response: streams("application/octet-stream", "The bytes as they are"),
      },
    },
    async (request, reply) => {
      const { params, query } = request;
      const { id, state } = await findJob({ door, guard, request }, params.id);
      const { name } = params;
      const { from = 0, follow = false } = query;
      const mayStillCome = follow && !isFinal(state);
      if (!mayStillCome && (await readPart(door, { id, name }, from)) === undefined) {
        throw unknownFile(id, name);
      }
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      const bytes = fileBytes(door, { id, name, from, follow, pollMs, signal: gone.signal });
      reply.header("x-content-type-options", "nosniff").type("application/octet-stream");
      // Whoever follows a job that has written nothing yet knows at once that it is being followed.
      reply.raw.once("pipe", () => reply.raw.flushHeaders());
      return reply.send(Readable.from(bytes, { objectMode: false }));
    },
  );
}
