/**
 * Job arrays: many jobs in one submission, each an ordinary job of its own, with a limit on how many of them
 * are at sites at once.
 *
 * One event records an array; its jobs follow from it. Their records are those of jobs, so that everything
 * that concerns a job holds for them. An index (`state/arrays.ts`) counts how many are in which state, and
 * keeps those that wait until others of the array have ended.
 */
import { accepted, refused } from "../../../base/index.ts";
import {
  type ArrayRecord,
  faultOfSweep,
  indexesOf,
  type JobRecord,
  memberDescription,
  memberId,
  type Refusal,
  readArray,
} from "../../../model/index.ts";
import { isUsable } from "../../../plan/index.ts";
import type { Answer, CommandOf, EventOf, Feature } from "../../feature.ts";
import { acceptedJob } from "../../job-records.ts";
import { answerVerb } from "../../jobs.ts";
import { keepJob } from "../../keep-job.ts";
import { arrayRecord, beginArray, leftOf, nextToGo, noCounts } from "../../state/arrays.ts";
import { dependenciesOf } from "../../state/dependents.ts";
import { tagsText } from "../../state/job-tags.ts";
import { addUnplaced, type Projection, type RecordChange, toPlace } from "../../state/projection.ts";
import { noScoutEnded, scoutIndexes } from "../../state/scouts.ts";
import { whyNotTaken } from "../../submit.ts";

export const arrays = {
  name: "arrays",
  answers: { submitArray, actOnArray },
  applies: { arrayAccepted },
  after: (projection, event, jobs) => {
    const isOfArray = OF_ARRAYS.some((kind) => kind === event.kind) && "array" in event;
    const array = isOfArray && typeof event.array === "string" ? event.array : undefined;
    return noteChanged(projection, { jobs, array }, event.atMs);
  },
  views: [
    {
      name: "arrays",
      columns: {
        ...{ owner: "text", consumer: "text", name: "text", tags: "text", states: "text" },
        ...{ submittedAtMs: "integer", ord: "integer", endedAtMs: "integer" },
      },
    },
  ],
  rows: {
    array: ({ record }) => {
      const { owner, consumer, submittedAtMs, order: ord, endedAtMs, description } = record;
      const { name = null, userTags } = description;
      const found = { name, tags: tagsText(userTags), states: statesText(record) };
      const columns = { owner, consumer, submittedAtMs, ord, endedAtMs, ...found };
      return { view: "arrays", key: record.id, record, columns };
    },
  },
  explain: {
    atBroker: ({ arrays: open }, { id, array: of }) => {
      const array = open.get(of?.id ?? "");
      if (array === undefined || !array.waiting.has(id) || array.scouts?.has(id) === false) return [];
      const before = [...array.waiting].indexOf(id);
      return [{ kind: "arrayFull", array: array.accepted.id, atMost: array.atMost, before }];
    },
  },
} as const satisfies Feature;

/** Events of other features that change the record of an array, or make its jobs ready. */
const OF_ARRAYS = ["searchPointValued", "searchEnded", "scoutsEnded", "scoutsDecided"] as const;

/** The job states that occur in an array, one per line, with a newline before the first and after each. */
function statesText({ counts }: ArrayRecord): string {
  const states = Object.entries(counts).flatMap(([state, jobs]) => (jobs > 0 ? [state] : []));
  return `\n${states.join("\n")}\n`;
}

function submitArray(projection: Projection, command: CommandOf<"submitArray">, nowMs: number): Answer {
  const { array, description } = command;
  const refusal =
    whyNoArray(command) ?? whyNotTaken(projection, { ...command, kind: "submit", job: array }, nowMs);
  if (refusal !== undefined) return refused(refusal);
  const { isByToken: _, ...request } = command;
  return accepted([{ ...request, kind: "arrayAccepted", description, atMs: nowMs }]);
}

function whyNoArray({ description, isByToken = false }: CommandOf<"submitArray">): Refusal | undefined {
  const { array = "", ticket, bid, delayCostSuPerHour, sweep } = description;
  const read = readArray(array);
  if (!read.ok) return { kind: "badArray", array, why: read.refusal };
  const wrong = sweep && faultOfSweep(sweep, read.value.indexes);
  if (wrong !== undefined) return { kind: "badArray", array, why: wrong };
  const search = sweep?.search;
  if (search !== undefined && (description.after ?? []).length > 0) {
    return { kind: "badArray", array, why: "searchWaits" };
  }
  if (search !== undefined && sweep?.scouts !== undefined) {
    return { kind: "badArray", array, why: "searchScouts" };
  }
  if (search !== undefined && !isUsable(search.objective)) {
    return { kind: "badArray", array, why: "searchPattern" };
  }
  if (search?.method.kind === "exec" && isByToken) return { kind: "badArray", array, why: "searchByToken" };
  if (ticket !== undefined) return { kind: "notForArrays", option: "ticket" };
  if (bid !== undefined) return { kind: "notForArrays", option: "bid" };
  return delayCostSuPerHour === undefined
    ? undefined
    : { kind: "notForArrays", option: "delayCostSuPerHour" };
}

function arrayAccepted(projection: Projection, event: EventOf<"arrayAccepted">): RecordChange[] {
  const { array, description, atMs, ends = {}, kind: _, ...whose } = event;
  const indexes = indexesOf(description.array ?? "");
  const order = ++projection.accepted;
  const fixed = { id: array, description, submittedAtMs: atMs, order, size: indexes.length };
  const { sweep } = description;
  const search = sweep?.search === undefined ? {} : { search: NOTHING_SEARCHED };
  const scouts = sweep?.scouts === undefined ? 0 : scoutIndexes(indexes).length;
  // Where every job would be a scout, there is nobody to propose anything for.
  const first = scouts === 0 || scouts === indexes.length ? {} : { scouts: noScoutEnded(scouts) };
  const state = beginArray(projection.arrays, {
    ...fixed,
    ...own(whose),
    counts: noCounts(),
    endedAtMs: null,
    ...search,
    ...first,
  });
  // The jobs of a search follow one after the other.
  if (state.accepted.search !== undefined) return [{ kind: "array", record: arrayRecord(state, atMs) }];
  const depends = dependenciesOf(projection, description, ends);
  const changes = indexes.map((index) => {
    const one = {
      ...({ kind: "jobAccepted", job: memberId(array, index), atMs } as const),
      ...{ description: memberDescription(description, { array, index }), ...own(whose) },
    };
    const job = { ...acceptedJob(one, ++projection.accepted), array: { id: array, index }, ...depends };
    toPlace(projection, job);
    return keepJob(projection, job);
  });
  return [...changes, { kind: "array", record: arrayRecord(state, atMs) }];
}

/** Properties of an array that are those of each job. */
function own({
  consumer,
  owner,
  inputBytes,
}: Pick<EventOf<"arrayAccepted">, "consumer" | "owner" | "inputBytes">) {
  return { consumer, owner, ...(inputBytes === undefined ? {} : { inputBytes }) };
}

const NOTHING_SEARCHED = { evaluated: 0, failed: 0, best: null, end: null };

/** Arrays of changed jobs: each releases its next jobs, and one whose last job has ended leaves memory. */
function noteChanged(
  projection: Projection,
  { jobs, array }: { readonly jobs: readonly JobRecord[]; readonly array: string | undefined },
  atMs: number,
): RecordChange[] {
  const ids = new Set(jobs.flatMap(({ array }) => (array === undefined ? [] : [array.id])));
  if (array !== undefined) ids.add(array);
  return [...ids].flatMap((id) => {
    const state = projection.arrays.get(id);
    if (state === undefined) return [];
    for (const next of nextToGo(state)) {
      const job = projection.jobs.get(next);
      if (job !== undefined) addUnplaced(projection.unplaced, job);
    }
    if (leftOf(state) === 0) projection.arrays.delete(id);
    return [{ kind: "array", record: arrayRecord(state, atMs) } as const];
  });
}

/** A verb on all jobs of an array to which it applies; where it applies to none it is refused. */
function actOnArray(
  projection: Projection,
  { array: id, verb, by }: CommandOf<"actOnArray">,
  nowMs: number,
): Answer {
  const array = projection.arrays.get(id);
  if (array === undefined) return refused({ kind: "unknownArray", array: id });
  const answers = indexesOf(array.accepted.description.array ?? "").map((index) =>
    answerVerb(projection, { kind: verb, job: memberId(id, index), by }, nowMs),
  );
  const isSearchEnded = verb === "cancel" && array.accepted.search?.end === null;
  if (!isSearchEnded && !answers.some(({ ok }) => ok)) {
    return refused({ kind: "noneInState", array: id, verb });
  }
  const end = { kind: "searchEnded", array: id, end: { kind: "cancelled" }, atMs: nowMs } as const;
  return accepted([
    ...(isSearchEnded ? [end] : []),
    ...answers.flatMap((answer) => (answer.ok ? answer.value : [])),
  ]);
}
