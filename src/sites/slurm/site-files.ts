/**
 * Directories of attempts at the site, by the usual tools of its machines, locally or through ssh.
 *
 *     DIRECTORY/JOB_ATTEMPT/          mode 0700
 *       work/  tmp/                   the job's directory, its TMPDIR
 *       claim/                        made by the wrapper that runs the job: there is one
 *       again.ID/                     permits one more run, after a requeue by this broker
 *       signals                       signals to send, one a line
 *       report.ID  log                the end of the job; problems of the wrapper
 *
 * No link is followed: a job may write anything into its directory.
 */
import { posix } from "node:path";
import { isInnerPath, LISTING_LIMITS } from "../../model/index.ts";
import type { AppendedPart, FilePart, InputFile, PlacedAttempt } from "../../runtime/index.ts";
import { readReports, type WrapperReport } from "./ends.ts";
import { attemptDirectory } from "./own-jobs.ts";
import type { CommandRequest, CommandResult, RunCommand } from "./run-command.ts";
import { inputArchives, UNPACK } from "./send-files.ts";
import { slurmFault } from "./slurm-fault.ts";

const FILE_TIMEOUT_MS = 60_000;
const MOST_PART_BYTES = 8 * 1024 * 1024;
/** Largest number of paths in one command, whose words may have some 100 kB at 200 bytes a path. */
const MANY_PATHS = 200;
/**
 * Makes directories and then runs its words, which no shell interprets: a second command would double the
 * time of a submission.
 */
const MAKE_FIRST = 'mkdir -p -m 0700 -- "$1" "$1/work" && shift && exec "$@"';

/**
 * Runs its words in a directory below the attempt's, to which no link leads: a directory that was entered
 * stays the same, whatever the job puts in its place.
 */
const IN_DIRECTORY =
  'cd -P -- "$1" && root=$(pwd -P) && cd -P -- "./$2" && [ "$(pwd -P)" = "$root/$2" ] && ' +
  'shift 2 && exec "$@"';
/** Writes standard input to a file of the directory, which appears whole. */
const ADD_FILE =
  'cd -P -- "$1" && rm -f -- ".$2.part" && set -C && cat > ".$2.part" && mv -f -- ".$2.part" "$2"';
/** Exit code of a command for a file that does not exist. */
const NO_FILE = 3;
/**
 * Appends standard input to a file, from the byte on that is not there yet, and prints its size. Of `$2`
 * bytes the first has the place `$1`; without one they go to its end. No link is followed that a job of
 * another account puts in the file's place meanwhile.
 */
const APPEND =
  'file=$3; [ -f "$file" ] && [ ! -L "$file" ] || exit 3; size=$(($(wc -c < "$file"))); ' +
  'there=$((size - ${1:-$size})); if [ "$there" -ge 0 ] && [ "$there" -le "$2" ]; then ' +
  'tail -c "+$((there + 1))" | ' +
  'dd of="$file" oflag=append,nofollow conv=notrunc,nocreat status=none || exit; fi; ' +
  'echo $(($(wc -c < "$file")))';
/** Lists a directory: its own files first, then those below, at most so many and so deep. */
const LIST_FILES =
  'list() { find -P "$dir" "$@" -type f -printf "%s %P\\0"; }; dir=$1; ' +
  '{ list -mindepth 1 -maxdepth 1; list -mindepth 2 -maxdepth "$3"; } | head -z -n "$2"';
/** Sums the sizes of all files; a job may remove some meanwhile. */
const SUM_SIZES =
  'find -P "$1" -mindepth 1 -type f -printf "%s\\n" 2>/dev/null | ' +
  "awk '{ sum += $1 } END { printf \"%.0f\", sum }'";

/** A file and its size, in bytes. */
export interface ListedFile {
  readonly name: string;
  readonly sizeBytes: number;
}

/** Files of attempts below one directory of the site. */
export class AttemptFiles {
  readonly #run: RunCommand;
  readonly #directory: string;

  constructor(run: RunCommand, directory: string) {
    this.#run = run;
    this.#directory = directory;
  }

  /** Directory of an attempt. */
  placeOf(token: string): string {
    return attemptDirectory(this.#directory, token);
  }

  /** Words of a command that first makes the attempt's directories, in the same process. */
  within(token: string, words: readonly string[]): readonly string[] {
    return ["sh", "-c", MAKE_FIRST, "sh", this.placeOf(token), ...words];
  }

  /** Copies a job's input files into its directory, with the permission to execute them. */
  async send(token: string, inputFiles: readonly InputFile[]): Promise<void> {
    const words = ["sh", "-c", UNPACK, "sh", this.placeOf(token)];
    for await (const { bytes, named } of inputArchives(inputFiles)) {
      await this.#must(`cannot send ${named} of ${token}`, { words, input: bytes });
    }
  }

  /** Puts a file into the directory of a job. */
  async add(token: string, name: string, bytes: Uint8Array): Promise<void> {
    const work = posix.join(this.placeOf(token), "work");
    const words = ["sh", "-c", ADD_FILE, "sh", work, name];
    await this.#must(`cannot add ${name} to ${token}`, { words, input: Buffer.from(bytes) });
  }

  /** Writes a file beside the job's directory, whole. Other accounts may enter there, and read nothing. */
  async write(token: string, name: string, text: string): Promise<void> {
    const words = this.within(token, [
      "sh",
      "-c",
      `umask 077 && ${ADD_FILE}`,
      "sh",
      this.placeOf(token),
      name,
    ]);
    await this.#must(`cannot write ${name} of ${token}`, { words, input: text });
  }

  /** Removes a file beside the job's directory, if it is there. */
  async drop(token: string, name: string): Promise<void> {
    const words = ["rm", "-f", "--", posix.join(this.placeOf(token), name)];
    await this.#must(`cannot remove ${name} of ${token}`, { words });
  }

  /** Sees to it that a job that has not begun never does, and reports its end. @returns false if it has */
  async fence({ token, siteJob }: PlacedAttempt, cause: string, atMs: number): Promise<boolean> {
    const words = ["sh", "-c", 'mkdir "$1/claim" 2>/dev/null', "sh", this.placeOf(token)];
    const { code } = await this.#do({ words });
    if (code !== 0) return false;
    const report = {
      token,
      siteJob,
      cause,
      exitCode: null,
      signal: null,
      startedAtMs: null,
      endedAtMs: atMs,
    };
    await this.write(token, `report.${siteJob}`, `${JSON.stringify({ ...report, cpu: "" })}\n`);
    return true;
  }

  /** Output of a script that reads files of attempts. */
  async look(script: string, words: readonly string[]): Promise<string> {
    const { stdout } = await this.#must("cannot look at pilots", {
      words: ["sh", "-c", script, "sh", ...words],
    });
    return stdout.toString("utf8");
  }

  /** Appends a signal to those that the wrapper sends. */
  async addSignal(token: string, name: string): Promise<void> {
    const file = posix.join(this.placeOf(token), "signals");
    const words = ["dd", `of=${file}`, "oflag=append", "conv=notrunc", "status=none"];
    await this.#must(`cannot send ${name} to ${token}`, { words, input: `${name.replace(/^SIG/, "")}\n` });
  }

  /** Permits a job's second run; the wrapper removes the permission when it uses it. */
  async permitAgain(token: string, siteJob: string): Promise<void> {
    const words = ["mkdir", "-p", "--", this.#permission(token, siteJob)];
    await this.#must(`cannot requeue ${token}`, { words });
  }

  /** Removes the permission of a second run. */
  async forbidAgain(token: string, siteJob: string): Promise<void> {
    await this.#do({ words: ["rmdir", "--", this.#permission(token, siteJob)] });
  }

  /** Existing reports of these jobs. */
  async reports(
    jobs: readonly { readonly token: string; readonly siteJob: string }[],
  ): Promise<readonly WrapperReport[]> {
    const found: WrapperReport[] = [];
    for (let at = 0; at < jobs.length; at += MANY_PATHS) {
      const files = jobs
        .slice(at, at + MANY_PATHS)
        .map(({ token, siteJob }) => posix.join(this.placeOf(token), `report.${siteJob}`));
      // Those that are missing make it end with 1; what is there was printed.
      const { stdout } = await this.#do({ words: ["cat", "--", ...files] });
      found.push(...readReports(stdout.toString("utf8")));
    }
    return found;
  }

  /** Part of a regular file in the job's directory or below; undefined if there is none. */
  async readPart(
    token: string,
    name: string,
    fromByte: number,
    maxBytes: number,
  ): Promise<FilePart | undefined> {
    if (!isInnerPath(name)) return undefined;
    const size = await this.#do({ words: this.#beside(token, name, ["stat", "-c", "%s %F", "--"]) });
    const match = /^(\d+) regular/.exec(size.stdout.toString("utf8"));
    if (match === null) return undefined;
    const sizeBytes = Number(match[1]);
    const count = Math.min(maxBytes, MOST_PART_BYTES);
    if (fromByte >= sizeBytes || count <= 0) return { bytes: new Uint8Array(), sizeBytes };
    const place = [`skip=${fromByte}`, `count=${count}`, "iflag=nofollow,skip_bytes,count_bytes"];
    const words = this.#beside(token, name, ["dd", "bs=256K", ...place, "status=none"], "if=");
    const { stdout } = await this.#must(`cannot read ${name} of ${token}`, { words });
    return { bytes: stdout, sizeBytes: Math.max(sizeBytes, fromByte + stdout.length) };
  }

  /** Appends to a file in the job's directory what is not in it yet; undefined if there is no such file. */
  async append(token: string, name: string, { bytes, atByte }: AppendedPart): Promise<number | undefined> {
    if (!isInnerPath(name)) return undefined;
    const words = ["sh", "-c", APPEND, "sh", `${atByte ?? ""}`, `${bytes.length}`];
    const request = { words: this.#beside(token, name, words), input: Buffer.from(bytes) };
    const result = await this.#do(request);
    if (result.code === 0) return Number(result.stdout.toString("utf8"));
    // A shell ends with 1 or 2 where a directory is missing.
    if (result.code !== null && result.code <= NO_FILE) return undefined;
    throw slurmFault(`cannot append to ${name} of ${token}`, result);
  }

  /** Removes a file in the job's directory or below, if it is there. */
  async removeOne(token: string, name: string): Promise<void> {
    if (!isInnerPath(name)) return;
    const result = await this.#do({ words: this.#beside(token, name, ["rm", "-f", "--"]) });
    // A shell ends with 1 or 2 where a directory is missing.
    if (result.code === null || result.code > NO_FILE)
      throw slurmFault(`cannot remove ${name} of ${token}`, result);
  }

  /** Words of a command that runs in the directory of a file, which its last word names. */
  #beside(token: string, name: string, words: readonly string[], option = ""): readonly string[] {
    const file = posix.join("work", name);
    const place = [this.placeOf(token), posix.dirname(file)];
    return ["sh", "-c", IN_DIRECTORY, "sh", ...place, ...words, `${option}./${posix.basename(file)}`];
  }

  /** Regular files in the job's directory and below, within the limits of a listing. */
  async list(token: string): Promise<readonly ListedFile[]> {
    const { mostFiles, deepest } = LISTING_LIMITS;
    const limits = [`${mostFiles}`, `${deepest + 1}`];
    const words = ["sh", "-c", LIST_FILES, "sh", posix.join(this.placeOf(token), "work"), ...limits];
    const { stdout } = await this.#do({ words });
    const files = stdout
      .toString("utf8")
      .split("\0")
      .flatMap((entry) => {
        const match = /^(\d+) (.+)$/s.exec(entry);
        return match === null ? [] : [{ name: match[2], sizeBytes: Number(match[1]) }];
      });
    return files.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Size of all regular files in the job's directory and below, in bytes. */
  async size(token: string): Promise<number> {
    const words = ["sh", "-c", SUM_SIZES, "sh", posix.join(this.placeOf(token), "work")];
    const { stdout } = await this.#must(`cannot measure the files of ${token}`, { words });
    return Number(stdout.toString("utf8"));
  }

  /** Removes all files of an attempt. */
  async remove(token: string): Promise<void> {
    await this.#must(`cannot remove the directory of ${token}`, {
      words: ["rm", "-rf", "--", this.placeOf(token)],
    });
  }

  #permission(token: string, siteJob: string): string {
    return posix.join(this.placeOf(token), `again.${siteJob}`);
  }

  async #must(what: string, request: Omit<CommandRequest, "timeoutMs">): Promise<CommandResult> {
    const result = await this.#do(request);
    if (result.code !== 0) throw slurmFault(what, result);
    return result;
  }

  #do(request: Omit<CommandRequest, "timeoutMs">): Promise<CommandResult> {
    return this.#run({ ...request, timeoutMs: FILE_TIMEOUT_MS });
  }
}

/** True if a name is that of an entry of a directory, without a path. */
export function isBaseName(name: string): boolean {
  return (
    name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name) && Buffer.byteLength(name) <= 255
  );
}
