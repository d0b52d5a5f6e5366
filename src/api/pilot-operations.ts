/** Operations on pilots and the identities of their jobs, as in `operations.ts`. */
import type {
  AuditQuery,
  AuditView,
  IdentityQuery,
  IdentityView,
  PilotQuery,
  PilotView,
} from "../contract/index.ts";
import { act, type Items, look, of } from "./operation-shapes.ts";

/** Table of operations. */
export const PILOT_OPERATIONS = {
  listPilots: { ...look, path: "/pilots", query: of<PilotQuery>(), answer: of<Items<PilotView>>() },
  getPilot: { ...look, path: "/pilots/:id", answer: of<PilotView>() },
  listAudit: { ...look, path: "/audit", query: of<AuditQuery>(), answer: of<Items<AuditView>>() },
  getIdentity: {
    ...look,
    path: "/sites/:name/identity",
    query: of<IdentityQuery>(),
    answer: of<IdentityView>(),
  },
  drainPilot: { ...act, path: "/pilots/:id/drain", answer: of<PilotView>() },
} as const;
