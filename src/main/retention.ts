/**
 * Archiving of a running broker: events leave its log for archives, by its retention once a day, and where an
 * administrator asks for it.
 */
import { formatDuration, messageOf } from "../base/index.ts";
import type { ArchivedStretch, LogArchiving } from "../runtime/index.ts";
import { type ArchivableLogbook, archiveEvents } from "../store/index.ts";
import type { BrokerLog } from "./broker-log.ts";
import type { Settings } from "./settings.ts";
import { archiveDirectory } from "./state-directory.ts";

/** Time between two runs, in ms. */
const EVERY_MS = 24 * 3_600_000;

/** Surroundings of the archiving. */
interface Surroundings {
  readonly settings: Pick<Settings, "retention" | "stateDirectory">;
  /** By the broker's clock. */
  readonly nowMs: () => number;
  readonly log: Pick<BrokerLog, "logger" | "warn">;
}

/** Archiving of a log, one run after the other. */
export interface RunningArchiving extends LogArchiving {
  /** Archives by the retention now and once a day, if there is one. */
  keepRetention(): void;
  /** Stops after the step that is under way; what it leaves the next run takes up. */
  stop(): Promise<void>;
}

/**
 * Archives on demand. Commits go first: events leave the database in small parts between them. A run of the
 * retention that fails is reported, and the next one takes up what it left.
 */
export function archivingOf(
  logbook: ArchivableLogbook,
  { settings, nowMs, log }: Surroundings,
): RunningArchiving {
  const { value: retentionMs } = settings.retention;
  const directory = archiveDirectory(settings.stateDirectory.value);
  const ending = new AbortController();
  const { signal } = ending;
  let last: Promise<unknown> = Promise.resolve();
  let failures = 0;
  let again: NodeJS.Timeout | undefined;
  const run = async (olderThanMs: number): Promise<readonly ArchivedStretch[]> => {
    signal.throwIfAborted();
    const made = await archiveEvents(logbook, { beforeMs: nowMs() - olderThanMs, directory, signal });
    for (const { file, after, through } of made) {
      log.logger.info({ file, from: after.seq + 1, through: through.seq }, "archived");
    }
    return made;
  };
  const archive = (olderThanMs: number): Promise<readonly ArchivedStretch[]> => {
    const made = last.then(() => run(olderThanMs));
    last = made.catch(() => {
      if (!signal.aborted) failures++;
    });
    return made;
  };
  const keep = (ageMs: number): void => {
    archive(ageMs).catch((error: unknown) => {
      if (!signal.aborted) log.warn(notArchived(ageMs, error));
    });
  };
  return {
    archive,
    failures: () => failures,
    keepRetention() {
      if (retentionMs === undefined) return;
      keep(retentionMs);
      again = setInterval(() => keep(retentionMs), EVERY_MS);
      again.unref();
    },
    async stop() {
      clearInterval(again);
      ending.abort();
      await last;
    },
  };
}

function notArchived(retentionMs: number, error: unknown): string {
  const why = messageOf(error);
  return `events older than ${formatDuration(retentionMs)} stay in the log for now: ${why}`;
}
