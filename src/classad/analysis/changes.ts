/**
 * Changes of an ad that win matches: another value of an attribute, or of a literal in a condition, or a
 * condition less. Each has been tried: what it wins is counted by matching the changed ad.
 */
import { compileAd } from "../compile.ts";
import { findMatches } from "../find-matches.ts";
import type { AdTable, ClassAd, Node, RecordNode, Scalar } from "../language.ts";
import { rebuiltRecord } from "../rebuilt.ts";
import type { MatchContext } from "../row-evaluation.ts";
import { unparse, valueText } from "../unparse.ts";
import { TRUE } from "../values.ts";
import { neededValues } from "./needed-values.ts";
import { keyOfOwner, type Owner, type Subject, subjectOf } from "./subjects.ts";
import { isPassed, type JudgedCondition } from "./verdicts.ts";

/** One part of a change. */
type ChangePart =
  /** Another value of an attribute; `from` is `undefined` where the ad lacks it. */
  | { readonly kind: "attribute"; readonly name: string; readonly from: string; readonly to: string }
  /** Another literal in a condition: its text before and after. */
  | { readonly kind: "condition"; readonly condition: number; readonly from: string; readonly to: string }
  /** The condition is left out. */
  | { readonly kind: "removal"; readonly condition: number; readonly text: string };

/** A change, and the ads that match only with it. */
export interface Change {
  /** Changes that are made together: one, where one is enough. */
  readonly parts: readonly ChangePart[];
  readonly wins: number;
  /** Ads that match after the change. */
  readonly matching: number;
}

/** Something to change, with the conditions that it decides. */
interface Lever {
  readonly conditions: readonly number[];
  /** Absent: the condition can only be left out. */
  readonly subjects?: readonly Subject[];
}

interface Trial {
  readonly ad: ClassAd;
  readonly table: AdTable;
  readonly judged: readonly JudgedCondition[];
  readonly context: MatchContext;
  readonly matching: ReadonlySet<number>;
}

/** An edit of the ad, ready to be tried. */
interface Edit {
  readonly part: ChangePart;
  readonly apply: (record: RecordNode) => RecordNode;
}

/** Most changes that are listed, most levers that are tried, and values tried for each. */
const CHANGE_LIMIT = 20;
const LEVER_LIMIT = 40;
const VALUES_TRIED = 4;

/** The changes that win ads: of one part where that is enough; the most won first. */
export function proposedChanges(
  ad: ClassAd,
  table: AdTable,
  judged: readonly JudgedCondition[],
  context: MatchContext,
): readonly Change[] {
  const matching = new Set(findMatches(ad, table, context).map(({ index }) => index));
  const trial: Trial = { ad, table, judged, context, matching };
  const levers = leversOf(trial).slice(0, LEVER_LIMIT);
  const changes = levers.flatMap((lever) => changesBy(lever, trial));
  const together = changes.length > 0 ? [] : changesTogether(levers, trial);
  return [...changes, ...together].sort(byPreference).slice(0, CHANGE_LIMIT);
}

function byPreference(one: Change, another: Change): number {
  const removals = ({ parts }: Change) => parts.filter(({ kind }) => kind === "removal").length;
  return (
    one.parts.length - another.parts.length || another.wins - one.wins || removals(one) - removals(another)
  );
}

/** Values first, then conditions to leave out; only of conditions that some ad fails. */
function leversOf({ ad, table, judged }: Trial): readonly Lever[] {
  const bySubject = new Map<string | Node, { conditions: number[]; subjects: Subject[] }>();
  const removals: Lever[] = [];
  for (const [index, condition] of judged.entries()) {
    if (condition.verdicts.every(isPassed)) continue;
    const subject = subjectOf(condition, ad, table);
    if (subject !== undefined) {
      const key = keyOfOwner(subject.of);
      const lever = bySubject.get(key) ?? { conditions: [], subjects: [] };
      lever.conditions.push(index);
      lever.subjects.push(subject);
      bySubject.set(key, lever);
    }
    if (condition.side === "ad") removals.push({ conditions: [index] });
  }
  return [...bySubject.values(), ...removals];
}

function changesBy(lever: Lever, trial: Trial): readonly Change[] {
  const rows = rowsFailingOnly(lever.conditions, trial);
  if (rows.length === 0) return [];
  const found = editsOf(lever, rows, trial).flatMap((edit) => tried([edit], trial) ?? []);
  const most = found.reduce((best, { wins }) => Math.max(best, wins), 0);
  // The edits are in order of distance: the nearest that wins, and the nearest that wins most.
  const best = found.find(({ wins }) => wins === most);
  return [...new Set([found[0], best])].flatMap((change) => change ?? []);
}

/** Rows that fail some of these conditions and no other. */
function rowsFailingOnly(conditions: readonly number[], { judged, table }: Trial): readonly number[] {
  const own = new Set(conditions);
  return [...table.ads.keys()].filter((row) => {
    const isOther = judged.some(({ verdicts }, at) => !own.has(at) && !isPassed(verdicts[row]));
    return !isOther && conditions.some((at) => !isPassed(judged[at].verdicts[row]));
  });
}

/** The edits of a lever that might win these rows, the nearest value first. */
function editsOf(lever: Lever, rows: readonly number[], trial: Trial): readonly Edit[] {
  const { subjects } = lever;
  if (subjects === undefined) return [removalOf(lever.conditions[0], trial)];
  const values = neededValues(subjects, rows, trial);
  const step = Math.max(1, (values.length - 1) / (VALUES_TRIED - 1));
  const picked = new Set(
    Array.from(
      { length: VALUES_TRIED },
      (_, at) => values[Math.min(Math.round(at * step), values.length - 1)],
    ),
  );
  return [...picked].flatMap((value) =>
    value === undefined ? [] : editTo(value, subjects[0], lever, trial),
  );
}

function removalOf(condition: number, { judged }: Trial): Edit {
  const { node, text } = judged[condition];
  const replacement = (one: Node): Node | undefined =>
    one === node ? { kind: "literal", value: TRUE } : undefined;
  return {
    part: { kind: "removal", condition, text },
    apply: (record) => rebuiltRecord(record, replacement),
  };
}

function editTo(value: Scalar, { of, value: now }: Subject, { conditions }: Lever, trial: Trial): Edit {
  const literal: Node = { kind: "literal", value };
  if (of.kind === "attribute") {
    const from = now === undefined ? "undefined" : valueText(now);
    const part = { kind: "attribute", name: of.name.name, from, to: valueText(value) } as const;
    return { part, apply: (record) => withAttribute(record, of, literal) };
  }
  const [condition] = conditions;
  const replacement = (one: Node) => (one === of.node ? literal : undefined);
  const { node, text } = trial.judged[condition];
  const record = rebuiltRecord(recordAround(node), replacement);
  const part = { kind: "condition", condition, from: text, to: unparse(record.attributes[0].node) } as const;
  return { part, apply: (whole) => rebuiltRecord(whole, replacement) };
}

function recordAround(node: Node): RecordNode {
  return { kind: "record", attributes: [{ name: "it", key: "it", node, line: 1, column: 1 }] };
}

function withAttribute(
  record: RecordNode,
  { name }: Extract<Owner, { kind: "attribute" }>,
  node: Node,
): RecordNode {
  const others = record.attributes.filter(({ key }) => key !== name.key);
  return { kind: "record", attributes: [...others, { ...name, node, line: 1, column: 1 }] };
}

/** The result of making these edits; undefined where they win nothing. */
function tried(edits: readonly Edit[], { ad, table, context, matching }: Trial): Change | undefined {
  const changed = compileAd(edits.reduce((record, { apply }) => apply(record), ad.node));
  const found = findMatches(changed, table, context);
  const wins = found.filter(({ index }) => !matching.has(index)).length;
  return wins === 0 ? undefined : { parts: edits.map(({ part }) => part), wins, matching: found.length };
}

/** The smallest set of levers that wins ads together, and what it wins. */
function changesTogether(levers: readonly Lever[], trial: Trial): readonly Change[] {
  const groups = new Map<string, { levers: readonly Lever[]; rows: number[] }>();
  for (const row of trial.table.ads.keys()) {
    const needed = leversFor(row, levers, trial);
    if (needed === undefined || needed.length === 0) continue;
    const key = needed.map((lever) => levers.indexOf(lever)).join(" ");
    const group = groups.get(key) ?? { levers: needed, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  const sorted = [...groups.values()].sort(
    (one, another) => one.levers.length - another.levers.length || another.rows.length - one.rows.length,
  );
  for (const { levers: needed, rows } of sorted.slice(0, VALUES_TRIED)) {
    const edits = needed.flatMap((lever) => decisiveEdits(lever, rows, trial));
    const change = tried(edits, trial);
    if (change !== undefined) return [change];
  }
  return [];
}

/** The edit of a lever that wins all rows; where no value does, its conditions are left out. */
function decisiveEdits(lever: Lever, rows: readonly number[], trial: Trial): readonly Edit[] {
  const edits = editsOf(lever, rows, trial).slice(-1);
  if (edits.length > 0) return edits;
  const own = lever.conditions.filter((at) => trial.judged[at].side === "ad");
  return own.map((at) => removalOf(at, trial));
}

/** A lever for each condition that a row fails; undefined where there is none for one of them. */
function leversFor(row: number, levers: readonly Lever[], { judged }: Trial): readonly Lever[] | undefined {
  const needed = new Set<Lever>();
  for (const [index, { verdicts }] of judged.entries()) {
    if (isPassed(verdicts[row])) continue;
    const lever = levers.find(({ conditions }) => conditions.includes(index));
    if (lever === undefined) return undefined;
    needed.add(lever);
  }
  return [...needed];
}
