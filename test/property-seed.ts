/**
 * Property tests draw the same cases in every run, so that what passed here passes elsewhere.
 *
 * `STINT_PROPERTY_SEED=random` draws new ones, for finding what nobody thought of; a failure prints its
 * seed. `STINT_PROPERTY_FACTOR` draws more or fewer of them (draws.ts).
 */
import fc from "fast-check";

const asked = process.env.STINT_PROPERTY_SEED ?? "2026";
fc.configureGlobal({
  ...(asked === "random" ? {} : { seed: Number(asked) }),
  // A stated maximum is meant: by default no list has more than about ten elements.
  defaultSizeToMaxWhenMaxSpecified: true,
});
