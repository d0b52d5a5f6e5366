/** Retention of the log: events that are older leave it for archives, while the broker runs. */
import { formatDuration } from "../base/index.ts";
import { type ArchivableLogbook, archiveEvents } from "../store/index.ts";
import type { BrokerLog } from "./broker-log.ts";
import type { Settings } from "./settings.ts";
import { archiveDirectory } from "./state-directory.ts";

/** Time between two runs, in ms. */
const EVERY_MS = 24 * 3_600_000;

/** Surroundings of the retention. */
interface Surroundings {
  readonly settings: Pick<Settings, "retention" | "stateDirectory">;
  /** By the broker's clock. */
  readonly nowMs: () => number;
  readonly log: Pick<BrokerLog, "logger" | "warn">;
}

/**
 * Archives now and once a day. Commits go first: events leave the database in small parts between them. A
 * run that fails is reported, and the next one takes up what it left.
 *
 * @returns stops that, after the step that is under way; what it leaves the next run takes up
 */
export function keepRetention(
  logbook: ArchivableLogbook,
  { settings, nowMs, log }: Surroundings,
): () => Promise<void> {
  const { value: retentionMs } = settings.retention;
  const directory = archiveDirectory(settings.stateDirectory.value);
  if (retentionMs === undefined) return async () => {};
  const ending = new AbortController();
  const { signal } = ending;
  const archive = async (): Promise<void> => {
    if (signal.aborted) return;
    try {
      const beforeMs = nowMs() - retentionMs;
      for (const { file, after, through } of await archiveEvents(logbook, { beforeMs, directory, signal })) {
        log.logger.info({ file, from: after.seq + 1, through: through.seq }, "archived");
      }
    } catch (error) {
      if (!signal.aborted) log.warn(notArchived(retentionMs, error));
    }
  };
  let last = archive();
  const again = setInterval(() => {
    last = last.then(archive);
  }, EVERY_MS);
  again.unref();
  return async () => {
    clearInterval(again);
    ending.abort();
    await last;
  };
}

function notArchived(retentionMs: number, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `events older than ${formatDuration(retentionMs)} stay in the log for now: ${why}`;
}
