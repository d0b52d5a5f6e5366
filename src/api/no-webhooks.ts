/** The webhooks of a server without a directory for them: there are none. */
import { Fault } from "../base/index.ts";
import type { Webhooks } from "../runtime/index.ts";

export const noWebhooks: Webhooks = {
  list: () => [],
  async add() {
    throw new Fault({
      kind: "refused",
      code: "noWebhooks",
      what: "this server has no webhooks",
      why: "it was started without a directory for them",
      remedy: "use the API of a broker that stint up has started",
    });
  },
  remove: async () => undefined,
  redeliver: async () => undefined,
};
