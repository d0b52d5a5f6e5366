/**
 * Attributes of the EGEE/gLite JDL: what each takes, and what becomes of it.
 *
 * Source: the JDL attributes specification of EGEE/gLite [WMS]. Further rows are attributes of a job of ours
 * that JDL has no word for.
 */

/** Kind of value that an attribute takes. */
export type Takes =
  | "text"
  | "texts"
  | "count"
  | "number"
  | "flag"
  | "flagOrNumber"
  | "duration"
  | "size"
  | "ad"
  | "ads"
  | "expression"
  | "anything";

/** An attribute of JDL. */
export interface TableRow {
  readonly name: string;
  /** Other spelling. */
  readonly also?: string;
  readonly takes: Takes;
  /** Least value of a count. */
  readonly least?: number;
  /** Greatest value of a count. */
  readonly most?: number;
  /** Value for messages, as JDL writes it. */
  readonly example: string;
  /** Key of a job description that it becomes. */
  readonly becomes?: string;
  /** Reason for no effect; nothing is lost. */
  readonly noEffect?: string;
  /** Reason for no translation; something is lost. */
  readonly notTranslated?: string;
}

/** Last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;
const TEXT = '"text"';
const noProxy = "credentials are not renewed yet: a job must end while its token is valid";
const noSteps = 'it is for jobs with JobType = "Partitionable" only';
const noUpload = "outputs stay at the broker until stint output fetches them";
const noWatch = "any file of a job can be read while it runs: stint logs ID --file NAME -f";
const noPort = "no inbound port is used";

/** Every known attribute. */
export const TABLE: readonly TableRow[] = [
  { name: "Type", takes: "text", example: '"Job"' },
  { name: "JobType", takes: "texts", example: '"Normal"' },
  { name: "Executable", takes: "text", example: '"hostname"', becomes: "executable" },
  { name: "Arguments", also: "Argument", takes: "texts", example: '"-l data.txt"', becomes: "arguments" },
  { name: "StdInput", takes: "text", example: '"data.txt"', becomes: "stdInput" },
  { name: "StdOutput", takes: "text", example: '"stdout.log"', becomes: "stdOutput" },
  { name: "StdError", takes: "text", example: '"stderr.log"', becomes: "stdError" },
  { name: "Environment", takes: "texts", example: '{ "OMP_NUM_THREADS=4" }', becomes: "environment" },
  { name: "Prologue", takes: "text", example: '"before.sh"', becomes: "prologue" },
  { name: "PrologueArguments", takes: "texts", example: TEXT, becomes: "prologueArguments" },
  { name: "Epilogue", takes: "text", example: '"after.sh"', becomes: "epilogue" },
  { name: "EpilogueArguments", takes: "texts", example: TEXT, becomes: "epilogueArguments" },
  { name: "InputSandbox", takes: "texts", example: '{ "run.sh", "data.txt" }', becomes: "inputSandbox" },
  { name: "InputSandboxBaseURI", takes: "text", example: '"file:///home/me"', becomes: "inputSandbox" },
  {
    ...{ name: "OutputSandbox", also: "OutSandbox", takes: "texts", becomes: "outputSandbox" },
    example: '{ "result.txt" }',
  },
  { name: "OutputSandboxDestURI", takes: "texts", example: '{ "gsiftp://se/x" }', notTranslated: noUpload },
  { name: "OutputSandboxBaseDestURI", takes: "text", example: '"gsiftp://se/d"', notTranslated: noUpload },
  { name: "AllowZippedISB", takes: "flag", example: "true", noEffect: "files are sent one by one" },
  { name: "InputData", takes: "texts", example: '{ "lfn:/vo/file" }', becomes: "inputData" },
  { name: "DataAccessProtocol", takes: "texts", example: '"gsiftp"', becomes: "dataAccessProtocol" },
  {
    ...{ name: "DataRequirements", takes: "ads", becomes: "inputData" },
    example: '{ [ InputData = "lfn:/vo/file"; DataCatalogType = "RLS" ] }',
  },
  { name: "StorageIndex", takes: "text", example: TEXT, noEffect: "the broker has a catalogue of its own" },
  { name: "OutputSE", takes: "text", example: '"se.example.org"', becomes: "outputSE" },
  { name: "OutputData", takes: "ads", example: '{ [ OutputFile = "a" ] }', becomes: "outputData" },
  {
    name: "Requirements",
    takes: "expression",
    example: "other.GlueCEStateFreeCPUs > 4",
    becomes: "requirements",
  },
  { name: "Rank", takes: "expression", example: "other.GlueCEStateFreeCPUs", becomes: "rank" },
  { name: "FuzzyRank", takes: "flagOrNumber", example: "true", becomes: "fuzzyRank" },
  { name: "SubmitTo", takes: "text", example: '"cluster-a"', becomes: "site" },
  { name: "NodesCollocation", takes: "flag", example: "true", notTranslated: "each job is placed by itself" },
  { name: "ShortDeadlineJob", takes: "flag", example: "true", notTranslated: "there are no test lanes yet" },
  {
    ...{ name: "SignificantAttributes", takes: "texts", example: '{ "Requirements" }' },
    noEffect: "the broker finds out itself which attributes tell jobs apart",
  },
  { name: "EnableWmsFeedback", takes: "flag", example: "true", noEffect: "sites always report" },
  { name: "CpuNumber", also: "NodeNumber", takes: "count", least: 1, example: "4", becomes: "procs" },
  { name: "HostNumber", takes: "count", least: 1, example: "2", becomes: "hostNumber" },
  { name: "SMPGranularity", takes: "count", least: 1, example: "2", becomes: "smpGranularity" },
  { name: "WholeNodes", takes: "flag", example: "true", becomes: "wholeNodes" },
  { name: "WallTime", takes: "duration", example: "3600", becomes: "wallTime" },
  {
    ...{ name: "ReferenceTime", takes: "duration", example: "3600" },
    notTranslated: "times are not scaled by the speed of a pool yet: write WallTime",
  },
  {
    name: "CpuTime",
    takes: "duration",
    example: "3600",
    notTranslated: "no limit on processor time is kept",
  },
  { name: "QueueTime", takes: "duration", example: "3600", becomes: "queueTime" },
  {
    ...{ name: "ExpiryTime", takes: "count", least: 0, most: LAST_SECOND, becomes: "expiryTime" },
    example: "1767225600",
  },
  { name: "RetryCount", takes: "count", least: 0, most: 1000, example: "3", becomes: "retryCount" },
  {
    ...{ name: "ShallowRetryCount", takes: "count", least: -1, most: 1000 },
    ...{ example: "3", becomes: "shallowRetryCount" },
  },
  { name: "Replicas", takes: "count", least: 1, most: 8, example: "3", becomes: "replicas" },
  { name: "RetryMemory", takes: "size", example: '"64G"', becomes: "retryMemory" },
  { name: "RetryTime", takes: "duration", example: "86400", becomes: "retryTime" },
  { name: "RetryFactor", takes: "number", least: 1.1, most: 10, example: "1.5", becomes: "retryFactor" },
  { name: "Checkpointable", takes: "flag", example: "true", becomes: "checkpointable" },
  {
    ...{ name: "CheckpointExitCode", takes: "count", least: 1, most: 125, becomes: "checkpointExitCode" },
    example: "85",
  },
  {
    ...{ name: "CheckpointsKept", takes: "count", least: 1, most: 10, becomes: "checkpointsKept" },
    example: "5",
  },
  { name: "FromCheckpoint", takes: "text", example: '"7f3aabcdefgh:step3"', becomes: "fromCheckpoint" },
  { name: "VirtualOrganisation", takes: "text", example: '"cms"', becomes: "virtualOrganisation" },
  { name: "MyProxyServer", takes: "text", example: '"myproxy.example.org"', notTranslated: noProxy },
  { name: "HLRLocation", takes: "text", example: TEXT, noEffect: "the broker keeps the accounts itself" },
  { name: "PerusalFileEnable", takes: "flag", example: "true", noEffect: noWatch },
  { name: "PerusalTimeInterval", takes: "count", least: 1, example: "60", noEffect: noWatch },
  { name: "PerusalFilesDestURI", takes: "text", example: TEXT, notTranslated: noUpload },
  { name: "UserTags", takes: "ad", example: '[ experiment = "cms" ]', becomes: "userTags" },
  { name: "ListenerPort", takes: "count", least: 1, example: "44000", noEffect: noPort },
  { name: "ListenerHost", takes: "text", example: '"ui.example.org"', noEffect: noPort },
  { name: "ListenerPipeName", takes: "text", example: '"/tmp/pipe"', noEffect: noPort },
  { name: "Parameters", takes: "anything", example: "10" },
  { name: "ParameterStart", takes: "count", least: Number.MIN_SAFE_INTEGER, example: "0" },
  { name: "ParameterStep", takes: "count", least: Number.MIN_SAFE_INTEGER, example: "1" },
  { name: "JobSteps", takes: "anything", example: "10", notTranslated: noSteps },
  { name: "CurrentStep", takes: "count", least: 0, example: "0", notTranslated: noSteps },
  { name: "StepWeight", takes: "anything", example: "{ 1, 2 }", notTranslated: noSteps },
  { name: "PreJob", takes: "anything", example: TEXT, notTranslated: noSteps },
  { name: "PostJob", takes: "anything", example: TEXT, notTranslated: noSteps },
  { name: "MaxParts", takes: "count", least: 1, most: 1000, example: "8", notTranslated: noSteps },
  { name: "Nodes", takes: "anything", example: "[ a = [ … ] ]" },
  { name: "Dependencies", takes: "anything", example: "{ { a, b } }" },
  { name: "Max_Nodes_Running", takes: "count", least: 1, example: "10" },
  { name: "NodeName", takes: "text", example: '"a"', becomes: "name" },
  { name: "Name", also: "JobName", takes: "text", example: '"night-run"', becomes: "name" },
  { name: "WorkingDirectory", takes: "text", example: '"/data/run7"', becomes: "workingDirectory" },
  { name: "Memory", takes: "size", example: '"4G"', becomes: "memory" },
  { name: "Gpus", takes: "count", least: 1, example: "1", becomes: "gpus" },
  { name: "DelayCost", takes: "count", least: 0, most: 1e9, example: "16", becomes: "delayCost" },
  { name: "StrictDefaults", takes: "flag", example: "false", becomes: "strictDefaults" },
  { name: "DefaultRank", takes: "text", example: '"literal"', becomes: "defaultRank" },
  { name: "Reservation", takes: "text", example: '"7f3aabcdefgh"', becomes: "reservation" },
  { name: "Ticket", takes: "text", example: TEXT, becomes: "ticket" },
  { name: "Array", takes: "text", example: '"0-99"', becomes: "array" },
  { name: "Applications", takes: "texts", example: '{ "gromacs" }', becomes: "applications" },
  { name: "PreferredQueues", takes: "texts", example: '{ "long" }', becomes: "preferredQueues" },
  { name: "Mail", takes: "texts", example: '{ "end" }', becomes: "mail" },
  { name: "MailTo", takes: "text", example: '"ada@example.org"', becomes: "mailTo" },
  { name: "After", takes: "texts", example: '{ "ok:7f3aabcdefgh" }', becomes: "after" },
];

const byKey: ReadonlyMap<string, TableRow> = new Map(
  TABLE.flatMap((row) => [
    [row.name.toLowerCase(), row] as const,
    ...(row.also === undefined ? [] : [[row.also.toLowerCase(), row] as const]),
  ]),
);

/** The row of an attribute, by its name in any case; undefined for unknown ones. */
export function rowOf(key: string): TableRow | undefined {
  return byKey.get(key.toLowerCase());
}
