/**
 * The folders of src/ in their order: the dependency rules, the core lint, the core tsconfig and tidy all
 * read this table, so that a new folder is entered here alone.
 *
 * Each row may use the rows above it; folders of one row never use each other.
 */

/** @type {readonly (readonly string[])[]} */
export const order = [
  ["base"],
  ["profile", "classad"],
  ["model"],
  ["queue"],
  ["policy", "market", "plan", "predict", "match", "stream", "bookkeeping"],
  ["engine"],
  ["contract"],
  ["runtime"],
  ["formats", "report", "store", "sites", "broker", "sim", "api", "cli"],
  ["main"],
];

/** Every folder that src/ may have. */
export const folders = order.flat();

/** Pure folders: no clock, no randomness, no IO. All before `runtime`. */
export const coreFolders = folders.slice(0, folders.indexOf("runtime"));

/** Folders with IO. */
export const shellFolders = folders.slice(folders.indexOf("formats"), folders.indexOf("main"));

/** Shell folders that others may use, each with who may. They use no shell folder themselves. */
/** @type {Readonly<Record<string, readonly string[]>>} */
export const shared = { formats: shellFolders.filter((name) => name !== "report"), report: ["sim", "cli"] };

/** Collections: each of their subfolders is a unit of its own, entered through its own index.ts. */
export const collections = ["formats", "sites"];

/** The npm packages that a core folder may use; any other folder of the core: none. */
/** @type {Readonly<Record<string, readonly string[]>>} */
export const corePackages = { base: ["pure-rand"], contract: ["typebox"] };

/**
 * Packages of devDependencies that src/ may use: the bundle has their code, so that they are not installed
 * with Stint. Threads and wrappers, which are no part of it, may not load them (test/house/packed.test.ts).
 */
export const bundledPackages = [
  "@fastify/rate-limit",
  "@fastify/static",
  "@fastify/swagger",
  "@fastify/swagger-ui",
  "@fastify/type-provider-typebox",
  "cli-progress",
  "cli-table3",
  "commander",
  "fastify",
  "light-my-request",
  "picocolors",
  "pino",
  "prom-client",
  "typebox",
];
