/** Schemas of all responses by their names in the OpenAPI document. */

import { Type } from "typebox";
import { accountsSchema, grantSchema } from "./account.ts";
import { archiveListSchema, archiveSchema } from "./archive.ts";
import { arrayListSchema, arraySchema } from "./array.ts";
import { auditListSchema, auditSchema, identitySchema } from "./audit.ts";
import { bidListSchema, bidScoreListSchema, bidScoreSchema } from "./bid.ts";
import { brokerStopSchema } from "./broker.ts";
import { changeSchema } from "./change.ts";
import { checkpointFilesSchema, checkpointListSchema, checkpointSchema } from "./checkpoint.ts";
import { coReservationQuoteSchema, coReservationSchema } from "./co-reservation.ts";
import { dagListSchema, dagSchema, wholeDagSchema } from "./dag.ts";
import { eventListSchema, eventSchema } from "./event.ts";
import { siteQueueSchema, siteWhySchema, whySchema } from "./explanation.ts";
import { open, strict } from "./fields.ts";
import { fileListSchema, idsSchema, jobListSchema, jobSchema } from "./job.ts";
import { jobCheckSchema } from "./job-check.ts";
import { jobMatchSchema, siteAdSchema } from "./matching.ts";
import { voListSchema, voSchema } from "./organisation.ts";
import { dispatchesSchema, peerListSchema, peerSchema } from "./peer.ts";
import { pilotListSchema, pilotSchema } from "./pilot.ts";
import { plansSchema } from "./plan.ts";
import { platformSchema } from "./planning.ts";
import {
  actionsSchema,
  compiledPoliciesSchema,
  enforcerSchema,
  policiesSchema,
  policySetSchema,
  policyVersionsSchema,
  shareStepsSchema,
  siteUsageSchema,
} from "./policy.ts";
import { policyCheckSchema } from "./policy-check.ts";
import { policyTrialSchema, verificationSchema } from "./policy-studies.ts";
import { prospectListSchema } from "./prospect.ts";
import { provenanceSchema } from "./provenance.ts";
import { pricedStartSchema, quoteSchema } from "./quote.ts";
import { replicaListSchema, replicaSchema } from "./replica.ts";
import { jobReportSchema } from "./report.ts";
import { reservationListSchema, reservationSchema } from "./reservation.ts";
import { scheduleSchema } from "./schedule.ts";
import { sessionSchema } from "./session.ts";
import {
  simulationListSchema,
  simulationResultSchema,
  simulationScheduleSchema,
  simulationSchema,
  simulationWorkloadsSchema,
} from "./simulation.ts";
import { siteListSchema, siteRemovalSchema, siteSchema, siteTestSchema } from "./site.ts";
import { slotSetListSchema, slotSetSchema } from "./slot.ts";
import { streamListSchema, streamSchema } from "./stream.ts";
import { terminalSchema } from "./terminal.ts";
import {
  ticketCheckSchema,
  ticketKeyListSchema,
  ticketKeySchema,
  ticketListSchema,
  ticketSchema,
} from "./ticket.ts";
import { newTokenSchema, tokenListSchema, tokenSchema } from "./token.ts";
import { uploadListSchema, uploadSchema } from "./upload.ts";
import { hostsSchema, readingsTakenSchema, usageHistorySchema } from "./usage.ts";
import { virtualReservationQuoteSchema } from "./virtual-reservation.ts";
import { newWebhookSchema, webhookListSchema, webhookSchema } from "./webhook.ts";
import { workflowListSchema, workflowSchema } from "./workflow.ts";

/** Errors as RFC 9457 problem details, and the health of the broker. */
const place = Type.Object(
  {
    pointer: Type.Optional(Type.String({ description: "JSON pointer into the body" })),
    parameter: Type.Optional(Type.String({ description: "Parameter of the path, the query or a header" })),
    detail: Type.String(),
  },
  open,
);

/** Problem details. */
const problemSchema = Type.Object(
  {
    type: Type.String({ description: "`urn:stint:<code>`, stable" }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: "What happened" }),
    why: Type.String(),
    remedy: Type.String({ description: "What to do about it" }),
    pointer: Type.Optional(Type.String({ description: "JSON pointer to the offending field" })),
    parameter: Type.Optional(Type.String({ description: "The offending parameter" })),
    errors: Type.Optional(Type.Array(place)),
  },
  { ...open, description: "Problem details (RFC 9457); more members are facts" },
);

/** Health of the broker. */
const statusSchema = Type.Object(
  { status: Type.Enum(["ok", "notReady"]) },
  { ...strict, description: "Health of the broker" },
);

/** Schemas that several routes share, by their name in the OpenAPI document. */
export const sharedSchemas = {
  Job: jobSchema,
  JobCheck: jobCheckSchema,
  JobList: jobListSchema,
  JobMatch: jobMatchSchema,
  JobReport: jobReportSchema,
  JobArray: arraySchema,
  JobArrayList: arrayListSchema,
  Dag: dagSchema,
  DagList: dagListSchema,
  WholeDag: wholeDagSchema,
  Ids: idsSchema,
  ProspectList: prospectListSchema,
  BidList: bidListSchema,
  BidScore: bidScoreSchema,
  BidScoreList: bidScoreListSchema,
  Provenance: provenanceSchema,
  Archive: archiveSchema,
  ArchiveList: archiveListSchema,
  Event: eventSchema,
  EventList: eventListSchema,
  Why: whySchema,
  SiteWhy: siteWhySchema,
  SiteQueue: siteQueueSchema,
  Platform: platformSchema,
  Plans: plansSchema,
  Workflow: workflowSchema,
  WorkflowList: workflowListSchema,
  Site: siteSchema,
  SiteAd: siteAdSchema,
  SiteList: siteListSchema,
  Stream: streamSchema,
  StreamList: streamListSchema,
  SiteTest: siteTestSchema,
  SiteRemoval: siteRemovalSchema,
  Schedule: scheduleSchema,
  SlotSet: slotSetSchema,
  SlotSetList: slotSetListSchema,
  FileList: fileListSchema,
  Checkpoint: checkpointSchema,
  CheckpointList: checkpointListSchema,
  CheckpointFiles: checkpointFilesSchema,
  Terminal: terminalSchema,
  Token: tokenSchema,
  TokenList: tokenListSchema,
  NewToken: newTokenSchema,
  Webhook: webhookSchema,
  WebhookList: webhookListSchema,
  NewWebhook: newWebhookSchema,
  Audit: auditSchema,
  AuditList: auditListSchema,
  Identity: identitySchema,
  Pilot: pilotSchema,
  PilotList: pilotListSchema,
  Replica: replicaSchema,
  ReplicaList: replicaListSchema,
  PricedStart: pricedStartSchema,
  Quote: quoteSchema,
  Reservation: reservationSchema,
  ReservationList: reservationListSchema,
  TogetherQuote: coReservationQuoteSchema,
  Together: coReservationSchema,
  VirtualQuote: virtualReservationQuoteSchema,
  Accounts: accountsSchema,
  Grant: grantSchema,
  PolicySet: policySetSchema,
  Policies: policiesSchema,
  PolicyVersions: policyVersionsSchema,
  PolicyCheck: policyCheckSchema,
  PolicyTrial: policyTrialSchema,
  Verification: verificationSchema,
  EnforcementActions: actionsSchema,
  SiteEnforcer: enforcerSchema,
  Ticket: ticketSchema,
  TicketList: ticketListSchema,
  TicketCheck: ticketCheckSchema,
  TicketKey: ticketKeySchema,
  TicketKeyList: ticketKeyListSchema,
  Vo: voSchema,
  VoList: voListSchema,
  Dispatches: dispatchesSchema,
  Peer: peerSchema,
  PeerList: peerListSchema,
  SiteUsage: siteUsageSchema,
  Simulation: simulationSchema,
  SimulationList: simulationListSchema,
  SimulationResult: simulationResultSchema,
  SimulationSchedule: simulationScheduleSchema,
  SimulationWorkloads: simulationWorkloadsSchema,
  Upload: uploadSchema,
  UploadList: uploadListSchema,
  UsageHistory: usageHistorySchema,
  Hosts: hostsSchema,
  ReadingsTaken: readingsTakenSchema,
  CompiledPolicies: compiledPoliciesSchema,
  ShareSteps: shareStepsSchema,
  Status: statusSchema,
  BrokerStop: brokerStopSchema,
  Change: changeSchema,
  Session: sessionSchema,
  Problem: problemSchema,
} as const;
