/**
 * Sends one object of a sink: PUT over HTTP(S), or a file that appears whole under its name.
 *
 * A repeated upload of the same name replaces the object, so a lost response costs a second upload and
 * nothing else. Redirects are refused: results go to no address but that of the description.
 */
import { createReadStream } from "node:fs";
import { copyFile, mkdir, open, rename } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { isFullDisk } from "./full-disk.ts";

/** An object that is sent. */
export interface SentObject {
  readonly path: string;
  readonly bytes: number;
  readonly href: string;
  /** Silence after which the connection counts as lost. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** An object was not accepted. */
export class SinkProblem extends Error {
  /** True where another attempt may succeed. */
  readonly isPassing: boolean;

  constructor(isPassing: boolean, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "SinkProblem";
    this.isPassing = isPassing;
  }
}

/** Address of an object below that of a sink: a query stays behind the path, a fragment is left out. */
export function objectAddress(sink: string, name: string): string {
  const address = new URL(sink);
  address.pathname = `${address.pathname.replace(/\/$/, "")}/${name}`;
  address.hash = "";
  return address.href;
}

/** Resolves when the sink has confirmed the object. @throws SinkProblem */
export function sendObject(object: SentObject): Promise<void> {
  return object.href.startsWith("file:") ? writeObject(object) : putObject(object);
}

async function writeObject({ path, href }: SentObject): Promise<void> {
  const target = fileURLToPath(href);
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const part = `${target}.part`;
    await copyFile(path, part);
    const file = await open(part, "r+");
    await file.datasync().finally(() => file.close());
    await rename(part, target);
  } catch (cause) {
    throw new SinkProblem(isPassingFileError(cause), (cause as Error).message, cause);
  }
}

/** True for an error of a file system that may pass. */
export function isPassingFileError(cause: unknown): boolean {
  const { code } = cause as NodeJS.ErrnoException;
  return isFullDisk(cause) || code === "EIO" || code === "ESTALE" || code === "EMFILE";
}

/** Client errors that pass: too early, too many, and those of a proxy. */
const PASSING = [408, 421, 425, 429];

function putObject({ path, bytes, href, idleMs, signal }: SentObject): Promise<void> {
  const send = href.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => {
      reject(
        cause instanceof SinkProblem ? cause : new SinkProblem(true, `${href}: ${cause.message}`, cause),
      );
    };
    const request = send(
      href,
      { method: "PUT", headers: { "Content-Length": bytes }, signal },
      (response) => {
        const { statusCode = 0 } = response;
        response.resume();
        if (statusCode >= 200 && statusCode < 300) {
          response.once("end", resolve).once("error", fail);
          return;
        }
        const isPassing = statusCode >= 500 || PASSING.includes(statusCode);
        request.destroy(new SinkProblem(isPassing, `${href} answered ${statusCode}`));
      },
    );
    request.setTimeout(idleMs, () => request.destroy(new Error(`no progress for ${idleMs} ms`)));
    request.once("error", fail);
    const file = createReadStream(path);
    file.once("error", (cause) => request.destroy(new SinkProblem(false, cause.message, cause)));
    // A pipe whose end is gone leaves its beginning open.
    request.once("close", () => file.destroy());
    file.pipe(request);
  });
}
