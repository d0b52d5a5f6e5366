/**
 * Unreadable files of an attempt: their content, and the attempt with it, is lost.
 *
 * Imported by the wrapper: Node's own modules only.
 */

/** Error codes of shortages that are no fault of a job: space, files, memory, processes. */
const shortages: readonly unknown[] = ["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN"];
/** Error codes after which a retry may succeed. */
const passing: readonly unknown[] = [...shortages, "EINTR", "EBUSY"];

/** True if the error is a temporary shortage of the machine. */
export function isShortage(error: unknown): boolean {
  return error instanceof Error && "code" in error && shortages.includes(error.code);
}

/** True if a retry would fail in the same way. */
export function isLasting(error: unknown): boolean {
  return !(error instanceof Error && "code" in error && passing.includes(error.code));
}

/** Message about an attempt one of whose files cannot be read. @param what subject, such as `its claim` */
export function unreadableDetail(what: string, path: string, error: unknown): string {
  const why = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : String(error);
  return `How the job went is not known: ${what} (${path}) cannot be read: ${why}.`;
}
