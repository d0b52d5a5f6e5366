/**
 * Property tests draw the same cases in every run, so that what passed here passes elsewhere.
 *
 * `STINT_PROPERTY_SEED=random` draws new ones, for finding what nobody thought of; a failure prints its
 * seed. `STINT_PROPERTY_RUNS` draws more of them where a test allows.
 */
import fc from "fast-check";

const asked = process.env.STINT_PROPERTY_SEED ?? "2026";
if (asked !== "random") fc.configureGlobal({ seed: Number(asked) });
