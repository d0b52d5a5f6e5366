/**
 * Limits and shares in the accounting database: `sacctmgr show qos` and `show assoc`.
 *
 * Fields are requested by name, in our order for every version. A field that a version lacks is an error of
 * the whole command, so only fields that exist since 20.11 are requested.
 */
import type { ClusterAssociation, ClusterLimits, ClusterQos } from "../../model/index.ts";
import { namedRows, type Row } from "./rows.ts";
import { durationMs, listOf, saidNumber, saidText, tresOf } from "./words.ts";

const QOS_FIELDS =
  "Name,Priority,Flags,Preempt,PreemptMode,GrpTRES,GrpJobs,GrpSubmit,GrpWall,MaxTRES,MaxWall," +
  "MaxTRESPU,MaxJobsPU,MaxSubmitPU,MaxTRESPA,MaxJobsPA,MaxSubmitPA,MinTRES";
const ASSOCIATION_FIELDS =
  "Cluster,Account,User,Partition,Share,GrpTRES,GrpJobs,GrpSubmit,GrpWall,MaxTRES,MaxWall,MaxJobs," +
  "MaxSubmit,QOS,DefaultQOS,ParentName";

/** The command that asks for every QOS. */
export const QOS_COMMAND: readonly string[] = ["sacctmgr", "-P", "show", "qos", `format=${QOS_FIELDS}`];

/** The command that asks for the accounts and users of a cluster. */
export function associationsCommand(cluster: string): readonly string[] {
  return ["sacctmgr", "-P", "show", "assoc", `cluster=${cluster}`, `format=${ASSOCIATION_FIELDS}`];
}

/** Reads what {@link QOS_COMMAND} printed. */
export function readQos(text: string): readonly ClusterQos[] {
  return namedRows(text).map((row) => ({
    name: row.Name ?? "",
    priority: saidNumber(row.Priority) ?? 0,
    flags: listOf(row.Flags),
    preempts: listOf(row.Preempt),
    preemptMode: saidText(row.PreemptMode),
    perJob: { ...limitsOf(row.MaxTRES, undefined, undefined), wallMs: durationMs(row.MaxWall) },
    perUser: limitsOf(row.MaxTRESPU, row.MaxJobsPU, row.MaxSubmitPU),
    perAccount: limitsOf(row.MaxTRESPA, row.MaxJobsPA, row.MaxSubmitPA),
    group: groupOf(row),
    minimumTres: tresOf(row.MinTRES),
  }));
}

/** Reads what the command of {@link associationsCommand} printed. */
export function readAssociations(text: string): readonly ClusterAssociation[] {
  return namedRows(text).map((row) => ({
    account: row.Account ?? "",
    parent: saidText(row.ParentName ?? row["Par Name"]),
    user: saidText(row.User),
    partition: saidText(row.Partition),
    shares: saidNumber(row.Share),
    perJob: { ...limitsOf(row.MaxTRES, undefined, undefined), wallMs: durationMs(row.MaxWall) },
    group: groupOf(row),
    maxJobs: saidNumber(row.MaxJobs),
    maxSubmittedJobs: saidNumber(row.MaxSubmit),
    qos: listOf(row.QOS),
    defaultQos: saidText(row["Def QOS"] ?? row.DefaultQOS),
  }));
}

function groupOf(row: Row): ClusterLimits {
  return { ...limitsOf(row.GrpTRES, row.GrpJobs, row.GrpSubmit), wallMs: durationMs(row.GrpWall) };
}

function limitsOf(tres: string | undefined, jobs: string | undefined, submitted: string | undefined) {
  return {
    tres: tresOf(tres),
    jobs: saidNumber(jobs),
    submittedJobs: saidNumber(submitted),
    wallMs: null,
  };
}
