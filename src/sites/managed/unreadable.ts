/**
 * Files of an attempt that are there and cannot be read: what they said is gone, and the attempt with it.
 *
 * Imported by the wrapper: Node's own modules only.
 */

/** What the system is short of at times, through no fault of a job: space, files, memory, processes. */
const shortages: readonly unknown[] = ["ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN"];
/** What is otherwise the next time. */
const passing: readonly unknown[] = [...shortages, "EINTR", "EBUSY"];

/** Whether the machine is short of something that it will have again. */
export function isShortage(error: unknown): boolean {
  return error instanceof Error && "code" in error && shortages.includes(error.code);
}

/** Whether the same will be so the next time. */
export function isLasting(error: unknown): boolean {
  return !(error instanceof Error && "code" in error && passing.includes(error.code));
}

/** What is told of an attempt one of whose files cannot be read. @param what `its claim` */
export function unreadableDetail(what: string, path: string, error: unknown): string {
  const why = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : String(error);
  return `How the job went is not known: ${what} (${path}) cannot be read: ${why}.`;
}
