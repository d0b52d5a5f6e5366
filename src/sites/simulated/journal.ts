/**
 * The journal of a simulated site: its inputs, one JSON line each.
 *
 * A line counts once its newline is written; a partial line at the end was never accepted. A line that
 * cannot be written whole is removed. Lines are not forced to the disk: a killed process loses nothing, a
 * power failure may lose the last lines, as at a real controller. The first line is the opening, or a
 * snapshot of the cluster that replaces all earlier lines.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { Fault, messageOf } from "../../base/index.ts";
import {
  type Cluster,
  type ClusterInput,
  type ClusterRules,
  type ClusterSnapshot,
  clusterFrom,
  createCluster,
  snapshotOf,
} from "./simulated-cluster.ts";

type FirstLine = { readonly rules: ClusterRules } & (
  | { readonly kind: "opened"; readonly atMs: number }
  | { readonly kind: "snapshot"; readonly version: 1; readonly state: string }
);

/** Content of a journal. */
export interface JournalContent {
  readonly cluster: Cluster;
  /** Later inputs, to be replayed in order. */
  readonly inputs: readonly ClusterInput[];
}

/** An open journal, with one writing process. */
export class Journal {
  readonly #path: string;
  #file: number;
  #lines = 0;

  private constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "a", 0o600);
  }

  /**
   * Opens the journal in a directory; a new one begins at `nowMs`.
   *
   * @throws Fault `simulatedSiteChanged` for another cluster's history, `journalDamaged`
   */
  static open(directory: string, rules: ClusterRules, nowMs: number): [Journal, JournalContent] {
    const path = join(directory, "journal.jsonl");
    rmSync(`${path}.new`, { force: true });
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const journal = new Journal(path);
    ftruncateSync(journal.#file, Buffer.byteLength(whole));
    if (whole === "") {
      journal.#append({ kind: "opened", atMs: nowMs, rules });
      return [journal, { cluster: createCluster(rules, nowMs), inputs: [] }];
    }
    try {
      const [first, ...rest] = whole.trimEnd().split("\n");
      journal.#lines = rest.length;
      return [journal, { cluster: beginning(first, rules, path), inputs: rest.map(inputOf) }];
    } catch (error) {
      journal.close();
      throw error instanceof Fault ? error : damaged(path, error);
    }
  }

  /** Number of lines since the beginning or the last snapshot. */
  get lines(): number {
    return this.#lines;
  }

  /** Appends one input, which then survives a kill. */
  write(input: ClusterInput): void {
    this.#append(input);
    this.#lines++;
  }

  /** Replaces all lines by a snapshot, if the system permits; otherwise nothing changes. */
  compact(cluster: Cluster): void {
    const state = serialize(snapshotOf(cluster)).toString("base64");
    const path = `${this.#path}.new`;
    try {
      writeFileSync(path, lineOf({ kind: "snapshot", version: 1, rules: cluster.rules, state }), {
        mode: 0o600,
      });
      const fresh = openSync(path, "a");
      renameSync(path, this.#path);
      closeSync(this.#file);
      this.#file = fresh;
      this.#lines = 0;
    } catch {
      rmSync(path, { force: true });
    }
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(line: FirstLine | ClusterInput): void {
    const { size } = fstatSync(this.#file);
    try {
      const bytes = Buffer.from(lineOf(line));
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    } catch (error) {
      ftruncateSync(this.#file, size);
      throw new Fault({
        kind: "failed",
        code: "journalNotWritten",
        what: `cannot write ${this.#path}`,
        why: messageOf(error),
        remedy: "free some space on the disk of the site's directory, then try again",
        cause: error,
      });
    }
  }
}

function lineOf(line: FirstLine | ClusterInput): string {
  return `${JSON.stringify(line)}\n`;
}

function beginning(line: string, rules: ClusterRules, path: string): Cluster {
  const first: FirstLine = JSON.parse(line);
  if (JSON.stringify(first.rules) !== JSON.stringify(rules)) throw changed(path, first.rules, rules);
  if (first.kind === "opened") return createCluster(rules, first.atMs);
  const snapshot: ClusterSnapshot = deserialize(Buffer.from(first.state, "base64"));
  return clusterFrom(snapshot);
}

function inputOf(line: string): ClusterInput {
  return JSON.parse(line);
}

function changed(path: string, before: ClusterRules, now: ClusterRules): Fault {
  return new Fault({
    kind: "badInput",
    code: "simulatedSiteChanged",
    what: `${path} belongs to another simulated cluster`,
    why: `it was ${JSON.stringify(before)}, and the settings now say ${JSON.stringify(now)}`,
    remedy: "restore the site's settings, or remove that file: the cluster then starts empty",
  });
}

function damaged(path: string, cause: unknown): Fault {
  return new Fault({
    kind: "failed",
    code: "journalDamaged",
    what: `cannot read ${path}`,
    why: messageOf(cause),
    remedy: "restore it from a copy, or remove it: the cluster then starts empty",
    cause,
  });
}
