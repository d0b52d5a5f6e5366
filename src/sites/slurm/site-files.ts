/**
 * The attempts' directories at the site, by the usual tools of its machines, here or through ssh alike.
 *
 *     DIRECTORY/JOB_ATTEMPT/          mode 0700
 *       work/  tmp/                   the job's directory, its TMPDIR
 *       claim/                        made by the wrapper that runs it: there is one
 *       again.ID/                     lets the job begin once more, after a requeue of ours
 *       signals                       what is to be sent to it, a line each
 *       report.ID  log                how it ended; what the wrapper itself has to complain about
 *
 * No link is followed: a job may write what it likes into its directory.
 */
import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import type { FilePart, InputFile } from "../../runtime/index.ts";
import { readReports, type WrapperReport } from "./ends.ts";
import type { CommandRequest, CommandResult, RunCommand } from "./run-command.ts";
import { slurmFault } from "./slurm-fault.ts";

const FILE_TIMEOUT_MS = 60_000;
const MOST_PART_BYTES = 8 * 1024 * 1024;
/** A command's words have to fit into some 100 kB; a path has some 200 bytes. */
const MANY_REPORTS = 200;
/** What follows are its words, which no shell reads: a command for each step would double a submission. */
const MAKE_FIRST = 'mkdir -p -m 0700 -- "$1" "$1/work" && shift && exec "$@"';

/** A file and its size. */
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

  /** The attempt's own directory. */
  placeOf(token: string): string {
    return posix.join(this.#directory, token.replace("/", "_"));
  }

  /** The words of a command that is run when the attempt's directories are made, in one process more. */
  within(token: string, words: readonly string[]): readonly string[] {
    return ["sh", "-c", MAKE_FIRST, "sh", this.placeOf(token), ...words];
  }

  /** Brings a job's input files into its directory. */
  async send(token: string, inputFiles: readonly InputFile[]): Promise<void> {
    if (inputFiles.length === 0) return;
    const work = posix.join(this.placeOf(token), "work");
    const what = `cannot make the directory of ${token}`;
    await this.#must(what, { words: this.within(token, ["true"]) });
    for (const { name, source } of inputFiles) {
      const words = ["dd", `of=${posix.join(work, name)}`, "bs=1M", "status=none"];
      await this.#must(`cannot send ${name} of ${token}`, { words, input: await readFile(source) });
    }
  }

  /** Adds a signal to those that the wrapper is to send. */
  async addSignal(token: string, name: string): Promise<void> {
    const file = posix.join(this.placeOf(token), "signals");
    const words = ["dd", `of=${file}`, "oflag=append", "conv=notrunc", "status=none"];
    await this.#must(`cannot send ${name} to ${token}`, { words, input: `${name.replace(/^SIG/, "")}\n` });
  }

  /** Lets a job's second run begin: found by the wrapper, it is used up. */
  async permitAgain(token: string, siteJob: string): Promise<void> {
    const words = ["mkdir", "-p", "--", this.#permission(token, siteJob)];
    await this.#must(`cannot requeue ${token}`, { words });
  }

  /** Takes that back. */
  async forbidAgain(token: string, siteJob: string): Promise<void> {
    await this.#do({ words: ["rmdir", "--", this.#permission(token, siteJob)] });
  }

  /** The reports of these jobs, where they have any. */
  async reports(
    jobs: readonly { readonly token: string; readonly siteJob: string }[],
  ): Promise<readonly WrapperReport[]> {
    const found: WrapperReport[] = [];
    for (let at = 0; at < jobs.length; at += MANY_REPORTS) {
      const files = jobs
        .slice(at, at + MANY_REPORTS)
        .map(({ token, siteJob }) => posix.join(this.placeOf(token), `report.${siteJob}`));
      // Those that are missing make it end with 1; what is there was printed.
      const { stdout } = await this.#do({ words: ["cat", "--", ...files] });
      found.push(...readReports(stdout.toString("utf8")));
    }
    return found;
  }

  /** A part of a file in the job's directory; undefined where there is no such regular file. */
  async readPart(
    token: string,
    name: string,
    fromByte: number,
    maxBytes: number,
  ): Promise<FilePart | undefined> {
    if (!isBaseName(name)) return undefined;
    const file = posix.join(this.placeOf(token), "work", name);
    const size = await this.#do({ words: ["stat", "-c", "%s %F", "--", file] });
    const match = /^(\d+) regular/.exec(size.stdout.toString("utf8"));
    if (match === null) return undefined;
    const sizeBytes = Number(match[1]);
    const count = Math.min(maxBytes, MOST_PART_BYTES);
    if (fromByte >= sizeBytes || count <= 0) return { bytes: new Uint8Array(), sizeBytes };
    const place = [`skip=${fromByte}`, `count=${count}`, "iflag=nofollow,skip_bytes,count_bytes"];
    const words = ["dd", `if=${file}`, "bs=256K", ...place, "status=none"];
    const { stdout } = await this.#must(`cannot read ${name} of ${token}`, { words });
    return { bytes: stdout, sizeBytes: Math.max(sizeBytes, fromByte + stdout.length) };
  }

  /** The regular files directly in the job's directory. */
  async list(token: string): Promise<readonly ListedFile[]> {
    const work = posix.join(this.placeOf(token), "work");
    const depth = ["-mindepth", "1", "-maxdepth", "1"];
    const words = ["find", "-P", work, ...depth, "-type", "f", "-printf", "%s %f\\0"];
    const { stdout } = await this.#do({ words });
    return stdout
      .toString("utf8")
      .split("\0")
      .flatMap((entry) => {
        const match = /^(\d+) (.+)$/s.exec(entry);
        return match === null ? [] : [{ name: match[2], sizeBytes: Number(match[1]) }];
      });
  }

  /** Removes everything of an attempt. */
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

/** Whether a name is that of something directly in a directory. */
export function isBaseName(name: string): boolean {
  return (
    name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name) && Buffer.byteLength(name) <= 255
  );
}
