/**
 * Runtimes that are not certain: drawn, and at a level of surety, as parts of the stated runtime.
 *
 * A spread is the standard deviation of a lognormal distribution whose mean is the stated runtime. Quantiles
 * are joined by straight lines; below the first and above the last the runtime is that of the end.
 */
import { drawFraction, type Random } from "../../../base/index.ts";
import type { Workflow } from "../../workflow/index.ts";

type UncertainTask = Workflow["tasks"][number];

/** A level of surety: a task ends within its planned runtime with this probability. */
export interface SuretyLevel {
  readonly probability: number;
  /** Quantile of the standard normal distribution. */
  readonly z: number;
}

/** Levels that are tried one after the other, after the stated runtimes. */
export const SURETY_LEVELS: readonly SuretyLevel[] = [
  { probability: 0.6, z: 0.25335 },
  { probability: 0.7, z: 0.5244 },
  { probability: 0.8, z: 0.84162 },
  { probability: 0.9, z: 1.28155 },
  { probability: 0.95, z: 1.64485 },
  { probability: 0.99, z: 2.32635 },
];

/** True where the runtime of a task is uncertain. */
export function hasUncertainRuntimes({ tasks }: Workflow): boolean {
  return tasks.some(({ spreadMs = 0, quantilesMs = [] }) => spreadMs > 0 || quantilesMs.length > 0);
}

/** A random runtime, as a part of the stated one. */
export function drawnPart(task: UncertainTask, random: Random): number {
  if (task.quantilesMs !== undefined) return quantilePart(task, drawFraction(random));
  if ((task.spreadMs ?? 0) === 0) return 1;
  const radius = Math.sqrt(-2 * Math.log(1 - drawFraction(random)));
  return lognormalPart(task, radius * Math.cos(2 * Math.PI * drawFraction(random)));
}

/** The runtime that is not exceeded with the probability of a level, as a part of the stated one. */
export function surePart(task: UncertainTask, { probability, z }: SuretyLevel): number {
  return task.quantilesMs === undefined ? lognormalPart(task, z) : quantilePart(task, probability);
}

function lognormalPart({ spreadMs = 0, runtimeMs = 0 }: UncertainTask, z: number): number {
  if (spreadMs === 0 || runtimeMs === 0) return 1;
  const variance = Math.log(1 + (spreadMs / runtimeMs) ** 2);
  return Math.exp(Math.sqrt(variance) * z - variance / 2);
}

function quantilePart({ quantilesMs = [], runtimeMs = 0 }: UncertainTask, probability: number): number {
  if (quantilesMs.length === 0 || runtimeMs === 0) return 1;
  const above = quantilesMs.findIndex(([level]) => level >= probability);
  if (above === 0) return quantilesMs[0][1] / runtimeMs;
  if (above < 0) return quantilesMs[quantilesMs.length - 1][1] / runtimeMs;
  const [[fromLevel, fromMs], [toLevel, toMs]] = [quantilesMs[above - 1], quantilesMs[above]];
  const part = (probability - fromLevel) / (toLevel - fromLevel);
  return (fromMs + part * (toMs - fromMs)) / runtimeMs;
}
