/** `stint backup` and `stint restore`: the state of a broker in one file, and back. */
import { Command } from "commander";
import { counted } from "../base/index.ts";
import { printable } from "./text-table.ts";

/** Makes a backup, whether the broker runs or not. @throws Fault `fileExists`, `noLog`, `logAltered` */
export type BackUp = (request: BackUpRequest) => Promise<BackUpReport>;

interface BackUpRequest {
  readonly file: string;
  /** State directory; the default where absent. */
  readonly stateDirectory: string | undefined;
  /** True: a file of that name is replaced. */
  readonly isReplacing: boolean;
}

interface BackUpReport {
  /** Last event of the log in it. */
  readonly head: { readonly seq: number; readonly hash: string };
  readonly files: number;
  readonly sizeBytes: number;
}

/**
 * Restores a backup completely, or not at all.
 *
 * @throws Fault `stateNotEmpty`, `notABackup`, `backupTruncated`, `backupDamaged`, `backupTooNew`
 */
export type Restore = (request: Omit<BackUpRequest, "isReplacing">) => Promise<RestoreReport>;

interface RestoreReport extends Omit<BackUpReport, "sizeBytes"> {
  readonly directory: string;
  /** Instant and machine of the backup. */
  readonly createdAt: string;
  readonly host: string;
  /** Number of active jobs; null where views of another version have to be computed first. */
  readonly active: number | null;
}

type Surroundings = { readonly writeResult: (text: string) => void };

const BACKUP_EXAMPLES = `
Examples:
  $ stint backup /backup/stint-$(date +%F).tar.gz
  $ stint backup --state-dir /var/lib/stint /backup/stint.tar.gz --force
  $ stint backup /dev/stdout | ssh backup.example.org 'cat > stint.tar.gz'

Run it on the broker's machine, as the user who runs the broker. The broker may be running, and is not
delayed. The file is a tar archive compressed with gzip that only its owner can read: it contains the whole
log, names and contacts of people, the administrator's token, input files, simulations, and the directories
of jobs on this machine. It appears when it is complete and its log has been verified. tar tf lists it, and
sha256sum -c SHA256SUMS checks the extracted files.
`;
const RESTORE_EXAMPLES = `
Examples:
  $ stint restore /backup/stint-2026-11-20.tar.gz
  $ stint restore --state-dir /var/lib/stint /backup/stint.tar.gz

The state directory must be empty or absent. All files are compared with their checksums, and the log is
verified from its first event to its last; otherwise nothing is restored.

Before stint up on the restored directory, stop the backed-up broker permanently: two brokers
with one state would both control its jobs. Jobs that ran on this machine and no longer do are ended as
lost; jobs at clusters are found again.
`;

/** Command definition of `stint backup`. */
export function backupCommand(load: () => Promise<BackUp>, { writeResult }: Surroundings): Command {
  return new Command("backup")
    .summary("copy the log and the files of the broker into one file")
    .description("Copies the state directory of the broker into one file. The broker may be running.")
    .argument("<file>", "file to write, a .tar.gz")
    .option("--state-dir <directory>", "the state directory (default: $STINT_STATE_DIR)")
    .option("--force", "overwrite an existing file", false)
    .addHelpText("after", BACKUP_EXAMPLES)
    .action(
      async (file: string, { stateDir, force }: { readonly stateDir?: string; readonly force: boolean }) => {
        const backUp = await load();
        const { head, files, sizeBytes } = await backUp({
          file,
          stateDirectory: stateDir,
          isReplacing: force,
        });
        const size = sizeBytes === 0 ? "" : `, ${counted(sizeBytes, "byte")}`;
        const text = `${headText(head)}, ${counted(files, "file")}`;
        // Where the backup itself goes to stdout nothing else may.
        if (!/^\/(dev|proc)\//.test(file)) writeResult(`${printable(file)}: ${text}${size}\n`);
      },
    );
}

/** Command definition of `stint restore`. */
export function restoreCommand(load: () => Promise<Restore>, { writeResult }: Surroundings): Command {
  return new Command("restore")
    .summary("restore a backup into an empty state directory")
    .description("Restores a backup into an empty state directory, and verifies the log.")
    .argument("<file>", "a file that stint backup wrote")
    .option("--state-dir <directory>", "the state directory (default: $STINT_STATE_DIR)")
    .addHelpText("after", RESTORE_EXAMPLES)
    .action(async (file: string, { stateDir }: { readonly stateDir?: string }) => {
      const restore = await load();
      writeResult(restoredText(await restore({ file, stateDirectory: stateDir })));
    });
}

function restoredText({ directory, head, files, createdAt, host, active }: RestoreReport): string {
  const jobs = active === null ? "" : `, ${counted(active, "active job")}`;
  return (
    `${printable(directory)}: ${counted(files, "file")} of ${createdAt} on ${printable(host)}\n` +
    `the log is verified: ${headText(head)}${jobs}\n`
  );
}

function headText({ seq, hash }: BackUpReport["head"]): string {
  return `${counted(seq, "event")} up to ${hash.slice(0, 16)}`;
}
