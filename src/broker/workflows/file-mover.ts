/**
 * Moves the files of workflows to where tasks need them, a few at a time, those for the earliest tasks first.
 * Each move is recorded, so after a restart the moves that are still due follow from the records.
 */
import { messageOf } from "../../base/index.ts";
import { query } from "../../engine/index.ts";
import type { FileMoves, WorkflowFile, WorkflowRecord } from "../../model/index.ts";
import type { Clock, Round } from "../../runtime/index.ts";
import type { Sandboxes } from "../sandbox.ts";
import { fetchFile, type MovingWorld, removeCopies, sendFile } from "./move-file.ts";
import { isAway } from "./site-away.ts";
import { CopyProblem, ResultTooLarge } from "./workflow-store.ts";

/** Maximum number of moves at the same time: of one workflow, whose link may be stuck, and of all. */
const AT_ONCE = { ofWorkflow: 4, ofAll: 64 } as const;
/** Pause after the first failure of a move; it doubles with each further one, up to `longest`. */
const WAIT_MS = { first: 1000, longest: 60_000 } as const;
/** Number of failures after which a copy counts as lost, or is no longer tried to be removed. */
const MOST_FAILURES = 8;

/** Largest size of the results of one workflow that the broker stores. */
const MOST_RESULT_BYTES = 8 * 2 ** 30;

/** Dependencies on the broker. */
export interface FileMoverWorld extends MovingWorld {
  readonly sandboxes: MovingWorld["sandboxes"] & Pick<Sandboxes, "drop">;
  readonly round: Pick<Round, "projection" | "ask" | "nowMs" | "wake">;
  readonly clock: Clock;
  /** Limit of the results of one workflow; `MOST_RESULT_BYTES` where absent. */
  readonly mostResultBytes?: number;
  readonly warn: (message: string) => void;
}

/** A move that is due. */
interface Move {
  readonly key: string;
  readonly workflow: string;
  readonly run: () => Promise<Partial<FileMoves>>;
  /** Record of a move that fails for good; absent: the move is tried again as long as it is due. */
  readonly givenUp?: Partial<FileMoves>;
  /** True for a failure that does not count towards giving up; absent: every failure counts. */
  readonly isPassing?: (error: unknown) => boolean;
}

/** Mover of the files of all workflows. */
export interface FileMover {
  /** Starts the moves that are due now. */
  look(): void;
  stop(): void;
}

/** Creates a mover; it starts with the first `look`. */
export function createFileMover(world: FileMoverWorld): FileMover {
  return new MoverOf(world);
}

/** Consecutive failures of a move. */
interface Failures {
  readonly count: number;
  /** Number of failures that count towards giving up. */
  readonly lasting: number;
  readonly untilMs: number;
}

class MoverOf implements FileMover {
  readonly #world: FileMoverWorld;
  readonly #underWay = new Set<string>();
  /** Results of known size that are being fetched, by the keys of their moves. */
  readonly #coming = new Map<string, WorkflowFile>();
  readonly #failures = new Map<string, Failures>();
  /** Records of workflows without due moves; each change of a workflow replaces its record. */
  readonly #quiet = new WeakSet<WorkflowRecord>();
  /** Workflows with files at the broker; when a workflow is deleted, its files are removed. */
  readonly #known = new Set<string>();
  #cancelAlarm: (() => void) | undefined;
  #hasStopped = false;

  constructor(world: FileMoverWorld) {
    this.#world = world;
  }

  look(): void {
    if (this.#hasStopped) return;
    const { round, clock } = this.#world;
    for (const id of this.#known) if (!round.projection.books.workflows.has(id)) this.#forget(id);
    for (const record of round.projection.books.workflows.values()) {
      if (record.files === undefined || this.#quiet.has(record)) continue;
      this.#known.add(record.id);
      const moves = this.#movesOf(record.id);
      if (moves.length === 0) this.#quiet.add(record);
      for (const move of moves) {
        const isWaiting = (this.#failures.get(move.key)?.untilMs ?? 0) > clock.nowMs();
        if (isWaiting || this.#underWay.has(move.key) || !this.#hasRoom(record.id)) continue;
        this.#underWay.add(move.key);
        void this.#run(move)
          .catch((error: unknown) => this.#world.warn(`workflow file ${move.key}: ${messageOf(error)}`))
          .finally(() => {
            this.#underWay.delete(move.key);
            this.#coming.delete(move.key);
            this.look();
          });
      }
    }
  }

  stop(): void {
    this.#hasStopped = true;
    this.#cancelAlarm?.();
  }

  #hasRoom(workflow: string): boolean {
    const own = [...this.#underWay].filter((key) => key.startsWith(`${workflow}/`)).length;
    return own < AT_ONCE.ofWorkflow && this.#underWay.size < AT_ONCE.ofAll;
  }

  /** Removes the files of a deleted workflow; what cannot be removed now is removed at the next start. */
  #forget(workflow: string): void {
    const { sandboxes, warn } = this.#world;
    this.#known.delete(workflow);
    const removed = Promise.all([sandboxes.drop(workflow), sandboxes.workflows.drop(workflow)]);
    void removed.catch((error: unknown) => warn(`files of workflow ${workflow}: ${messageOf(error)}`));
  }

  #movesOf(workflow: string): readonly Move[] {
    const { round } = this.#world;
    const { projection } = round;
    const due = query(projection, { name: "workflowMoves", question: workflow }, round.nowMs());
    const pilots = projection.books.workflows.get(workflow)?.pilots ?? [];
    const keyOf = ({ at }: WorkflowFile, what: string): string => `${workflow}/${at} ${what}`;
    return [
      ...due.fetch.map((file): Move => {
        const [copy] = file.copies;
        return {
          ...{ key: keyOf(file, copy.job), workflow },
          run: () => this.#fetched(file, keyOf(file, copy.job)),
          givenUp: { lost: [{ file: file.at, job: copy.job }] },
          // A full disk of the broker is no reason to run tasks again, nor a site that may come back.
          isPassing: (error) => !(error instanceof CopyProblem) || isAway(projection, copy.site, error),
        };
      }),
      ...due.send.map(({ file, pilot }): Move => {
        const { job } = pilots[pilot];
        return {
          ...{ key: keyOf(file, `to ${job}`), workflow },
          run: async () => {
            await sendFile(this.#world, file, job);
            return { sent: [{ file: file.at, pilot }] };
          },
        };
      }),
      ...due.remove.map(
        (file): Move => ({
          ...{ key: keyOf(file, "removed"), workflow },
          run: async () => {
            await removeCopies(this.#world, file);
            return { removed: [file.at] };
          },
          givenUp: { removed: [file.at] },
        }),
      ),
    ];
  }

  /** Fetches a file; a result that exceeds the limit stays at its site once no task has to read it. */
  async #fetched(file: WorkflowFile, key: string): Promise<Partial<FileMoves>> {
    const { round, mostResultBytes: mostBytes = MOST_RESULT_BYTES } = this.#world;
    const { projection } = round;
    const [workflow, nowMs] = [file.workflow, round.nowMs()];
    const tasks = query(projection, { name: "workflowTasks", question: workflow }, nowMs);
    const isPassedOn = file.readers.some((at) => tasks[at].state !== "DONE");
    const coming = [...this.#coming.values()].filter((one) => one.workflow === workflow);
    const isThere = ({ at, isStored }: WorkflowFile) => isStored || coming.some((one) => one.at === at);
    const otherBytes = query(projection, { name: "workflowFiles", question: workflow }, nowMs)
      .filter((one) => one.isResult && one.at !== file.at && isThere(one))
      .reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
    const leftBytes = isPassedOn ? Number.POSITIVE_INFINITY : mostBytes - otherBytes;
    if (file.bytes !== null && file.bytes <= leftBytes) this.#coming.set(key, file);
    try {
      return { stored: [{ file: file.at, ...(await fetchFile(this.#world, file, leftBytes)) }] };
    } catch (error) {
      if (error instanceof ResultTooLarge) return { tooLarge: [{ file: file.at, mostBytes }] };
      throw error;
    }
  }

  async #run({ key, workflow, run, givenUp, isPassing }: Move): Promise<void> {
    const { round, warn } = this.#world;
    try {
      await this.#note(workflow, await run());
      this.#failures.delete(key);
    } catch (error) {
      if (this.#hasStopped) return;
      const { count = 0, lasting: before = 0 } = this.#failures.get(key) ?? {};
      const lasting = before + (isPassing?.(error) === true ? 0 : 1);
      warn(`workflow file ${key}: ${messageOf(error)}`);
      if (givenUp !== undefined && lasting >= MOST_FAILURES) {
        this.#failures.delete(key);
        await this.#note(workflow, givenUp);
      } else this.#wait(key, { count: count + 1, lasting });
    }
    round.wake();
  }

  async #note(workflow: string, moves: Partial<FileMoves>): Promise<void> {
    const none = { stored: [], sent: [], lost: [], removed: [] };
    await this.#world.round.ask({ kind: "noteWorkflowFiles", workflow, ...none, ...moves });
  }

  #wait(key: string, { count, lasting }: Omit<Failures, "untilMs">): void {
    const { clock } = this.#world;
    const untilMs = clock.nowMs() + Math.min(WAIT_MS.longest, WAIT_MS.first * 2 ** (count - 1));
    this.#failures.set(key, { count, lasting, untilMs });
    this.#cancelAlarm?.();
    const firstMs = Math.min(...[...this.#failures.values()].map((one) => one.untilMs));
    this.#cancelAlarm = clock.wakeAt(Math.max(firstMs, clock.nowMs() + 1), () => this.look());
  }
}
