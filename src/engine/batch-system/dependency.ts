/**
 * Jobs that a job waits for, and whether that can ever come true.
 *
 * Source: squeue(1) and sbatch(1), --dependency. `afterok:1(unfulfilled),afterany:2`: all of them;
 * with `?` between them one is enough; `(failed)` is a system's word for never.
 */
import type { ClusterJob } from "../../model/index.ts";
import type { AwaitedJob, Blocker, Remedy } from "./blocker.ts";
import { type ClusterView, findJob } from "./view.ts";

/** The blocker where something that it waits for has not come true. */
export function dependencyBlockers(view: ClusterView, job: ClusterJob): readonly Blocker[] {
  const { dependency, reason } = job;
  const isNever = /DependencyNeverSatisfied/i.test(reason ?? "");
  if (dependency === null && !/^Dependency/i.test(reason ?? "")) return [];
  const words = dependency ?? "";
  const isAnyEnough = words.includes("?");
  const awaited = words.split(/[,?]/).flatMap((part) => awaitedIn(view, part));
  const never = awaited.filter(({ isNeverMet }) => isNeverMet).length;
  const isNeverMet = isNever || (awaited.length > 0 && (isAnyEnough ? never === awaited.length : never > 0));
  const siteJobs = awaited.flatMap((it) => (it.siteJob !== null && !it.isNeverMet ? [it.siteJob] : []));
  const remedies: Remedy[] = isNeverMet
    ? [{ kind: "dropDependency" }, { kind: "cancel" }]
    : [{ kind: "waitForJobs", siteJobs }, { kind: "dropDependency" }];
  return [{ kind: "dependency", words, awaited, isAnyEnough, isNeverMet, remedies }];
}

/** `afterok:1_*(unfulfilled):2+10`: one relation with several jobs. */
function awaitedIn(view: ClusterView, part: string): readonly AwaitedJob[] {
  const [relation = "", ...ids] = part.trim().split(":");
  if (relation === "") return [];
  if (ids.length === 0) return [awaitedOne(view, bareOf(relation), { written: relation, siteJob: null })];
  return ids.map((written) =>
    awaitedOne(view, relation, { written, siteJob: bareOf(written).replace(/\+\d+$|_\*$/, "") }),
  );
}

function awaitedOne(
  view: ClusterView,
  relation: string,
  { written, siteJob }: { readonly written: string; readonly siteJob: string | null },
): AwaitedJob {
  const says = /\(([^)]*)\)/.exec(written)?.[1] ?? null;
  const found = siteJob === null ? undefined : findJob(view, siteJob);
  return {
    relation,
    siteJob,
    state: found?.state ?? null,
    expectedEndAtMs: found?.expectedEndAtMs ?? null,
    says,
    isNeverMet: says === "failed",
  };
}

function bareOf(written: string): string {
  return written.replace(/\(.*/, "");
}
