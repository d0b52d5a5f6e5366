/**
 * How many cases a property test draws: `runs` in `npm run test:all`, times `STINT_PROPERTY_FACTOR` where
 * that is set. `npm test` draws a tenth, `npm run test:deep` twenty times as many.
 */
export function draws(runs: number): { readonly numRuns: number } {
  const factor = Number(process.env.STINT_PROPERTY_FACTOR ?? 1);
  return { numRuns: Math.max(Math.min(runs, FEWEST), Math.ceil(runs * factor)) };
}

/** What even a short run draws, so that a property is seen with more than its simplest cases. */
const FEWEST = 10;
