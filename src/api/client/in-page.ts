/** The client of the page: the same calls over `fetch`, identified by the cookie of its session. */
import { Fault } from "../../base/index.ts";
import type { UploadView } from "../../contract/index.ts";
import { type Call, callOver, pathOf } from "./call.ts";
import { callsBy } from "./calls.ts";
import { type SendOptions, sendContent } from "./send-content.ts";
import { answerFault, foreignAnswer } from "./server-fault.ts";

export { Fault } from "../../base/index.ts";
export type * from "../../contract/index.ts";
export type { OperationId, Operations } from "../operations.ts";
export { pathOf } from "./call.ts";
export { ProblemFault } from "./server-fault.ts";

/** Client of the broker that has served the page. All methods reject with a `Fault`. */
export type PageClient = ReturnType<typeof createPageClient>;

/** A client of the page's own broker. */
export function createPageClient() {
  const call: Call = callOver({
    async json({ method, path, body, headers }) {
      const text = await textOf({ method, path, body, headers });
      try {
        return JSON.parse(text);
      } catch {
        throw foreignAnswer("something that is not JSON");
      }
    },
  });
  return {
    /** Any operation of the API by its name. */
    call,
    ...callsBy(call),
    /**
     * Uploads a file that a user has chosen. @returns the hash by which jobs name it
     *
     * @throws Fault `uploadTooLarge` for one that does not fit into the memory of a page
     */
    async upload(file: Blob, options: SendOptions = {}): Promise<string> {
      if (file.size > MOST_BYTES) throw tooLarge();
      const sha256 = hexOf(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
      const piece = (from: number, end: number) => file.slice(from, end);
      await sendContent(
        { call, put, patienceMs: PATIENCE_MS },
        { ...{ sha256, piece }, sizeBytes: file.size },
        options,
      );
      return sha256;
    },
    /** URL of a file of a job. */
    fileUrl: (id: string, name: string) => pathOf("readFile", { params: { id, name } }),
  };
}

/** A browser hashes a file as a whole. */
const MOST_BYTES = 512 * 1024 * 1024;
const PATIENCE_MS = 60_000;

async function put(path: string, piece: Blob, signal: AbortSignal | undefined): Promise<UploadView> {
  return JSON.parse(await textOf({ method: "PUT", path, body: piece, signal }));
}

function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function tooLarge(): Fault {
  return new Fault({
    kind: "badInput",
    code: "uploadTooLarge",
    what: "the file is too large to upload from the page",
    why:
      "the page can send files of up to 512 MiB, because the browser loads the whole file to compute its " +
      "hash",
    remedy: "send it from the command line: stint submit --upload --input FILE",
  });
}

function jsonOf(body: unknown): string | null {
  return body === undefined ? null : JSON.stringify(body);
}

/** A request of the page. */
interface Sent {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON; a Blob as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

async function textOf({ method, path, body, headers, signal }: Sent): Promise<string> {
  const isBytes = body instanceof Blob;
  const type = isBytes ? "application/octet-stream" : "application/json";
  const json = body === undefined ? {} : { "content-type": type };
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { "x-stint-page": "1", ...json, ...headers },
      body: isBytes ? body : jsonOf(body),
      ...(signal && { signal }),
    });
  } catch (cause) {
    throw new Fault({
      kind: "unreachable",
      code: "serverUnreachable",
      what: "the broker does not answer",
      why: "the connection to it failed: it has stopped, or the network is down",
      remedy: "wait: the page retries automatically; `stint up` starts the broker",
      cause,
    });
  }
  const text = await response.text();
  if (!response.ok) throw answerFault(response.status, text);
  return text;
}
