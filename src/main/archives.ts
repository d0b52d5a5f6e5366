/** `stint archive` on the state directory of a broker. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Fault } from "../base/index.ts";
import { systemClock } from "../broker/index.ts";
import type { ArchiveTools, VerifiedPart } from "../cli/index.ts";
import { type ArchivedStretch, type Receipt, VIEWS, VIEWS_VERSION } from "../runtime/index.ts";
import {
  archiveEvents,
  chainText,
  emptyHead,
  openSqliteLogbook,
  snapshotSqliteLogbook,
  verifyArchive,
  verifyChain,
} from "../store/index.ts";
import { type Environment, findStateDirectory } from "./settings.ts";
import { archiveDirectory } from "./state-directory.ts";

/** Archives of the broker of this environment. */
export function archiveTools(environment: Environment): ArchiveTools {
  const logOf = (directory: string) => ({
    ...{ directory: join(directory, "log"), views: VIEWS, projection: VIEWS_VERSION },
  });
  async function stateOf(named: string | undefined): Promise<string> {
    const directory = await findStateDirectory({
      ...environment,
      ...(named !== undefined && { STINT_STATE_DIR: named }),
    });
    if (!existsSync(join(directory, "log", "logbook.sqlite"))) throw noLog(directory);
    return directory;
  }
  return {
    async archive({ olderThanMs, directory, stateDirectory }) {
      const state = await stateOf(stateDirectory);
      const logbook = await openSqliteLogbook(logOf(state));
      try {
        const made = await archiveEvents(logbook, {
          beforeMs: systemClock.nowMs() - olderThanMs,
          directory: resolve(directory ?? archiveDirectory(state)),
        });
        return made.map(shown);
      } finally {
        await logbook.close();
      }
    },
    async list(stateDirectory) {
      const logbook = await snapshotSqliteLogbook(logOf(await stateOf(stateDirectory)));
      try {
        return (await logbook.archives()).map(shown);
      } finally {
        logbook.close();
      }
    },
    async verify(files, stateDirectory) {
      if (files.length > 0)
        return (
          await verifiedFiles(
            files.map((file) => ({ file })),
            undefined,
          )
        ).parts;
      const logbook = await snapshotSqliteLogbook(logOf(await stateOf(stateDirectory)));
      try {
        const archives = await logbook.archives();
        const recorded = archives.map(({ file, ...ends }) => ({ file, recorded: ends }));
        const { parts } = await verifiedFiles(recorded, emptyHead);
        const after = archives.at(-1)?.through ?? emptyHead;
        const head = await logbook.head();
        const verdict = await verifyChain(logbook.events(after.seq + 1), { after, through: head });
        const isIntact = verdict.kind === "intact";
        const found = isIntact ? eventsText(after.seq + 1, head.seq) : chainText(verdict);
        return [...parts, { part: "the live log", isIntact, found }];
      } finally {
        logbook.close();
      }
    },
  };
}

/** Verifies files in order; behind a wrong one the next begins where it says that it does. */
async function verifiedFiles(
  files: readonly Parameters<typeof verifyArchive>[0][],
  before: Receipt | undefined,
): Promise<{ readonly parts: readonly VerifiedPart[] }> {
  const parts: VerifiedPart[] = [];
  let after = before;
  for (const archive of files) {
    const verdict = await verifyArchive(archive, after);
    const { file, isIntact } = verdict;
    after = isIntact ? verdict.stretch.through : archive.recorded?.through;
    const found = isIntact
      ? eventsText(verdict.stretch.after.seq + 1, verdict.stretch.through.seq)
      : verdict.why;
    parts.push({ part: file, isIntact, found });
  }
  return { parts };
}

function shown({ file, after, through, firstAtMs, lastAtMs, sizeBytes }: ArchivedStretch) {
  const [firstAt, lastAt] = [firstAtMs, lastAtMs].map((ms) => new Date(ms).toISOString());
  return { file, from: after.seq + 1, through: through.seq, firstAt, lastAt, sizeBytes };
}

function eventsText(from: number, through: number): string {
  return `events ${from} to ${through} are what was recorded`;
}

function noLog(directory: string): Fault {
  return new Fault({
    kind: "badInput",
    code: "noLog",
    what: `there is no log in ${directory}`,
    why: "no broker has run on this state directory",
    remedy: "name the state directory of the broker with --state-dir or STINT_STATE_DIR",
  });
}
