/** Storage used by the uploads of an owner, and its limit; read from the disk once, then updated. */
import type { Upload } from "../../runtime/index.ts";
import { overQuota, tooLarge, tooMany } from "./upload-faults.ts";

/** Limits of one upload, and of all of an owner. */
export interface RoomLimits {
  readonly mostBytes: number;
  readonly quotaBytes: number;
  readonly most: number;
}

/** Room of owners, by their folders. */
export interface UploadRoom {
  /** Counts an upload at its whole size. @throws Fault `uploadTooLarge`, `uploadsTooMany`, `uploadQuota` */
  take(folder: string, sha256: string, sizeBytes: number): Promise<void>;
  free(folder: string, sha256: string): Promise<void>;
}

/** Room for uploads. @param list uploads in the folder of an owner, as they are on the disk */
export function createRoom(
  { mostBytes, quotaBytes, most }: RoomLimits,
  list: (folder: string) => Promise<readonly Upload[]>,
): UploadRoom {
  const taken = new Map<string, Promise<Map<string, number>>>();
  const read = async (folder: string): Promise<Map<string, number>> =>
    new Map((await list(folder)).map(({ sha256, sizeBytes }) => [sha256, sizeBytes ?? 0]));
  const sizesOf = (folder: string): Promise<Map<string, number>> => {
    const sizes = taken.get(folder) ?? read(folder);
    taken.set(folder, sizes);
    sizes.catch(() => taken.delete(folder));
    return sizes;
  };
  return {
    async take(folder, sha256, sizeBytes) {
      if (sizeBytes > mostBytes) throw tooLarge(sizeBytes, mostBytes);
      const sizes = await sizesOf(folder);
      let usedBytes = 0;
      for (const [other, bytes] of sizes) if (other !== sha256) usedBytes += bytes;
      if (!sizes.has(sha256) && sizes.size >= most) throw tooMany(most);
      if (usedBytes + sizeBytes > quotaBytes) throw overQuota(quotaBytes, usedBytes);
      sizes.set(sha256, sizeBytes);
    },
    async free(folder, sha256) {
      (await taken.get(folder))?.delete(sha256);
    },
  };
}
