/**
 * Files of an attempt that are there and cannot be read: what they said is gone, and the attempt with it.
 *
 * Imported by the wrapper: Node's own modules only.
 */

/** What the system is short of at times; the same file is read the next time. */
const passing: readonly unknown[] = ["EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EINTR", "EBUSY"];

/** Whether the same will be so the next time. */
export function isLasting(error: unknown): boolean {
  return !(error instanceof Error && "code" in error && passing.includes(error.code));
}

/** What is told of an attempt one of whose files cannot be read. @param what `its claim` */
export function unreadableDetail(what: string, path: string, error: unknown): string {
  const why = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : String(error);
  return `How the job went is not known: ${what} (${path}) cannot be read: ${why}.`;
}
