/** `/uploads`: sends content that jobs name, piece by piece, each of which goes to the disk as it comes. */
import { Readable } from "node:stream";
import { type UploadView, uploadBody, uploadParameters, uploadPieceQuery } from "../../contract/index.ts";
import type { Upload } from "../../runtime/index.ts";
import { whoOf } from "../identity.ts";
import { isoInstant } from "../iso-instant.ts";
import { type Api, answers, forThoseWhoMay, type RouteWorld, urlOf } from "./api.ts";

const config = forThoseWhoMay("submit");

/** Registers the routes; in a scope of their own, where bodies are bytes. */
export function addUploads(api: Api, world: RouteWorld): void {
  api.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Whatever it is called, it is bytes.
    scope.addContentTypeParser("*", (_, payload, done) => done(null, payload));
    addSending(scope as Api, world);
    addLooking(scope as Api, world);
  });
}

function addSending(api: Api, { brokerApi }: RouteWorld): void {
  api.put(
    urlOf("sendUpload"),
    {
      config: { ...config, isStream: true },
      schema: {
        summary: "Send content, or the next part of it",
        description:
          "The body is bytes. If the connection breaks, received bytes are kept: query how many there " +
          "are, and send the rest with `from`. After the last part the hash is verified; then a job refers " +
          "to the content as `upload:SHA256/NAME` in its inputSandbox. It is kept for a day after its last " +
          "use.",
        tags: ["files"],
        params: uploadParameters,
        querystring: uploadPieceQuery,
        body: uploadBody,
        response: answers("Upload", 200),
      },
    },
    async (request) => {
      const { owner } = whoOf(request);
      const { sha256 } = request.params;
      const { sizeBytes, from: fromByte = 0 } = request.query;
      const body = request.body instanceof Readable ? request.body : Readable.from([]);
      // Where it is refused in the middle, the answer still goes over this connection.
      const bytes = body.iterator({ destroyOnReturn: false });
      return viewOf(await brokerApi.uploads.append({ owner, sha256, sizeBytes, fromByte }, bytes));
    },
  );
}

function addLooking(api: Api, { brokerApi }: RouteWorld): void {
  api.get(
    urlOf("listUploads"),
    {
      config,
      schema: { summary: "List your uploads", tags: ["files"], response: answers("UploadList", 200) },
    },
    async (request) => ({ items: (await brokerApi.uploads.list(whoOf(request).owner)).map(viewOf) }),
  );
  for (const [operation, method, summary, does] of [
    ["getUpload", "get", "Get how many bytes of an upload of yours have arrived", "find"],
    ["removeUpload", "delete", "Remove an upload of yours; jobs keep it", "remove"],
  ] as const) {
    api[method](
      urlOf(operation),
      {
        config,
        schema: { summary, tags: ["files"], params: uploadParameters, response: answers("Upload", 200) },
      },
      async (request) => viewOf(await brokerApi.uploads[does](whoOf(request).owner, request.params.sha256)),
    );
  }
}

function viewOf({ isWhole, expiresAtMs, ...same }: Upload): UploadView {
  return { ...same, whole: isWhole, expiresAt: expiresAtMs === null ? null : isoInstant(expiresAtMs) };
}
