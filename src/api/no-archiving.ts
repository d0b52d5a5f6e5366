/** The archiving of a server without a log of its own: none is done. */
import { Fault } from "../base/index.ts";
import type { LogArchiving } from "../runtime/index.ts";

export const noArchiving: LogArchiving = {
  async archive() {
    throw new Fault({
      kind: "refused",
      code: "noArchiving",
      what: "this server archives no events",
      why: "it was started without a directory for archives",
      remedy: "use the API of a broker that stint up has started, or stint archive",
    });
  },
  failures: () => 0,
};
