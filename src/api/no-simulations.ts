/** The simulations of a server that runs none: there are none, and none is taken. */
import { Fault } from "../base/index.ts";
import type { Simulations } from "../runtime/index.ts";

export const noSimulations: Simulations = {
  workloads: [],
  list: () => [],
  find: () => undefined,
  ahead: () => 0,
  async order() {
    throw new Fault({
      kind: "refused",
      code: "noSimulations",
      what: "this server runs no simulations",
      why: "it was started without a directory for them",
      remedy: "use the API of a broker that stint up has started, or stint sim",
    });
  },
  results: async () => undefined,
  schedule: async () => undefined,
  rows: async () => undefined,
  change: async () => undefined,
  remove: async () => false,
  onChange: () => () => {},
};
