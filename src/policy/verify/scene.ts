/** State of a place during a sweep: use and claims of each level, under the present term. */
import { mulDiv } from "../../base/index.ts";
import { SHARED_RESOURCES, type SharedResource, WHOLE_SHARE } from "../../model/index.ts";
import { entitlements } from "../fair-division.ts";
import { levelsOf, type ShareNode } from "../share-tree.ts";
import type { Change, JobKind } from "./changes.ts";
import type { CapacityStep } from "./evidence.ts";
import type { LevelState } from "./level-state.ts";
import type { TermLevels } from "./terms.ts";

/** A level with its present use. */
export interface PresentLevel {
  readonly state: LevelState;
  readonly resource: SharedResource;
  readonly node: ShareNode;
  /** Number of jobs that run or are demand. */
  demand: number;
  inUse: number;
  /** The part in use by runs on lent shares. */
  lent: number;
  entitled: number;
  claimed: number;
  /** Amount of the smallest claimed job. */
  leastClaim: number;
}

/** A kind of job with the levels at which it counts. */
interface PresentKind {
  readonly kind: JobKind;
  readonly line: readonly { readonly level: PresentLevel; readonly amount: number }[];
  /** False where it needs more than the place has, or than a burst allows: then it is no demand. */
  readonly isPossible: boolean;
}

/** The scene; rebuilt for every term and capacity. */
export interface Scene {
  readonly term: TermLevels;
  readonly capacity: CapacityStep["amounts"];
  readonly levels: readonly PresentLevel[];
  readonly kinds: ReadonlyMap<JobKind, PresentKind>;
  readonly waiting: Set<PresentKind>;
  /** Amounts in use by `SHARED_RESOURCES`, those of consumers without a share included. */
  readonly inUse: number[];
  /** Entitlements, cached by the set of consumers with demand. */
  readonly known: Map<string, ReadonlyMap<string, number>>;
  /** Consumers that claim entitled amounts that they do not have. */
  claims: readonly Claim[];
}

/** A consumer that waits for what it is entitled to. */
export interface Claim {
  readonly consumer: string;
  readonly need: readonly number[];
}

/** Parts of a scene. */
export interface SceneParts {
  readonly term: TermLevels;
  readonly capacity: CapacityStep["amounts"];
  readonly states: readonly LevelState[];
  readonly kinds: readonly JobKind[];
  /** Number of lent runs in progress, by kind. */
  readonly lent: ReadonlyMap<JobKind, number>;
}

/** A scene with all jobs that run and wait now. */
export function createScene({ term, capacity, states, kinds, lent }: SceneParts): Scene {
  const levels = states.map((state): PresentLevel => {
    const { resource, node } = state;
    return {
      state,
      resource,
      node,
      demand: 0,
      inUse: 0,
      lent: 0,
      entitled: 0,
      claimed: 0,
      leastClaim: Number.POSITIVE_INFINITY,
    };
  });
  const find = new Map(levels.map((level) => [`${level.resource} ${level.node.path}`, level]));
  const present = new Map<JobKind, PresentKind>();
  const scene: Scene = {
    ...{ term, capacity, levels, kinds: present, waiting: new Set<PresentKind>() },
    ...{ inUse: SHARED_RESOURCES.map(() => 0), known: new Map(), claims: [] },
  };
  for (const kind of kinds) {
    const line = lineOf(term, kind, find);
    const isPossible = line.length > 0 && fitsAlone(kind, line, capacity);
    present.set(kind, { kind, line, isPossible });
    if (kind.running > 0) count(scene, kind, null, kind.running);
    if (kind.waiting > 0) countWaiting(scene, kind, kind.waiting);
    for (const { level, amount } of line) level.lent += amount * (lent.get(kind) ?? 0);
  }
  return scene;
}

/** Applies a begin or end; the counts of the kind are updated too. */
export function applyChange(scene: Scene, { kind, run, by }: Change): void {
  if (run === null) {
    kind.waiting += by;
    countWaiting(scene, kind, by);
    return;
  }
  kind.running += by;
  count(scene, kind, run.isLent && by < 0 ? "lent" : null, by);
}

/** Counts a run that has just begun as lent. */
export function noteLent(scene: Scene, kind: JobKind): void {
  for (const { level, amount } of scene.kinds.get(kind)?.line ?? []) level.lent += amount;
}

/** Computes the entitlement of each level, and the claims (rules PO-4, PO-10). */
export function settleClaims(scene: Scene): void {
  for (const level of scene.levels) {
    level.claimed = 0;
    level.leastClaim = Number.POSITIVE_INFINITY;
  }
  for (const resource of SHARED_RESOURCES) settleEntitled(scene, resource);
  const claims: Claim[] = [];
  for (const { kind, line, isPossible } of scene.waiting) {
    if (!isPossible) continue;
    if (!line.every(({ level, amount }) => level.inUse + amount <= level.entitled)) continue;
    claims.push(kind);
    for (const { level, amount } of line) {
      level.claimed += amount * kind.waiting;
      level.leastClaim = Math.min(level.leastClaim, amount);
    }
  }
  scene.claims = claims;
}

function settleEntitled(scene: Scene, resource: SharedResource): void {
  const levels = scene.levels.filter((level) => level.resource === resource);
  if (levels.length === 0) return;
  const wanting = levels.filter(({ demand, node }) => demand > 0 || node.mode === "dedicated");
  const paths = new Set(wanting.map(({ node }) => node.path));
  const name = `${resource} ${[...paths].join(" ")}`;
  const entitled =
    scene.known.get(name) ?? entitlements(scene.term.tree, resource, (path) => paths.has(path));
  scene.known.set(name, entitled);
  const whole = scene.capacity[resource] ?? 0;
  for (const level of levels) {
    level.entitled = mulDiv(entitled.get(level.node.path) ?? 0, whole, WHOLE_SHARE, "down");
  }
}

function lineOf(term: TermLevels, { consumer, need }: JobKind, find: ReadonlyMap<string, PresentLevel>) {
  return SHARED_RESOURCES.flatMap((resource, column) => {
    const amount = need[column];
    if (amount === 0) return [];
    return levelsOf(term.tree, resource, consumer).flatMap(({ path }) => {
      const level = find.get(`${resource} ${path}`);
      return level === undefined ? [] : [{ level, amount }];
    });
  });
}

function fitsAlone({ need }: JobKind, line: PresentKind["line"], capacity: CapacityStep["amounts"]): boolean {
  const fits = SHARED_RESOURCES.every(
    (resource, column) => capacity[resource] === undefined || need[column] <= capacity[resource],
  );
  return (
    fits &&
    line.every(({ level, amount }) => {
      const whole = capacity[level.resource] ?? 0;
      return amount <= mulDiv(level.node.burstShare, whole, WHOLE_SHARE, "down");
    })
  );
}

function countWaiting(scene: Scene, kind: JobKind, by: number): void {
  const present = scene.kinds.get(kind);
  if (present === undefined) return;
  if (kind.waiting > 0) scene.waiting.add(present);
  else scene.waiting.delete(present);
  if (present.isPossible) for (const { level } of present.line) level.demand += by;
}

function count(scene: Scene, kind: JobKind, what: "lent" | null, by: number): void {
  for (const [column, amount] of kind.need.entries()) scene.inUse[column] += amount * by;
  for (const { level, amount } of scene.kinds.get(kind)?.line ?? []) {
    level.demand += by;
    level.inUse += amount * by;
    if (what === "lent") level.lent += amount * by;
  }
}
