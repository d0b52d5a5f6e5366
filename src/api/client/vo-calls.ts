/**
 * The client's calls about how organisations have their jobs placed.
 */
import type { Connection } from "./connection.ts";
import { type Items, look } from "./look.ts";
import type { VoCalls, VoView } from "./vo-types.ts";

/** These calls over a connection. */
export function voCalls(connection: Connection): VoCalls {
  const pathOf = (name: string): string => `/api/v1/vos/${encodeURIComponent(name)}`;
  return {
    vos: async () => (await look<Items<VoView>>(connection, "/api/v1/vos")).items,
    vo: (name) => look<VoView>(connection, pathOf(name)),
    // Said twice is as said once.
    changeVo: async (name, body) =>
      (await connection.json({ method: "PUT", path: pathOf(name), body, isRepeatable: true })) as VoView,
  };
}
