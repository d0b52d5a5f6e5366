/** Why an upload cannot go on, or cannot be used. */
import { Fault, formatSize, messageOf } from "../../base/index.ts";

/**
 * Fault of an upload that the owner does not have; it does not tell whether somebody else has that content.
 */
export function notUploaded(name: string): Fault {
  return new Fault({
    kind: "refused",
    code: "notUploaded",
    what: `${name}: its content is not among your uploads`,
    why: "the upload is incomplete, or was removed: uploads that no job uses are removed after a day",
    remedy: "upload it again, then submit the job",
  });
}

/** A piece that leaves a gap, or begins in what is there. */
export function wrongOffset(receivedBytes: number): Fault {
  return new Fault({
    kind: "refused",
    code: "uploadOffset",
    what: "this part does not continue the upload",
    why: `${receivedBytes} bytes of it are there`,
    remedy: `send the bytes that follow, with from=${receivedBytes}`,
  });
}

/** More bytes than the client said. */
export function tooLong(sizeBytes: number): Fault {
  return new Fault({
    kind: "badInput",
    code: "uploadTooLong",
    what: "more bytes were sent than the declared size",
    why: `its declared size is ${sizeBytes} bytes`,
    remedy: "declare the size of the whole file as sizeBytes, and send no more than that",
  });
}

/** More bytes than any job may have. */
export function tooLarge(sizeBytes: number, mostBytes: number): Fault {
  return new Fault({
    kind: "refused",
    code: "uploadTooLarge",
    what: `a file of ${formatSize(sizeBytes)} cannot be uploaded`,
    why: `the files of one job may have ${formatSize(mostBytes)} in total`,
    remedy: "let the job fetch its data itself",
  });
}

/** Content of another hash than its name. */
export function hashDiffers(sha256: string, found: string): Fault {
  return new Fault({
    kind: "refused",
    code: "uploadHashDiffers",
    what: "the upload was discarded: its content does not match its hash",
    why: `its SHA-256 is ${found}, not ${sha256}`,
    remedy: "send it again from the beginning; if a program is writing to the file, upload a copy",
  });
}

/** The owner's uploads would have more bytes than they may. */
export function overQuota(quotaBytes: number, usedBytes: number): Fault {
  return new Fault({
    kind: "refused",
    code: "uploadQuota",
    what: "there is no room for this upload",
    why: `your uploads may have ${formatSize(quotaBytes)} in total, and have ${formatSize(usedBytes)}`,
    remedy:
      "remove some (DELETE /api/v1/uploads/SHA256), or wait: uploads that no job uses are removed after a " +
      "day",
  });
}

/** The owner has as many uploads as possible. */
export function tooMany(most: number): Fault {
  return new Fault({
    kind: "refused",
    code: "uploadsTooMany",
    what: "there is no room for another upload",
    why: `you have ${most}, which is the maximum for each user`,
    remedy:
      "pack many small files into an archive, or wait: uploads that no job uses are removed after a day",
  });
}

/** The bytes ended early, or cannot be written. */
export function interrupted(cause: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "uploadInterrupted",
    what: "the upload was interrupted",
    why: messageOf(cause),
    remedy: "query how many bytes have arrived, and send the rest",
    cause,
  });
}
