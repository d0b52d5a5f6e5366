/** Uploads: content that clients send before the jobs that need it, each named by its hash. */

/** Progress of an upload. */
export interface Upload {
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** Of the whole; null where nothing of it was sent. */
  readonly sizeBytes: number | null;
  readonly receivedBytes: number;
  /** All of it is there, and has that hash. */
  readonly isWhole: boolean;
  /** End of its time, a day after its last use; null where there is nothing. */
  readonly expiresAtMs: number | null;
}

/** A piece of an upload. */
export interface UploadPiece {
  readonly owner: string;
  readonly sha256: string;
  /** Of the whole. */
  readonly sizeBytes: number;
  readonly fromByte: number;
}

/** The uploads of a broker; each belongs to who sent it, and nobody else can see or use it. */
export interface Uploads {
  list(owner: string): Promise<readonly Upload[]>;
  /** Progress of an upload, even if none of it has arrived. */
  find(owner: string, sha256: string): Promise<Upload>;
  /**
   * Appends bytes; what has arrived of them stays where their source ends early. The last piece is verified
   * by the hash. A piece of the same upload that is under way ends before.
   *
   * @throws Fault `uploadOffset`, `uploadTooLong`, `uploadTooLarge`, `uploadHashDiffers`, `uploadQuota`
   */
  append(piece: UploadPiece, bytes: AsyncIterable<Uint8Array>): Promise<Upload>;
  /** Removes an upload; jobs that use it keep it. @returns what it was */
  remove(owner: string, sha256: string): Promise<Upload>;
}
