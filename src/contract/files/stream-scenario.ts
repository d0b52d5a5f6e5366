/** A scenario of streams, for `stint sim streams`: a pool, its streams, and the ways to share it. */
import { as, count, filled, list, mapping, number, quantity, text, usually, word } from "./shape.ts";
import { utilityShape } from "./stream.ts";

/** `STREAM_VARIANTS` of `src/stream`, written out: its import would load that folder with every file. */
const VARIANTS = [
  ...(["exact", "genetic", "literal"] as const),
  ...(["processors-only", "equal-share", "staged", "reserved"] as const),
] as const;

const id = text({ pattern: "^\\S{1,100}$", examples: ["a"] });
const procs = { least: 1, most: 1_000_000 };
const above = { least: 0, most: 1_000_000, isAbove: true as const };
const rate = (description: string, example: string) =>
  quantity("rate", {
    description,
    examples: [example],
    ifZero: { why: "no data would ever arrive", remedy: `write for instance ${example}` },
  });
const size = (description: string, example: string) =>
  quantity("size", {
    description,
    examples: [example],
    ifZero: { why: "the amount must be above 0", remedy: `write for instance ${example}` },
  });

const processorClass = mapping(
  {
    name: id,
    count: count({ ...procs, description: "Processors." }),
    speed: usually(
      1,
      number({ ...above, description: "Processing speed, relative to the rates of streams." }),
    ),
    type: usually("x86_64", text({ description: "Architecture.", examples: ["x86_64"], default: "x86_64" })),
  },
  {
    examples: ["{ name: fast, count: 32 }"],
    required: { name: "reports name it", count: "admission counts them" },
  },
);

const stream = mapping(
  {
    id,
    at: as(
      "atMs",
      usually(0, quantity("duration", { description: "Instant of its submission.", examples: ["10m"] })),
    ),
    weight: usually(1, number({ ...above, description: "Weight; heavier streams are served first." })),
    procs: usually(1, count({ ...procs, description: "Processors." })),
    type: text({ description: "Required architecture; by default any.", examples: ["x86_64"] }),
    min: as("minBytesPerSec", rate("Least bandwidth.", "2MB/s")),
    max: as("maxBytesPerSec", rate("Greatest bandwidth.", "8MB/s")),
    storage: as("storageBytes", size("Least storage.", "20GB")),
    block: as("blockBytes", usually(64_000_000, size("Size of a block.", "64MB"))),
    rate: as("processedBytesPerSec", rate("Rate of processing at speed 1.", "10MB/s")),
    data: as("dataBytes", size("All its data; without it the stream is endless.", "500GB")),
    utility: filled(utilityShape),
  },
  {
    examples: ["{ id: a, min: 2MB/s, max: 8MB/s, storage: 20GB, rate: 10MB/s, data: 500GB }"],
    required: {
      id: "reports name it",
      min: "admission counts it",
      max: "its rates are bounded",
      storage: "admission counts it",
      rate: "processing frees its storage",
    },
  },
);

/** The shape of a scenario of streams. */
export const streamScenarioShape = mapping(
  {
    horizon: as(
      "horizonMs",
      usually(
        28_800_000,
        quantity("duration", {
          description: "Simulated time.",
          examples: ["8h"],
          ifZero: { why: "the duration must be above 0", remedy: "write for instance 8h" },
        }),
      ),
    ),
    seed: usually(1, count({ least: 0, most: 2 ** 32 - 1, description: "Seed of random numbers." })),
    procs: list(processorClass, { least: 1 }),
    link: as(
      "linkBytesPerSec",
      rate("The link to the pool; 5 % of its bandwidth is not allocated to streams.", "1Gbit/s"),
    ),
    storage: as("storageBytes", size("The store.", "2TB")),
    variants: usually(["exact"], list(word(VARIANTS), { least: 1, examples: ["[exact, equal-share]"] })),
    load: number({
      ...above,
      most: 100,
      description: "Generates streams at this load of the scarcest resource.",
    }),
    streams: usually([], list(stream)),
  },
  {
    description: "A pool, its streams (listed, or generated for a load), and the ways to share it.",
    required: {
      procs: "streams run on processors",
      link: "their data come over it",
      storage: "their data wait there",
    },
  },
);
