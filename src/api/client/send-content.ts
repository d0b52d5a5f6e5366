/**
 * Sends content that goes with jobs, piece by piece, from where the broker has it: nothing where all of it is
 * there, the rest where a connection was lost.
 */
import { Fault } from "../../base/index.ts";
import type { UploadView } from "../../contract/index.ts";
import type { Call } from "./call.ts";
import { pathOf } from "./call.ts";

/** Content by its hash; a piece is read when it is sent. */
export interface Content<Piece> {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly piece: (fromByte: number, endByte: number) => Piece | Promise<Piece>;
}

/** Progress of an upload, and its end. */
export interface SendOptions {
  /** Hears how many bytes are there. */
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Calls, and the request that sends a piece. */
interface SendWorld<Piece> {
  readonly call: Call;
  readonly put: (path: string, piece: Piece, signal: AbortSignal | undefined) => Promise<UploadView>;
  /** Time without progress after which it is given up. */
  readonly patienceMs: number;
}

/** Sizes of a piece: a server gives each a minute to arrive. */
const LEAST_BYTES = 256 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;
const SOON_MS = 5000;
const LATE_MS = 20_000;
const PAUSE_MS = 500;

/** Sends what is missing. @throws Fault of the broker, or that it stayed away */
export async function sendContent<Piece>(
  { call, put, patienceMs }: SendWorld<Piece>,
  { sha256, sizeBytes, piece }: Content<Piece>,
  { onProgress, signal }: SendOptions = {},
): Promise<void> {
  let pieceBytes = 1024 * 1024;
  let sentBytes = -1;
  let movedAtMs = Date.now();
  const heard = (upload: UploadView): number => {
    const there = upload.sizeBytes === sizeBytes ? upload.receivedBytes : 0;
    if (there !== sentBytes) movedAtMs = Date.now();
    sentBytes = there;
    onProgress?.(there);
    return there;
  };
  for (;;) {
    signal?.throwIfAborted();
    try {
      let upload = await call("getUpload", { params: { sha256 } });
      let from = heard(upload);
      while (!upload.whole) {
        signal?.throwIfAborted();
        const beganAtMs = Date.now();
        const path = pathOf("sendUpload", { params: { sha256 }, query: { sizeBytes, from } });
        upload = await put(path, await piece(from, Math.min(from + pieceBytes, sizeBytes)), signal);
        from = heard(upload);
        const tookMs = Date.now() - beganAtMs;
        if (tookMs < SOON_MS) pieceBytes = Math.min(2 * pieceBytes, MOST_BYTES);
        if (tookMs > LATE_MS) pieceBytes = Math.max(pieceBytes / 2, LEAST_BYTES);
      }
      return;
    } catch (error) {
      pieceBytes = Math.max(pieceBytes / 2, LEAST_BYTES);
      if (!mayGoOn(error) || Date.now() - movedAtMs > patienceMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** A late piece is a bad request to the server; what another sent first is of a wrong offset. */
const ANEW: readonly string[] = ["uploadOffset", "uploadInterrupted", "badRequest"];

function mayGoOn(error: unknown): boolean {
  return error instanceof Fault && (error.kind === "unreachable" || ANEW.includes(error.code));
}
