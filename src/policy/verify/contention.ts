/**
 * Contention for a level's resources, and the part of it that the mode `shared` excuses.
 *
 * Under `shared` an idle share is lent until the borrower's jobs end, so while these run there is no
 * violation. Under `preempting` and `dedicated` there is.
 */
import { SHARED_RESOURCES, type SharedResource } from "../../model/index.ts";
import { pathsTo } from "../share-tree.ts";
import type { LevelPiece } from "./level-state.ts";
import type { Claim, PresentLevel, Scene } from "./scene.ts";

/** Contention by other consumers for what a level has. */
export function contentionAt(scene: Scene, level: PresentLevel): LevelPiece["contention"] {
  const others = claimsOn(scene, level.resource, level.node.path);
  if (others.length === 0) return "none";
  const isPatient = others.every((claim) => modeOf(scene, claim, level) === "shared");
  return isPatient ? "patient" : "full";
}

/** True where another consumer claims a resource that a job with these needs takes. */
export function isClaimedByOthers(scene: Scene, { consumer, need }: Claim): boolean {
  return SHARED_RESOURCES.some(
    (resource, column) => need[column] > 0 && claimsOn(scene, resource, consumer).length > 0,
  );
}

/** The shortage of a level that is due to lent shares alone. */
export function lentShortageAt(scene: Scene, level: PresentLevel): number {
  if (level.claimed === 0 || level.node.mode !== "shared") return 0;
  const column = SHARED_RESOURCES.indexOf(level.resource);
  const free = Math.max(0, (scene.capacity[level.resource] ?? 0) - scene.inUse[column]);
  const short = Math.min(level.entitled, level.inUse + level.claimed) - level.inUse;
  let lent = 0;
  for (const other of scene.levels) {
    if (other.resource !== level.resource || !isBeside(other, level, scene)) continue;
    lent += Math.max(0, Math.min(other.lent, other.inUse - other.entitled));
  }
  // Jobs are not divided: where none of them fits into what is free, all of it waits for what was lent.
  if (level.leastClaim > free && level.leastClaim <= free + lent) return short;
  return Math.max(0, Math.min(short - free, lent));
}

function claimsOn({ claims }: Scene, resource: SharedResource, path: string): readonly Claim[] {
  const column = SHARED_RESOURCES.indexOf(resource);
  return claims.filter(({ consumer, need }) => need[column] > 0 && !areInLine(consumer, path));
}

/** The mode of the claimant's level next below the levels that both have in common. */
function modeOf({ levels }: Scene, { consumer }: Claim, level: PresentLevel) {
  const own = pathsTo(consumer).find((path) => !areInLine(path, level.node.path)) ?? consumer;
  const found = levels.find(({ resource, node }) => resource === level.resource && node.path === own);
  return found?.node.mode ?? "shared";
}

/** True for the uppermost named level of another branch; levels below it are part of it. */
function isBeside(other: PresentLevel, level: PresentLevel, { levels }: Scene): boolean {
  if (areInLine(other.node.path, level.node.path)) return false;
  return !levels.some(
    ({ resource, node: { path } }) =>
      resource === other.resource &&
      other.node.path.startsWith(`${path}/`) &&
      !areInLine(path, level.node.path),
  );
}

function areInLine(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
