/**
 * How many cases a property test draws: so many, or as few as `STINT_PROPERTY_RUNS` says (`npm test` says
 * 40). All are drawn in `npm run test:all`.
 */
export function draws(runs: number): { readonly numRuns: number } {
  return { numRuns: Math.min(runs, Number(process.env.STINT_PROPERTY_RUNS ?? runs)) };
}
