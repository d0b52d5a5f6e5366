/** A platform: sites and links without a broker, for `stint plan --platform`. */
import { as, count, filled, flag, list, mapping, names, number, quantity, text, usually } from "./shape.ts";

const name = text({ defined: "siteName", pattern: "^\\S{1,100}$", examples: ["near"] });
const procs = count({ defined: "procs", least: 0, most: 100_000_000, examples: ["64"] });
const price = number({
  least: 0,
  most: 1e9,
  description: "Price of a processor-hour, in SU.",
  examples: ["1.5"],
});
const time = quantity("duration", { examples: ["1h30m"] });
const rate = quantity("rate", {
  examples: ["10Gbit/s"],
  ifZero: { why: "no data could ever arrive", remedy: "write for instance 10Gbit/s" },
});
const latency = as("latencyMs", usually(0, quantity("duration", { examples: ["5ms"] })));

const slot = mapping(
  {
    start: as("startMs", usually(0, time)),
    procs,
    duration: as("durationMs", time),
    price: usually(1, price),
    fixed: as(
      "fixedSu",
      usually(
        0,
        number({
          least: 0,
          most: 1e12,
          description: "Fixed price of each reservation, in SU.",
          examples: ["12"],
        }),
      ),
    ),
    divisible: usually(false, flag({ description: "A part of it may be taken." })),
    extensible: usually(false, flag({ description: "It may be used beyond its end." })),
  },
  {
    description: "A free slot for sale. n processors for a time d cost n·d·price + fixed.",
    examples: ["{ start: 1h, procs: 16, duration: 4h, price: 1, fixed: 2 }"],
    required: { procs: "a slot has processors", duration: "a slot has a length" },
  },
);

const site = mapping(
  {
    name,
    procs,
    speed: usually(1, number({ least: 1e-6, most: 1e6, description: "Divides runtimes.", examples: ["2"] })),
    memory: quantity("size", { description: "Memory of the whole site.", examples: ["512G"] }),
    gpus: count({ least: 0, most: 1_000_000, examples: ["8"] }),
    resources: names(count({ least: 0, most: 2 ** 50, examples: ["2"] }), { examples: ["{ licence: 2 }"] }),
    price: usually(1, price),
    slots: list(slot, {
      description: "Slots that the site sells. Without this key, the whole site is free at all times.",
    }),
  },
  {
    examples: ["{ name: near, procs: 64 }"],
    required: { name: "plans and links name sites by it", procs: "its size decides what runs at once" },
  },
);

const link = mapping(
  { from: name, to: name, bandwidth: rate, latency },
  {
    examples: ["{ from: near, to: far, bandwidth: 1Gbit/s, latency: 20ms }"],
    required: {
      from: "a link has two ends",
      to: "a link has two ends",
      bandwidth: "transfers take time by it",
    },
  },
);

/** The shape of a platform. */
export const platformShape = mapping(
  {
    sites: list(site, { least: 1, most: 1000 }),
    links: filled(
      mapping(
        {
          bandwidth: { ...rate, description: "Between all pairs of sites." },
          latency,
          pairs: usually(
            [],
            list(link, { description: "Pairs with a link of their own, in both directions." }),
          ),
        },
        { examples: ["{ bandwidth: 10Gbit/s, latency: 5ms }"] },
      ),
    ),
  },
  {
    description:
      "Sites and the links between them, for stint plan --platform. Instants count from the plan's begin.",
    required: { sites: "a plan says at which site each task runs" },
  },
);
