/**
 * Reads a queue snapshot (`stint quote --snapshot`): JSON, or YAML with the same words.
 *
 * Unknown words are ignored, because a program that writes a snapshot may write more than is read. One that
 * resembles the name of a missing list is a problem, because prices would silently be wrong.
 */
import { nearestWord } from "../../base/index.ts";
import { queueSnapshotShape } from "../../contract/files/index.ts";
import type { QueueSnapshot } from "../../model/index.ts";
import { echoText } from "../echo-text.ts";
import { type Notes, type Remark, readDocument, readWholeFile, type Value } from "../yaml/index.ts";
import { checkConsistency } from "./together.ts";

/** A snapshot, where nothing is wrong with it. */
export interface SnapshotReading {
  readonly said: QueueSnapshot | undefined;
  readonly problems: readonly Remark[];
}

/** Reads the text of a snapshot (rules FO-22, FO-24). */
export function readQueueSnapshot(text: string): SnapshotReading {
  const { said, written, notes, at, problems } = readDocument(text, queueSnapshotShape, {
    noun: "a snapshot",
    example: "{ nowSec: 0, procs: 64, discipline: easy, … }",
    ifEmpty: nothingThere,
  });
  checkListWords(written, notes);
  if (said !== undefined && notes.problemCount() === 0) {
    checkConsistency(said, (list, item, words) => notes.problem(at(said[list], item), words));
  }
  const wrong = problems();
  return { said: wrong.length === 0 ? said : undefined, problems: wrong };
}

const WORDS = Object.keys(queueSnapshotShape.fields);
const LISTS = ["running", "queued", "reservations"];

function checkListWords(written: Value | undefined, notes: Notes): void {
  if (written?.kind !== "mapping") return;
  const missing = LISTS.filter((list) => !written.entries.some(({ key }) => key === list));
  for (const { key: word, keyAt } of written.entries) {
    const near = WORDS.includes(word) ? undefined : nearestWord(word, missing);
    if (near === undefined) continue;
    notes.problem(keyAt, {
      code: "snapshotWord",
      what: `${echoText(word)} is not a key of a snapshot`,
      why: `it would be ignored; the lists of a snapshot are ${LISTS.join(", ")}`,
      remedy: `do you mean ${near}? If not, give it another name`,
    });
  }
}

const nothingThere = {
  code: "nothingThere",
  what: "it is empty",
  why: "a snapshot must have at least nowSec, procs and discipline",
  remedy: 'write for instance { "nowSec": 0, "procs": 64, "discipline": "easy" }',
};

/**
 * The snapshot of a file.
 *
 * @throws Fault with everything that is wrong about the file, its first problem first
 */
export function readQueueSnapshotFile(file: string): Promise<QueueSnapshot> {
  return readWholeFile(file, readQueueSnapshot);
}
