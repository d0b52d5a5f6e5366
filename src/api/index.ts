export type { Identity } from "../model/index.ts";
export { byToken, mintToken, recordOf } from "./bearer-token.ts";
export { type Certificate, certificateOf, readChain, readKey } from "./certificate.ts";
export { denialLog } from "./denial-log.ts";
export { type Denial, ownerOfSocket } from "./identity.ts";
export type { LogTrial, LogVerification, PolicyStudies, TriedOnLog } from "./policy-studies.ts";
export { createServer, type ServerOptions } from "./server.ts";
export { listenOnSocket } from "./socket.ts";
export {
  DEFAULT_PORT,
  followCertificate,
  listenOnLoopback,
  listenOnTcp,
  type TcpPlace,
} from "./tcp.ts";
export type { PlanTextTask, WorkflowPlanning } from "./workflow-planning.ts";
