/**
 * What an experiment says of a claim of its source.
 */

/** A claim of a source, and what came of it here. */
export interface Verdict {
  /** The source's figure or section. */
  readonly figure: string;
  /** In words. */
  readonly claim: string;
  readonly isReproduced: boolean;
  /** Our numbers, and the bound that decides: ours where the source gives none. */
  readonly numbers: string;
}

/** Whether a value is within so many percent of the source's. */
export function isNear(value: number, said: number, percent: number): boolean {
  return Math.abs(value - said) <= (said * percent) / 100;
}
