/** Resources of a site for streams, in `stint.yaml`. */
import { absolutePath } from "./applications.ts";
import { as, count, list, mapping, number, text } from "./shape.ts";
import { capacity } from "./texts.ts";

const procsClass = mapping(
  {
    name: text({
      description: "Name of the class.",
      ...{ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$", examples: ["fast"] },
      mismatch: {
        code: "badClass",
        noun: "name of a class",
        why: "a name is up to 63 letters, digits and . _ -, and begins with a letter or a digit",
      },
    }),
    procs: count({ description: "Processors of the class.", least: 1, most: 1_000_000, examples: ["64"] }),
    type: text({ description: "Architecture.", pattern: "^[A-Za-z0-9_.+-]{1,100}$", examples: ["x86_64"] }),
    benchmark: number({
      ...{ least: 0, most: 1_000_000, isAbove: true, examples: ["1.6"] },
      description: "Speed relative to the other classes; default 1.",
    }),
    queue: text({
      description: "Queue or partition of the site that has these processors.",
      pattern: "^[^\\p{Cc}\\s]{1,200}$",
      examples: ["fast"],
    }),
    cpus: text({
      description: "Numbers of these processors on the machine of the site, in the form of taskset.",
      pattern: "^\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?){0,200}$",
      examples: ["0-3"],
    }),
  },
  {
    examples: ["{ name: fast, procs: 64, queue: fast }"],
    required: { name: "status names it", procs: "admission counts them" },
  },
);

/** Resources of a site for streams. */
export const streamPoolShape = mapping(
  {
    inbound: as("inboundBytesPerSec", capacity("rate", "Bandwidth for the data of all streams.", "1Gbit/s")),
    storage: as("storageBytes", capacity("size", "Storage for the data of all streams.", "500G")),
    directory: absolutePath(
      "Where the data are stored, on a file system that the broker and the nodes share.",
    ),
    program: absolutePath("Path of Stint's program on the nodes; by default that of the broker."),
    classes: list(procsClass, {
      ...{ least: 1, most: 100 },
      description:
        "Classes of processors: a stream is tried on each suitable class, and runs on the fastest free one.",
    }),
  },
  {
    description: "Resources for streams. Without it the site accepts no streams.",
    defined: "streams",
    examples: ["{ inbound: 1Gbit/s, storage: 500G, directory: /scratch/streams }"],
    required: {
      inbound: "rates are shared out of it",
      storage: "quotas are shared out of it",
      directory: "the data are kept there",
    },
  },
);
